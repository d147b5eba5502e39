import { Type } from 'typebox'
import { Body, Line, Nullable, OneOf, Text, textsByLanguage } from '#lib/schema.ts'

const Translation = Body(
  {
    name: Type.Optional(Line()),
    description: Type.Optional(Text()),
    searchTitle: Type.Optional(Line(100)),
    searchDescription: Type.Optional(Line(300)),
  },
  'CatalogText',
)

/** The texts of a product or category by language. */
export const Translations = textsByLanguage('CatalogTexts', Translation)

export const Badge = Nullable(OneOf(['popular', 'new', 'recommended']))

/** The texts for search engines; null to use the name and the description. */
export const searched = {
  searchTitle: Nullable(Type.String()),
  searchDescription: Nullable(Type.String()),
}
