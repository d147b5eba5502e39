import { en } from './en.ts'
import { fr } from './fr.ts'

export type Texts = typeof en

const ALL: Readonly<Record<string, Texts>> = { en, fr }

/** The languages of the pages. */
export const LANGUAGES = Object.keys(ALL)

/** The texts of a language; English for one that there are no texts in. */
export function textsOf(locale: string): Texts {
  return ALL[locale] ?? en
}
