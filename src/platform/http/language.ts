import type { FastifyRequest } from 'fastify'
import { LOCALES } from '#lib/languages.ts'
import { type ProblemLanguage, problemLanguage } from '#lib/problem-messages/index.ts'
import { preferredOf } from '../pages/locale.ts'

/** The language in which a caller is told of errors: the first of `Accept-Language` that there is, else English. */
export function problemLanguageOf({ headers }: Pick<FastifyRequest, 'headers'>): ProblemLanguage {
  const header = headers['accept-language']
  if (header === undefined) return 'en'
  return problemLanguage(preferredOf({ asked: null, header, spoken: LOCALES }))
}
