import type { PageDocument } from '#platform/pages/document.ts'
import { html } from '#platform/pages/html.ts'
import { storePage } from '../parts/frames.ts'
import { Refusal, type Visit } from '../visit.ts'
import { filledOf, type Window, windowFor } from './catalogue.ts'
import { gamesList } from './home.ts'
import { searchForm } from './search.ts'
import { sizesList } from './size-list.ts'

const EMPTY: Window = { categories: [], products: [] }

/**
 * The page for an address without content: the games of the shop, or, for a product that is no longer sold, the other
 * sizes of its game. `slug` is the slug of that game; null for no game.
 */
export async function missingPage(visit: Visit, slug: string | null): Promise<PageDocument> {
  const { missing } = visit.texts
  const shown = await windowFor(visit).catch((error: unknown) => {
    if (error instanceof Refusal) return EMPTY
    throw error
  })
  const filled = filledOf(shown)
  const game = filled.find((it) => it.slug === slug)
  const own = game ? shown.products.filter(({ categoryId }) => categoryId === game.id) : []
  const title = game ? missing.sizeTitle : missing.title
  const lead = game ? missing.sizeLead(game.name) : missing.lead
  const servers = visit.session
    ? html` <a class="button plain" href="/servers">${missing.servers}</a>`
    : null
  const body = html`<div class="wrap pagehead"><h1>${title}</h1><p class="lead">${lead}</p>${searchForm(visit)}<p class="ctas"><a class="button" href="/">${missing.home}</a>${servers}</p></div>
<section class="wrap block">${game ? sizesList(visit, game, own) : gamesList(visit, shown)}</section>`
  return storePage(visit, { title, body, categories: filled, indexed: false })
}
