import type { Caller } from '#lib/caller.ts'
import { type Locale, textFor } from '#lib/languages.ts'
import type { Audience } from '../articles/schema.ts'
import type { CategoryRow } from '../categories/queries.ts'
import type { LiveText } from './queries.ts'

/** The languages in which a reader gets a text: their own, else that of the shop. */
export type Wanted = { readonly locale: Locale; readonly shopLocale: Locale | undefined }

/** What a caller may read: only signed-in people may read customers' articles. */
export function audiencesFor(caller: Caller | null): readonly Audience[] {
  return caller?.kind === 'user' ? ['public', 'customers'] : ['public']
}

/** A category for a reader. */
export function shownCategory(
  { id, slug, names, descriptions }: CategoryRow,
  { locale, shopLocale }: Wanted,
) {
  const [language, name] = textFor(names, locale, shopLocale) ?? [locale, '']
  const description = textFor(descriptions, locale, shopLocale)?.[1] ?? null
  return { id, slug, language: language as Locale, name, description }
}

/**
 * The article for a reader of a language, chosen from its texts in all languages; undefined if there are
 * none.
 */
export function shownArticle(texts: readonly LiveText[], { locale, shopLocale }: Wanted) {
  const byLanguage = Object.fromEntries(texts.map((it) => [it.locale, it]))
  const found = textFor(byLanguage, locale, shopLocale)?.[1]
  if (!found) return undefined
  const { id, slug, title, summary, categoryId, audience, publishedAt: updatedAt } = found
  return {
    ...{ id, slug, title, summary, categoryId, audience, updatedAt },
    ...{ language: found.locale, text: found.markdown, version: found.version },
    languages: texts.map((it) => ({
      ...{ language: it.locale, slug: it.slug, updatedAt: it.publishedAt },
    })),
  }
}

/** Articles for a reader, in the order of their ids. */
export function shownArticles(ids: readonly string[], texts: readonly LiveText[], wanted: Wanted) {
  const byArticle = Map.groupBy(texts, ({ id }) => id)
  return ids.flatMap((id) => shownArticle(byArticle.get(id) ?? [], wanted) ?? [])
}
