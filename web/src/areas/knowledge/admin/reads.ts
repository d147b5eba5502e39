import type { components } from '@moorage/client'
import type { Locale } from '@moorage/languages'
import { client, read, readAll } from '../../../api/client.ts'

export type Article = components['schemas']['Article']
export type ArticleText = components['schemas']['ArticleText']
export type Category = components['schemas']['ArticleCategory']

const NAME = 'admin-help'
export const CHANGES = [[NAME]] as const

export const categories = readAll([NAME, 'categories'], (query, signal) =>
  client.GET('/v1/admin/article-categories', { params: { query }, signal }),
)

export const archivedCategoriesKey = [NAME, 'archived-categories'] as const

export const articles = readAll([NAME, 'articles'], (query, signal) =>
  client.GET('/v1/admin/articles', { params: { query }, signal }),
)

export const archivedArticles = readAll([NAME, 'archived'], (query, signal) =>
  client.GET('/v1/admin/articles', { params: { query: { ...query, archived: true } }, signal }),
)

export const article = (id: string) =>
  read([NAME, 'article', id], (signal) =>
    client.GET('/v1/admin/articles/{id}', { params: { path: { id } }, signal }),
  )

export const textPath = (id: string, locale: Locale) => ({ path: { id, locale } })

export const articleText = (id: string, locale: Locale) =>
  read([NAME, 'text', id, locale], (signal) =>
    client.GET('/v1/admin/articles/{id}/texts/{locale}', {
      params: textPath(id, locale),
      signal,
    }),
  )

export const versions = (id: string, locale: Locale) =>
  readAll([NAME, 'versions', id, locale], (query, signal) =>
    client.GET('/v1/admin/articles/{id}/texts/{locale}/versions', {
      params: { ...textPath(id, locale), query },
      signal,
    }),
  )

export const preview = (text: string) =>
  read([NAME, 'preview', text], (signal) =>
    client.POST('/v1/admin/article-previews', { body: { text }, signal }),
  )
