import { type Static, Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { Body, Id, Line, Named, OneOf, Resource, Text, Timestamp } from '#lib/schema.ts'

export const LEGAL_KINDS = ['terms', 'privacy', 'legal', 'withdraw'] as const
export const LegalKind = Named(
  'LegalTextKind',
  OneOf(
    LEGAL_KINDS,
    'terms of sale, privacy policy, legal notice (imprint), and how to withdraw from a contract',
  ),
)
export type LegalKind = (typeof LEGAL_KINDS)[number]

/** The longest text of one language, in characters. */
const MOST = 60_000

const Texts = Type.Unsafe<Readonly<Record<string, string>>>({
  title: 'LegalTextByLanguage',
  type: 'object',
  properties: Object.fromEntries(LOCALES.map((locale) => [locale, Text(MOST)])),
  additionalProperties: false,
  minProperties: 1,
  description:
    'Markdown by language. Readers of other languages get that of the shop, else English, else the first one',
})

export const NewLegalText = Body({ kind: LegalKind, texts: Texts })
export type NewLegalText = Static<typeof NewLegalText>

export const LegalTextVersion = Resource('LegalTextVersion', {
  id: Id,
  kind: LegalKind,
  version: Type.Integer({ description: 'Counts up from 1 for each kind' }),
  texts: Texts,
  publishedAt: Timestamp,
})

export const LegalText = Resource('LegalText', {
  kind: LegalKind,
  version: Type.Integer(),
  language: Line(2),
  text: Type.String({ description: 'Markdown without HTML' }),
  publishedAt: Timestamp,
})
