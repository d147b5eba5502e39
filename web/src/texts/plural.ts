/**
 * The form of a noun for a number, as a language counts. `few` is for languages that have a form of its own for
 * small numbers: Polish for 2, 3, 4, 22.
 */
export function plural(
  locale: string,
  count: number,
  one: string,
  other: string,
  few = other,
): string {
  const form = new Intl.PluralRules(locale).select(count)
  if (form === 'one') return one
  return form === 'few' ? few : other
}
