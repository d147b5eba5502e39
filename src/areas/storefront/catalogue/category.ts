import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { emblem, picture } from '../parts/emblems.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { type Category, cheapest, missingFrom, type Product } from './catalogue.ts'
import { sizesOf } from './sizes.ts'
import { breadcrumbs } from './structured.ts'

/** All sizes of one game, side by side. */
export function categoryPage(
  visit: Visit,
  category: Category,
  products: readonly Product[],
): PageDocument {
  const { texts } = visit
  const body = html`<div class="wrap pagehead"><nav class="crumbs" aria-label="${texts.product.crumbs}"><a href="/#games">${texts.games}</a> <span aria-hidden="true">/</span> <span aria-current="page">${category.name}</span></nav>
<div class="ph">${emblem(category, 72)}<div><h1>${category.name}</h1>${category.description ? html`<p class="lead">${category.description}</p>` : null}</div></div></div>
<section class="wrap block">${products.length > 0 ? html`${sizesList(visit, category, products)}${products.length > 1 ? html`<p class="more"><a href="/compare/${category.slug}">${texts.comparePage.link}</a></p>` : null}` : html`<p class="lead">${texts.home.emptyHint}</p>`}</section>`
  const structured = [breadcrumbs(visit, [[category.name, `/${category.slug}`]])]
  const { name, image, searchTitle, searchDescription } = category
  const search = {
    title: searchTitle ?? name,
    description: searchDescription ?? category.description,
  }
  return storePage(visit, { ...search, body, structured, image })
}

/** The sizes of one game with their prices. */
export function sizesList(visit: Visit, category: Category, products: readonly Product[]): Html {
  return html`<ul class="sizes">${products.map((it) => size(visit, category, it))}</ul>`
}

function size(visit: Visit, category: Category, product: Product): Html {
  const { texts } = visit
  const { money } = formatsOf(texts)
  const least = cheapest([product])
  const missing = missingFrom(texts, product)
  const price = least
    ? html`<div class="price">${money(least.totalCents, least.currency)}<small>${intervalText(texts, least)}</small></div>`
    : null
  const facts = sizesOf(texts, product).map(
    ({ value, label }) => html`<li>${icon('check', 16)}${value} ${label}</li>`,
  )
  const way =
    missing || !least
      ? html`<p class="sold-out">${missing?.word ?? texts.product.soldOut}</p>`
      : html`<a class="button plain" href="/${category.slug}/${product.slug}" aria-label="${texts.product.choose}: ${product.name}">${texts.product.choose}</a>`
  return html`<li class="size">${product.image ? picture(product.image, 'cover') : null}${product.badge ? html`<span class="badge">${texts.product.badges[product.badge]}</span>` : null}<h2>${product.name}</h2>${product.description ? html`<p>${product.description}</p>` : null}${price}<ul>${facts}</ul>${product.room === 'few' && !missing ? html`<p class="hint">${texts.product.room.few}</p>` : null}${way}</li>`
}
