import { languageName } from '#lib/languages.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { renderMarkdown } from '#platform/pages/markdown.ts'
import { breadcrumbs } from '../catalogue/structured.ts'
import { foreign } from '../parts/foreign.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'
import type { HelpArticle, HelpArticleSummary, HelpCategory, Listed } from './data.ts'

const LONGEST = 100
/** How many articles of a category the first page of the help shows. */
const FIRST = 5

/** The help of a shop: its categories with their first articles. */
export function helpPage(
  visit: Visit,
  {
    categories,
    articles,
  }: { categories: readonly HelpCategory[]; articles: readonly HelpArticleSummary[] },
): PageDocument {
  const { helpPage: own } = visit.texts
  const parts = categories.map((category) => {
    const all = articles.filter(({ categoryId }) => categoryId === category.id)
    const more =
      all.length > FIRST
        ? html`<p class="more"><a href="/help/${category.slug}">${own.all(category.name)}</a></p>`
        : null
    return html`<section><h2${foreign(visit.texts, category.language)}><a href="/help/${category.slug}">${category.name}</a></h2>${category.description ? html`<p>${category.description}</p>` : null}${list(visit, all.slice(0, FIRST))}${more}</section>`
  })
  const body = html`<div class="wrap pagehead"><h1>${own.title}</h1><p class="lead">${own.lead}</p>${searchForm(visit)}</div>
<div class="wrap prose help"><span></span><article>${parts}</article></div>`
  const structured = [breadcrumbs(visit, [[own.title, '/help']])]
  return storePage(visit, { title: own.title, description: own.lead, body, structured })
}

/** The articles of a category. */
export function helpCategoryPage(
  visit: Visit,
  category: HelpCategory,
  { data, nextCursor }: Listed<HelpArticleSummary>,
): PageDocument {
  const { helpPage: own } = visit.texts
  const path = `/help/${category.slug}`
  const more = nextCursor
    ? html`<p class="more"><a href="${path}?${new URLSearchParams({ cursor: nextCursor }).toString()}">${own.more}</a></p>`
    : null
  const body = html`<div class="wrap pagehead">${crumbs(visit, [], category.name)}<h1${foreign(visit.texts, category.language)}>${category.name}</h1>${category.description ? html`<p class="lead">${category.description}</p>` : null}${searchForm(visit)}</div>
<div class="wrap prose help"><span></span><article>${list(visit, data)}${more}</article></div>`
  const trail = [[own.title, '/help'] as const, [category.name, path] as const]
  return storePage(visit, {
    ...{ title: category.name, description: category.description, body, canonical: path },
    structured: [breadcrumbs(visit, trail)],
  })
}

type Shown = {
  readonly article: HelpArticle
  readonly related: readonly HelpArticleSummary[]
  /** Whether the reader has just answered the question below the article. */
  readonly answered: boolean
}

/** An article with the question whether it helped. */
export function helpArticlePage(visit: Visit, { article, related, answered }: Shown): PageDocument {
  const { texts } = visit
  const { helpPage: own } = texts
  const { title, summary, text, category, language, languages, slug } = article
  const { html: content, headings } = renderMarkdown(text)
  const contents =
    headings.length > 2
      ? html`<nav aria-label="${texts.legalText.contents}"><b>${texts.legalText.contents}</b><ol>${headings.map(({ id, text: name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ol></nav>`
      : html`<span></span>`
  const note =
    language === texts.locale
      ? null
      : html`<p class="hint" lang="${texts.locale}">${own.otherLanguage(languageName(language))}</p>`
  const path = addressOf(article, language)
  const body = html`<div class="wrap pagehead">${crumbs(visit, [category], title)}<h1${foreign(visit.texts, language)}>${title}</h1>${summary ? html`<p class="lead"${foreign(visit.texts, language)}>${summary}</p>` : null}${note}<p class="hint">${own.updated(formatsOf(texts).day(article.updatedAt))}</p></div>
<div class="wrap prose help">${contents}<article${foreign(visit.texts, language)}>${content}${question(visit, article, answered)}${related.length > 0 ? html`<section lang="${texts.locale}"><h2>${own.related}</h2>${list(visit, related)}</section>` : null}</article></div>`
  const trail = [
    [own.title, '/help'] as const,
    [category.name, `/help/${category.slug}`] as const,
    [title, `/help/${slug}`] as const,
  ]
  return storePage(visit, {
    ...{ title, description: summary, body, canonical: path },
    structured: [breadcrumbs(visit, trail), structuredOf(visit, article, path)],
    alternates: languages.map((it) => ({
      ...{ language: it.language, path: addressOf(article, it.language) },
    })),
  })
}

/** The search results of the help for some words. */
export function helpSearchPage(
  visit: Visit,
  words: string,
  articles: readonly HelpArticleSummary[],
): PageDocument {
  const { helpPage: own } = visit.texts
  const none = words === '' ? null : html`<p>${own.nothing(words)}</p>`
  const body = html`<div class="wrap pagehead">${crumbs(visit, [], own.results)}<h1>${own.results}</h1>${searchForm(visit, words)}</div>
<div class="wrap prose help"><span></span><article>${articles.length > 0 ? list(visit, articles) : none}</article></div>`
  return storePage(visit, { title: own.results, body, indexed: false })
}

/** The words of the query in the URL. */
export function wordsIn(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, LONGEST) : ''
}

/**
 * The path of an article in a language. If the article has several, the path contains it: without
 * a language, a visitor is redirected to their own.
 */
export function addressOf(
  { slug, languages }: Pick<HelpArticleSummary, 'slug' | 'languages'>,
  language: string,
): string {
  const own = languages.find((it) => it.language === language)?.slug ?? slug
  return languages.length > 1 ? `/help/${own}?lang=${language}` : `/help/${own}`
}

function searchForm({ texts }: Visit, words = ''): Html {
  const { search, find } = texts.helpPage
  return html`<form class="promo-row search" role="search" method="get" action="/help/search"><label class="field"><span class="vh">${search}</span><input type="search" name="q" value="${words}" placeholder="${search}" maxlength="${LONGEST}" required></label><button class="button plain">${find}${icon('arrow', 16)}</button></form>`
}

function list(visit: Visit, articles: readonly HelpArticleSummary[]): Html {
  const entries = articles.map(
    ({ slug, title, summary, language }) =>
      html`<li${foreign(visit.texts, language)}><a href="/help/${slug}">${title}</a>${summary ? html`<p>${summary}</p>` : null}</li>`,
  )
  return html`<ul class="articles">${entries}</ul>`
}

function crumbs({ texts }: Visit, between: readonly HelpCategory[], current: string): Html {
  const links = between.map(
    ({ slug, name }) =>
      html`<a href="/help/${slug}">${name}</a> <span aria-hidden="true">/</span> `,
  )
  return html`<nav class="crumbs" aria-label="${texts.product.crumbs}"><a href="/help">${texts.helpPage.title}</a> <span aria-hidden="true">/</span> ${links}<span aria-current="page">${current}</span></nav>`
}

function question({ texts }: Visit, { slug, id, language }: HelpArticle, answered: boolean): Html {
  const own = texts.helpPage
  const form = html`<form class="answers" method="post" action="/help/${slug}/feedback"><input type="hidden" name="id" value="${id}"><input type="hidden" name="language" value="${language}"><button class="button plain small" name="helpful" value="yes">${own.yes}</button><button class="button plain small" name="helpful" value="no">${own.no}</button></form>`
  return html`<section id="feedback" lang="${texts.locale}"><h2>${own.question}</h2>${answered ? html`<p role="status">${own.thanks}</p>` : form}</section>`
}

function structuredOf({ origin, look }: Visit, article: HelpArticle, path: string): object {
  const { title, summary, language, updatedAt } = article
  return {
    ...{ '@context': 'https://schema.org', '@type': 'Article', headline: title },
    ...{ inLanguage: language, dateModified: updatedAt, mainEntityOfPage: origin + path },
    ...(summary && { description: summary }),
    publisher: { '@type': 'Organization', name: look.shop },
  }
}
