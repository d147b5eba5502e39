import { type Static, Type } from 'typebox'
import { Body, Id, Line, Locale, Nullable, Resource, Slug, Text, Timestamp } from '#lib/schema.ts'

/** The longest article, in characters. */
const MOST = 60_000

const Markdown = { ...Text(MOST), description: 'Markdown without HTML and pictures' }
const Title = Line(150)
const Summary = {
  ...Text(300),
  description: 'What the article answers, for lists and search engines',
}

export const TextParams = Type.Object({ id: Id, locale: Locale })
export const VersionParams = Type.Object({
  ...TextParams.properties,
  number: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
})

export const NewText = Body({
  title: Title,
  text: Markdown,
  summary: Type.Optional(Nullable(Summary)),
  slug: Type.Optional(Slug),
})
export type NewText = Static<typeof NewText>

const Revision = Type.Integer({
  minimum: 1,
  description: 'Counts up with each change of this text, also by others',
})

export const ArticleText = Resource('ArticleText', {
  articleId: Id,
  language: Locale,
  slug: Type.String({ description: 'Its page is `/help/{slug}`' }),
  title: Type.String(),
  summary: Nullable(Type.String()),
  text: Type.String({ description: 'The draft, in Markdown' }),
  revision: Revision,
  liveVersion: Nullable(
    Type.Integer({ description: 'The number of the version that readers see; null for none' }),
  ),
  hasChanges: Type.Boolean({ description: 'Whether the draft differs from what readers see' }),
  updatedAt: Timestamp,
})

export const ArticleVersion = Resource('ArticleVersion', {
  id: Id,
  number: Type.Integer({ description: 'Counts up from 1 for each article and language' }),
  title: Type.String(),
  summary: Nullable(Type.String()),
  text: Type.String({ description: 'Markdown' }),
  authorId: { ...Id, description: 'The member of staff who published it' },
  publishedAt: Timestamp,
})

/**
 * The revision that a member of staff has seen: if others have changed the text since, the result
 * is 409 `draft_outdated`.
 */
export const Seen = Body({ revision: Revision })
export type Seen = Static<typeof Seen>

export const ArticlePreview = Resource('ArticlePreview', {
  html: Type.String({ description: 'Safe HTML, as readers would get it' }),
})
export const PreviewedText = Body({ text: Markdown })
