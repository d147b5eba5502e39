const RULES = new Map<string, Intl.PluralRules>()

/**
 * The form of a noun for a number, by the rules of a language: French uses the singular for 0, 1 and 1.5,
 * English for 1. `few` is for languages with a separate form for small numbers: Polish for 2, 3, 4, 22.
 */
export function plural(
  locale: string,
  count: number,
  one: string,
  other: string,
  few = other,
): string {
  const rules = RULES.get(locale) ?? new Intl.PluralRules(locale)
  RULES.set(locale, rules)
  const form = rules.select(count)
  if (form === 'one') return one
  return form === 'few' ? few : other
}
