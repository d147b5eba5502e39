import type { ArticleRow, listLanguages } from './queries.ts'

type LanguageRow = Awaited<ReturnType<typeof listLanguages>>[number]

/** Articles as staff see them. */
export function articleViews(articles: readonly ArticleRow[], languages: readonly LanguageRow[]) {
  const byArticle = Map.groupBy(languages, ({ articleId }) => articleId)
  return articles.map(({ tenantId: _, ...article }) => ({
    ...article,
    texts: (byArticle.get(article.id) ?? []).map(({ articleId: __, locale, ...text }) => ({
      ...text,
      language: locale,
      helpful: text.helpful ?? 0,
      unhelpful: text.unhelpful ?? 0,
    })),
  }))
}
