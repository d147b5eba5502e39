import { type Static, Type } from 'typebox'
import { Body, Id, Locale, Named, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import { Position } from '../categories/schema.ts'

export const Audience = Named(
  'ArticleAudience',
  OneOf(['public', 'customers'], 'Who reads it: everyone, or only people who are signed in'),
)
export type Audience = Static<typeof Audience>

export const NewArticle = Body({
  categoryId: Id,
  audience: Type.Optional(Audience),
  position: Type.Optional(Position),
})
export type NewArticle = Static<typeof NewArticle>

export const ArticleChange = Body({
  categoryId: Type.Optional(Id),
  audience: Type.Optional(Audience),
  position: Type.Optional(Position),
})
export type ArticleChange = Static<typeof ArticleChange>

const ArticleLanguage = Resource('ArticleLanguage', {
  language: Locale,
  slug: Type.String(),
  title: Type.String(),
  isLive: Type.Boolean({ description: 'Whether readers see it' }),
  hasChanges: Type.Boolean({ description: 'Whether the draft differs from what readers see' }),
  helpful: Type.Integer({
    description: 'How many readers of the live version said that it helped',
  }),
  unhelpful: Type.Integer({ description: 'How many readers of it said that it did not help' }),
  updatedAt: Timestamp,
})

export const Article = Resource('Article', {
  id: Id,
  categoryId: Id,
  audience: Audience,
  position: Position,
  texts: Type.Array(ArticleLanguage, { description: 'The languages that it is written in' }),
  createdAt: Timestamp,
  archivedAt: Nullable(Timestamp),
})
