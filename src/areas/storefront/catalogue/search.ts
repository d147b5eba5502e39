import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { storePage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'
import { filledOf, pathOf, type Window } from './catalogue.ts'
import { card } from './home.ts'

const LONGEST = 100

/** The words of the query in the URL; null if there are none. */
export function wordsIn(value: unknown): string | null {
  const words = typeof value === 'string' ? value.trim().slice(0, LONGEST) : ''
  return words === '' ? null : words
}

/** A field that searches the shop; it works without scripts. */
export function searchForm({ texts }: Visit, words = ''): Html {
  const { search, find } = texts.missing
  return html`<form class="promo-row search" role="search" method="get" action="/"><label class="field"><span class="vh">${search}</span><input type="search" name="q" value="${words}" placeholder="${search}" maxlength="${LONGEST}" required></label><button class="button plain">${find}${icon('arrow', 16)}</button></form>`
}

/** The results: everything with all words of a query in its name, its description or the name of its game. */
export function searchPage(visit: Visit, shown: Window, words: string): PageDocument {
  const { missing } = visit.texts
  const wanted = plain(words).split(/\s+/)
  const found = shown.products.flatMap((product) => {
    const category = shown.categories.find(({ id }) => id === product.categoryId) ?? null
    const text = plain([product.name, product.description, category?.name].join(' '))
    return wanted.every((word) => text.includes(word)) ? [{ product, category }] : []
  })
  const results = found.map(({ product, category }) => {
    const { slug, image } = category ?? product
    return card(visit, { slug, image, name: product.name, path: pathOf(product, category) }, [
      product,
    ])
  })
  const none = html`<p class="lead">${missing.nothing(words)}</p><p class="ctas"><a class="button plain" href="/#games">${visit.texts.home.cta}</a></p>`
  const body = html`<div class="wrap pagehead"><h1>${missing.results}</h1>${searchForm(visit, words)}</div>
<section class="wrap block">${results.length > 0 ? html`<ul class="games">${results}</ul>` : none}</section>`
  const categories = filledOf(shown)
  return storePage(visit, { title: missing.results, body, categories, indexed: false })
}

/** Letters without accents and case. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
