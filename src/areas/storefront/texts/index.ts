import type { Locale } from '#lib/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

export type Texts = typeof en

/** The texts of the pages, by language. */
export const TEXTS: Readonly<Record<Locale, Texts>> = { en, fr, de, nl, es, it, pl, pt }

/** The texts of a language; English for one that there are no texts in. */
export function textsOf(locale: string): Texts {
  const texts: Readonly<Record<string, Texts>> = TEXTS
  return texts[locale] ?? en
}
