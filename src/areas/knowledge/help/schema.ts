import { type Static, Type } from 'typebox'
import { Body, Id, Locale, Nullable, Resource, Slug, Timestamp } from '#lib/schema.ts'
import { Audience } from '../articles/schema.ts'

export const ItemParams = Type.Object({ idOrSlug: Slug })

export const HelpCategory = Resource('HelpCategory', {
  id: Id,
  slug: Type.String({ description: 'Its page is `/help/{slug}`' }),
  language: Locale,
  name: Type.String(),
  description: Nullable(Type.String()),
})

const summary = {
  id: Id,
  slug: Type.String({ description: 'Its page is `/help/{slug}`' }),
  language: Locale,
  title: Type.String(),
  summary: Nullable(Type.String()),
  categoryId: Id,
  audience: Audience,
  languages: Type.Array(
    Resource('HelpLanguage', { language: Locale, slug: Type.String(), updatedAt: Timestamp }),
    { description: 'All languages that it is published in' },
  ),
  updatedAt: { ...Timestamp, description: 'When this text was published' },
}

/** An article in lists and among the results of a search. */
export const HelpArticleSummary = Resource('HelpArticleSummary', summary)
export type HelpArticleSummary = Static<typeof HelpArticleSummary>

export const HelpArticle = Resource('HelpArticle', {
  ...summary,
  text: Type.String({ description: 'Markdown without HTML and pictures' }),
  version: Type.Integer(),
  category: HelpCategory,
})

export const HelpSearchQuery = Type.Object({
  q: Type.String({
    ...{ minLength: 1, maxLength: 200 },
    description: 'Words to find; `"…"` is a phrase, and `-word` excludes a word',
  }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 10 })),
})

export const NewFeedback = Body({
  language: Locale,
  helpful: Type.Boolean(),
})
export type NewFeedback = Static<typeof NewFeedback>

export const Feedback = Resource('ArticleFeedback', { helpful: Type.Boolean() })
