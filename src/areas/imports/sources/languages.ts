import type { Locale } from '#lib/languages.ts'

/** The languages by their WHMCS names. Variants such as `portuguese-br` begin with that name. */
export const LANGUAGE_WORDS: Readonly<Record<Locale, string>> = {
  en: 'english',
  fr: 'french',
  de: 'german',
  nl: 'dutch',
  es: 'spanish',
  it: 'italian',
  pl: 'polish',
  pt: 'portuguese',
}

/** The word for a tag such as `de_DE`; empty for a language that is not supported here. */
export function languageWord(tag: string): string {
  const code = (tag.split(/[-_]/, 1)[0] ?? '').toLowerCase()
  const words: Readonly<Record<string, string>> = LANGUAGE_WORDS
  return words[code] ?? ''
}
