import type { FastifyRequest } from 'fastify'
import { PROBLEM_LANGUAGES, type ProblemLanguage } from '#lib/problem-messages.ts'
import { preferredOf } from '../pages/locale.ts'

/** The language in which a caller is told of errors: the first of `Accept-Language` that there is, else English. */
export function problemLanguageOf({ headers }: Pick<FastifyRequest, 'headers'>): ProblemLanguage {
  const header = headers['accept-language']
  if (header === undefined) return 'en'
  const preferred = preferredOf({ asked: null, header, spoken: PROBLEM_LANGUAGES })
  return preferred === 'fr' ? 'fr' : 'en'
}
