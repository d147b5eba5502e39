import { type Static, type TSchema, Type } from 'typebox'
import { LOCALES } from '#lib/languages.ts'
import { Body, Line, Nullable, OneOf, Text } from '#lib/schema.ts'

const Translation = Body(
  {
    name: Type.Optional(Line()),
    description: Type.Optional(Text()),
    searchTitle: Type.Optional(Line(100)),
    searchDescription: Type.Optional(Line(300)),
  },
  'CatalogText',
)

/** Texts of one kind by language; missing texts fall back to the language of the shop. */
export function textsByLanguage<T extends TSchema>(title: string, text: T) {
  return Type.Unsafe<Readonly<Record<string, Static<T>>>>({
    ...{ title, type: 'object' },
    properties: Object.fromEntries(LOCALES.map((locale) => [locale, text])),
    additionalProperties: false,
  })
}

/** The texts of a product or category by language. */
export const Translations = textsByLanguage('CatalogTexts', Translation)

export const Badge = Nullable(OneOf(['popular', 'new', 'recommended']))

/** The texts for search engines; null to use the name and the description. */
export const searched = {
  searchTitle: Nullable(Type.String()),
  searchDescription: Nullable(Type.String()),
}
