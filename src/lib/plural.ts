const RULES = new Map<string, Intl.PluralRules>()

/** The form of a noun for a number, as a language counts: French has 0, 1 and 1.5 in the singular, English has 1. */
export function plural(locale: string, count: number, one: string, other: string): string {
  const rules = RULES.get(locale) ?? new Intl.PluralRules(locale)
  RULES.set(locale, rules)
  return rules.select(count) === 'one' ? one : other
}
