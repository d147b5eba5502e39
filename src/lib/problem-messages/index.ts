import { LOCALES, type Locale } from '../languages.ts'
import type { ProblemCode } from '../problem-codes.ts'
import { de } from './de.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

/** A language of error messages. The message of a `Problem` itself is English. */
export type ProblemLanguage = Locale

/** The language of error messages for a locale; English for all others. */
export function problemLanguage(locale: string | null): ProblemLanguage {
  return LOCALES.find((language) => language === locale) ?? 'en'
}

/** The message of each error code in one language. */
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

/** The message of a code in a language; `english` for English, and for an unknown code. */
export function problemMessage(
  code: ProblemCode | (string & {}),
  language: ProblemLanguage,
  english: string,
): string {
  if (language === 'en') return english
  const messages: Readonly<Record<string, string>> = MESSAGES[language]
  return messages[code] ?? english
}
