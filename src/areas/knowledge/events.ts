import { Type } from 'typebox'
import { Id, Locale } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const text = { tenantId: Id, articleId: Id, language: Locale, versionId: Id }

/** Readers of a language see another version of an article. */
export const articlePublished = event('knowledge.article-published', Type.Object(text))
/** Readers of a language do not see an article any more; `versionId` is the one that they saw last. */
export const articleWithdrawn = event('knowledge.article-withdrawn', Type.Object(text))
