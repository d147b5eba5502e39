import type { FastifyRequest } from 'fastify'
import { problemLanguageOf } from '#platform/http/language.ts'

type Text = {
  readonly name?: string
  readonly description?: string
  readonly searchTitle?: string
  readonly searchDescription?: string
}

/** A product or category with its texts in the languages that have some. */
export type Translated = {
  readonly name: string
  readonly description: string | null
  readonly translations: Readonly<Record<string, Text>>
}

/** The texts for a reader of a language; without a language, the original texts of the shop. */
export function textsIn({ name, description, translations }: Translated, locale: string | null) {
  const own = (locale === null ? undefined : translations[locale]) ?? {}
  return {
    name: own.name ?? name,
    description: own.description ?? description,
    searchTitle: own.searchTitle ?? null,
    searchDescription: own.searchDescription ?? null,
  }
}

/** The language that a reader asks for; null for none. */
export function readerLocale(request: Pick<FastifyRequest, 'headers'>): string | null {
  return request.headers['accept-language'] === undefined ? null : problemLanguageOf(request)
}
