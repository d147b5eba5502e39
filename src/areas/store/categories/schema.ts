import { type Static, Type } from 'typebox'
import { Body, Id, Line, Nullable, Resource, Slug, Text, Timestamp } from '#lib/schema.ts'
import { Image } from '../images/schema.ts'
import { Position } from '../schema.ts'
import { searched, Translations } from '../translations/schema.ts'

export const NewCategory = Body({
  name: Line(),
  slug: Type.Optional(Slug),
  description: Type.Optional(Nullable(Text())),
  position: Type.Optional(Position),
  hidden: Type.Optional(Type.Boolean()),
  translations: Type.Optional(Translations),
})
export type NewCategory = Static<typeof NewCategory>

export const CategoryChange = Body({
  name: Type.Optional(Line()),
  slug: Type.Optional(Slug),
  description: Type.Optional(Nullable(Text())),
  position: Type.Optional(Position),
  hidden: Type.Optional(Type.Boolean()),
  translations: Type.Optional(Translations),
})
export type CategoryChange = Static<typeof CategoryChange>

export const Category = Resource('Category', {
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  position: Type.Integer(),
  hidden: Type.Boolean(),
  image: Nullable(Image),
  translations: Translations,
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})

const { archivedAt: _, translations: __, ...shown } = Category.properties

/** A category as visitors see it, in their language. */
export const ShownCategory = Resource('CatalogCategory', { ...shown, ...searched })
