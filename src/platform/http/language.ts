import type { FastifyRequest } from 'fastify'
import { LOCALES } from '#lib/languages.ts'
import { type ProblemLanguage, problemLanguage } from '#lib/problem-messages/index.ts'
import { preferredOf } from '../pages/locale.ts'

/** The language of errors for a caller: the first of `Accept-Language` that is supported, else English. */
export function problemLanguageOf({ headers }: Pick<FastifyRequest, 'headers'>): ProblemLanguage {
  const header = headers['accept-language']
  if (header === undefined) return 'en'
  return problemLanguage(preferredOf({ asked: null, header, spoken: LOCALES }))
}
