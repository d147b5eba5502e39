import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { type Category, cheapest, missingFrom, type Product, pathOf } from './catalogue.ts'
import { sizesOf } from './sizes.ts'
import { breadcrumbs } from './structured.ts'

/** The sizes of one game side by side, one fact per row. */
export function comparePage(
  visit: Visit,
  category: Category,
  products: readonly Product[],
): PageDocument {
  const { texts } = visit
  const own = texts.comparePage
  const title = own.title(category.name)
  const crumbs = html`<nav class="crumbs" aria-label="${texts.product.crumbs}"><a href="/#games">${texts.games}</a> <span aria-hidden="true">/</span> <a href="/${category.slug}">${category.name}</a> <span aria-hidden="true">/</span> <span aria-current="page">${own.link}</span></nav>`
  const body = html`<div class="wrap pagehead">${crumbs}<h1 class="h">${title}</h1></div>
<section class="wrap block"><div class="sideways" role="region" aria-label="${own.caption}" tabindex="0"><table class="compare"><caption class="vh">${own.caption}</caption>
<thead><tr><td></td>${products.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rowsOf(visit, products)}<tr><td></td>${products.map((it) => html`<td>${wayTo(visit, category, it)}</td>`)}</tr></tbody></table></div></section>`
  const path = `/compare/${category.slug}`
  const structured = [
    breadcrumbs(visit, [
      [category.name, `/${category.slug}`],
      [own.link, path],
    ]),
  ]
  return storePage(visit, { title, body, structured })
}

function rowsOf(visit: Visit, products: readonly Product[]): Html[] {
  const { texts } = visit
  const { money } = formatsOf(texts)
  const prices = products.map((product) => {
    const least = cheapest([product])
    return least ? `${money(least.totalCents, least.currency)} ${intervalText(texts, least)}` : '–'
  })
  const sizes = products.map((product) => sizesOf(texts, product))
  const facts = [...new Set(sizes.flat().map(({ fact }) => fact))]
  const row = (label: string, values: readonly string[]) =>
    html`<tr><th scope="row">${label}</th>${values.map((it) => html`<td>${it}</td>`)}</tr>`
  return [
    row(texts.comparePage.price, prices),
    ...facts.map((fact) =>
      row(
        texts.comparePage.facts[fact],
        sizes.map((of) => of.find((it) => it.fact === fact)?.value ?? '–'),
      ),
    ),
  ]
}

function wayTo({ texts }: Visit, category: Category, product: Product): Html {
  const { choose } = texts.product
  const missing = missingFrom(texts, product)
  if (missing) return html`<span class="sold-out">${missing.word}</span>`
  return html`<a class="button plain small" href="${pathOf(product, category)}" aria-label="${choose}: ${product.name}">${choose}</a>`
}
