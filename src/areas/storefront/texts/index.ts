import type { Locale } from '#lib/languages.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'

export type Texts = typeof en

/** The texts of the pages, by language. */
export const TEXTS: Readonly<Record<Locale, Texts>> = { en, fr }

/** The texts of a language; English for one that there are no texts in. */
export function textsOf(locale: string): Texts {
  const texts: Readonly<Record<string, Texts>> = TEXTS
  return texts[locale] ?? en
}
