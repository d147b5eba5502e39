import type { ErrorObject } from 'ajv'
import type { ProblemLanguage } from '#lib/problem-messages/index.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import type { Params, ValidationMessages } from './wording.ts'

const MESSAGES: Readonly<Record<ProblemLanguage, ValidationMessages>> = {
  en,
  fr,
  de,
  nl,
  es,
  it,
  pl,
  pt,
}

/** The message for a field that failed a keyword of its schema, in words that follow the name of the field. */
export function validationMessage(
  { keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>,
  language: ProblemLanguage,
): string {
  const messages: Readonly<Record<string, (params: Params) => string>> = MESSAGES[language]
  const message = messages[keyword] ?? messages.otherwise
  return message?.(params) ?? keyword
}
