import type { PageDocument } from '#platform/pages/document.ts'
import { html } from '#platform/pages/html.ts'
import type { OrderableProduct } from '#store'
import { emblem } from '../parts/emblems.ts'
import { storePage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'
import type { Category, Product } from './catalogue.ts'
import { NOTHING_TYPED, orderForm } from './product.ts'
import { sizesList } from './size-list.ts'
import { breadcrumbs } from './structured.ts'

/** A category as its page shows it. */
export type ShownCategory = {
  readonly category: Category
  readonly sizes: readonly Product[]
  /** The size whose order form is shown; null if none can be bought. */
  readonly chosen: OrderableProduct | null
}

/** The size that is chosen on the page of its game: one that the shop highlights, else the first one to be had. */
export function firstChoice(sizes: readonly Product[]): Product | null {
  const free = sizes.filter(({ available }) => available)
  return free.find(({ badge }) => badge && badge !== 'new') ?? free[0] ?? null
}

/** All sizes of one game, with the order form of one of them. */
export function categoryPage(
  visit: Visit,
  { category, sizes, chosen }: ShownCategory,
): PageDocument {
  const { texts } = visit
  const none = html`<section class="wrap block">${sizes.length > 0 ? sizesList(visit, category, sizes) : html`<p class="lead">${texts.home.emptyHint}</p>`}</section>`
  const body = html`<div class="wrap pagehead"><nav class="crumbs" aria-label="${texts.product.crumbs}"><a href="/#games">${texts.games}</a> <span aria-hidden="true">/</span> <span aria-current="page">${category.name}</span></nav>
<div class="ph">${emblem(category, 72)}<div><h1>${category.name}</h1>${category.description ? html`<p class="lead">${category.description}</p>` : null}</div></div></div>
${chosen ? orderForm(visit, { product: chosen, category, sizes, typed: NOTHING_TYPED }) : none}`
  const structured = [breadcrumbs(visit, [[category.name, `/${category.slug}`]])]
  const { name, image, searchTitle, searchDescription } = category
  const search = {
    title: searchTitle ?? name,
    description: searchDescription ?? category.description,
  }
  return storePage(visit, { ...search, body, structured, image })
}
