import { LOCALES, type Locale } from '../languages.ts'
import type { ProblemCode } from '../problem-codes.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

/** A language in which errors are told. English is what a `Problem` says itself. */
export type ProblemLanguage = Locale

/** The language of a locale in which errors can be told; English for all others. */
export function problemLanguage(locale: string | null): ProblemLanguage {
  return LOCALES.find((language) => language === locale) ?? 'en'
}

/** What an error of each code tells a reader of one language. */
export type ProblemMessages = Readonly<Record<ProblemCode, string>>

const MESSAGES: Readonly<Record<Exclude<ProblemLanguage, 'en'>, ProblemMessages>> = {
  fr,
  de,
  nl,
  es,
  it,
  pl,
  pt,
}

/** The sentence of a code in a language; `english` where that is the language, or where the code is unknown. */
export function problemMessage(
  code: ProblemCode | (string & {}),
  language: ProblemLanguage,
  english: string,
): string {
  if (language === 'en') return english
  const messages: Readonly<Record<string, string>> = MESSAGES[language]
  return messages[code] ?? english
}
