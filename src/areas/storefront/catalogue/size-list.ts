import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { emblem, picture } from '../parts/emblems.ts'
import { formatsOf } from '../parts/formats.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { type Category, cheapest, missingFrom, type Product } from './catalogue.ts'
import { sizesOf } from './sizes.ts'

/** The sizes of one game with their prices, as cards. */
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

type Choice = {
  readonly category: Category
  readonly sizes: readonly Product[]
  /** The id of the size whose order form is below. */
  readonly chosen: string
}

/** The sizes of one game above the order form of one of them: each is a link to its own form. Null for a single size. */
export function sizeChoice(visit: Visit, { category, sizes, chosen }: Choice): Html | null {
  if (sizes.length < 2) return null
  const { product: words, comparePage } = visit.texts
  const areServers = sizes.every(({ delivery }) => delivery === 'server')
  const rows = sizes.map((it) => html`<li>${choiceOf(visit, category, it, it.id === chosen)}</li>`)
  return html`<nav class="pick" aria-labelledby="pick"><h2 id="pick">${areServers ? words.size : words.choose}</h2><ul class="opt-list">${rows}</ul><p class="more"><a href="/compare/${category.slug}">${comparePage.link}</a></p></nav>`
}

function choiceOf(visit: Visit, category: Category, product: Product, isChosen: boolean): Html {
  const { texts } = visit
  const { money } = formatsOf(texts)
  const least = cheapest([product])
  const missing = missingFrom(texts, product)
  const sizes = sizesOf(texts, product).map(({ value, label }) => `${value} ${label}`)
  const few =
    product.room === 'few' && !missing ? html`<small>${texts.product.room.few}</small>` : null
  const badge = product.badge
    ? html` <span class="badge">${texts.product.badges[product.badge]}</span>`
    : null
  const price =
    missing || !least
      ? html`<small>${missing?.word ?? texts.product.soldOut}</small>`
      : html`<b>${money(least.totalCents, least.currency)}</b><small>${intervalText(texts, least)}</small>`
  // The form of the chosen size shows its picture large, with its description.
  const shown = product.image
    ? emblem({ ...product, image: { ...product.image, alt: null } }, 44)
    : null
  const row = html`<span class="dot"></span>${shown}<span class="grow"><b>${product.name}${badge}</b>${product.description ? html`<small>${product.description}</small>` : null}${sizes.length > 0 ? html`<small>${sizes.join(' · ')}</small>` : null}${few}</span><span class="r">${price}</span>`
  if (missing) return html`<span class="opt shut">${row}</span>`
  return html`<a class="opt" href="/${category.slug}/${product.slug}"${isChosen ? html` aria-current="true"` : null}>${row}</a>`
}
