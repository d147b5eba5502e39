/**
 * The languages in which customers are addressed: the name of each in that language, and the region whose dates and
 * numbers it uses. The application in the browser uses this list, too.
 */
const LANGUAGES = {
  en: { name: 'English', region: 'en-GB' },
  fr: { name: 'Français', region: 'fr-FR' },
  de: { name: 'Deutsch', region: 'de-DE' },
  nl: { name: 'Nederlands', region: 'nl-NL' },
  es: { name: 'Español', region: 'es-ES' },
  it: { name: 'Italiano', region: 'it-IT' },
  pl: { name: 'Polski', region: 'pl-PL' },
  pt: { name: 'Português', region: 'pt-PT' },
} as const

export type Locale = keyof typeof LANGUAGES

/** The codes of the languages, in the order in which they are offered. */
export const LOCALES = Object.keys(LANGUAGES) as readonly Locale[]

/** The languages of the administration. */
export const DESK_LOCALES = ['en', 'fr'] as const satisfies readonly Locale[]

/** The name of a language in that language; the code itself for an unknown one. */
export function languageName(locale: string): string {
  return isLocale(locale) ? LANGUAGES[locale].name : locale
}

/** The region whose formats a language uses, as a BCP 47 tag; that of English for an unknown one. */
export function regionOf(locale: string): string {
  return LANGUAGES[isLocale(locale) ? locale : 'en'].region
}

/** The language of the administration for a reader: their own if the administration has it, else English. */
export function deskLocale(locale: string): (typeof DESK_LOCALES)[number] {
  return DESK_LOCALES.find((it) => it === locale) ?? 'en'
}

/**
 * Chooses from texts in several languages: the reader's own, else that of the shop, else English, else the first
 * one. Returns it with its language; undefined if there is none.
 */
export function textFor<T>(
  texts: Readonly<Record<string, T>>,
  locale: string,
  shopLocale: string | null | undefined,
): readonly [language: string, text: T] | undefined {
  const entries = Object.entries(texts)
  const wanted = [locale, shopLocale, 'en']
  for (const language of wanted) {
    const found = entries.find(([it]) => it === language)
    if (found) return found
  }
  return entries[0]
}

function isLocale(locale: string): locale is Locale {
  return Object.hasOwn(LANGUAGES, locale)
}
