import { type Html, html } from '#platform/pages/html.ts'
import type { Texts } from '../texts/index.ts'

/** The attribute that names the language of a text if it is not that of the page; null if it is, or is not known. */
export function foreign(texts: Texts, language: string | null): Html | null {
  return language === null || language === texts.locale ? null : html` lang="${language}"`
}
