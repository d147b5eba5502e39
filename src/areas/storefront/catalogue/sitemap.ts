import { LOCALES } from '#lib/languages.ts'
import type { HelpArticleSummary, publicHelp } from '../help/data.ts'
import { addressOf } from '../help/page.ts'
import type { Visit } from '../visit.ts'
import { type Category, type Product, pathOf } from './catalogue.ts'

/** The sitemap of a shop (sitemaps.org), with the languages of each page. */
export function sitemapOf(
  { origin, legalVersions, hasStatus }: Visit,
  { categories, products }: { categories: readonly Category[]; products: readonly Product[] },
  help: Awaited<ReturnType<typeof publicHelp>>,
): string {
  const categoryOf = new Map(categories.map((it) => [it.id, it]))
  const several = categories.filter(
    ({ id }) => products.filter(({ categoryId }) => categoryId === id).length > 1,
  )
  const paths = [
    ...['/', '/news', '/legal', '/withdraw'],
    ...(hasStatus ? ['/status'] : []),
    ...(['terms', 'privacy'] as const).flatMap((it) => (legalVersions.has(it) ? [`/${it}`] : [])),
    ...categories.map(({ slug }) => `/${slug}`),
    ...several.map(({ slug }) => `/compare/${slug}`),
    ...products.map((it) => pathOf(it, categoryOf.get(it.categoryId ?? '') ?? null)),
  ]
  const helpPaths = help.categories.map(({ slug }) => `/help/${slug}`)
  const entries = [
    ...[...paths, ...(helpPaths.length > 0 ? ['/help'] : []), ...helpPaths].map((path) =>
      entry(origin + path),
    ),
    ...help.articles.flatMap((article) => articleEntries(origin, article)),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}

/** Slugs consist of letters, digits and hyphens, so URLs need no escaping. */
function entry(address: string): string {
  const languages = LOCALES.map(
    (it) => `<xhtml:link rel="alternate" hreflang="${it}" href="${address}?lang=${it}"/>`,
  )
  return `<url><loc>${address}</loc>${languages.join('')}</url>`
}

/** An entry for each language of an article, each with links to the others. */
function articleEntries(origin: string, article: HelpArticleSummary): string[] {
  const addressIn = (language: string) => origin + addressOf(article, language)
  const languages = article.languages.map(
    ({ language: it }) => `<xhtml:link rel="alternate" hreflang="${it}" href="${addressIn(it)}"/>`,
  )
  return article.languages.map(
    ({ language, updatedAt }) =>
      `<url><loc>${addressIn(language)}</loc><lastmod>${updatedAt}</lastmod>${languages.join('')}</url>`,
  )
}

const PRIVATE = [
  ...['/v1/', '/app/', '/cart', '/checkout', '/orders', '/sign-in', '/register', '/forgot'],
  ...['/reset/', '/verify/', '/i/', '/pay/', '/r/', '/country'],
]

/** The robots.txt: excluded paths, and the URL of the sitemap. */
export function robotsOf({ origin }: Visit): string {
  const lines = PRIVATE.map((path) => `Disallow: ${path}`)
  return `User-agent: *\n${lines.join('\n')}\n\nSitemap: ${origin}/sitemap.xml\n`
}
