import { type Static, type TSchema, Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { Body, Id, Line, Nullable, Resource, Slug, Text, Timestamp } from '#lib/schema.ts'

/** Texts by language. */
function byLanguage(text: TSchema, minProperties: number) {
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(LOCALES.map((locale) => [locale, text])),
    additionalProperties: false,
    minProperties,
    description:
      'By language. Readers of other languages get that of the shop, else English, else the first one',
  })
}

export const Position = Type.Integer({
  ...{ minimum: -1_000_000, maximum: 1_000_000 },
  description: 'Smaller ones come first; equal ones by age',
})
const Names = byLanguage(Line(100), 1)
const Descriptions = byLanguage(Text(500), 0)

export const NewArticleCategory = Body({
  names: Names,
  descriptions: Type.Optional(Descriptions),
  slug: Type.Optional(Slug),
  position: Type.Optional(Position),
})
export type NewArticleCategory = Static<typeof NewArticleCategory>

export const ArticleCategoryChange = Body({
  names: Type.Optional(Names),
  descriptions: Type.Optional(Descriptions),
  slug: Type.Optional(Slug),
  position: Type.Optional(Position),
})
export type ArticleCategoryChange = Static<typeof ArticleCategoryChange>

export const ArticleCategory = Resource('ArticleCategory', {
  id: Id,
  slug: Type.String({ description: 'Its page is `/help/{slug}`' }),
  names: Names,
  descriptions: Descriptions,
  position: Position,
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
