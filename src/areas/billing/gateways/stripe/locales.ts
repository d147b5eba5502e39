// Languages of Stripe's hosted pages; an unknown one would be refused.
const LOCALES = new Set([
  ...['auto', 'bg', 'cs', 'da', 'de', 'el', 'en', 'en-GB', 'es', 'es-419', 'et', 'fi', 'fil', 'fr'],
  ...['fr-CA', 'hr', 'hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'mt', 'nb', 'nl', 'pl', 'pt'],
  ...['pt-BR', 'ro', 'ru', 'sk', 'sl', 'sv', 'th', 'tr', 'vi', 'zh', 'zh-HK', 'zh-TW'],
])

/** The page language nearest to a BCP 47 tag; `auto` follows the browser. */
export function localeFor(tag: string | undefined): string {
  if (!tag) return 'auto'
  if (LOCALES.has(tag)) return tag
  const language = tag.split('-', 1)[0] ?? ''
  return LOCALES.has(language) ? language : 'auto'
}
