import { pageAssets } from '#platform/pages/assets.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { emblem, type Picture } from '../parts/emblems.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { cheapest, filledOf, type Product, type Window } from './catalogue.ts'

/** The front page: what is sold, from which price, and what happens after paying. */
export function homePage(visit: Visit, shown: Window): PageDocument {
  const { texts, look } = visit
  const { home } = texts
  const games = gamesList(visit, shown)
  const empty = html`<p class="lead">${home.emptyHint}</p>`
  const body = html`<section class="hero"><div class="wrap herogrid">
<div class="say"><h1>${home.title(look.shop)}</h1><p class="lead">${home.lead}</p><div class="ctas"><a class="button" href="#games">${home.cta}${icon('arrow', 18)}</a></div></div>
<div class="scene">${pageAssets().island}</div>
</div></section>
<section id="games" class="wrap block"><h2>${games ? home.gamesTitle : home.empty}</h2>
${games ?? empty}</section>
<section id="how" class="tint"><div class="wrap block"><h2>${home.howTitle}</h2><ol class="how">${home.how.map(([title, text], index) => html`<li><span class="n">${index === home.how.length - 1 ? icon('check', 16) : index + 1}</span><b>${title}</b><p>${text}</p></li>`)}</ol></div></section>`
  const { lead: description } = home
  return storePage(visit, { title: look.shop, body, categories: filledOf(shown), description })
}

/** A card for each game, and for each product without one, with the lowest price; null if nothing is sold. */
export function gamesList(visit: Visit, shown: Window): Html | null {
  const { categories, products } = shown
  const single = products.filter((it) => !categories.some(({ id }) => id === it.categoryId))
  const cards = [
    ...filledOf(shown).map((category) => {
      const own = products.filter(({ categoryId }) => categoryId === category.id)
      return card(visit, { ...category, path: `/${category.slug}` }, own)
    }),
    ...single.map((product) => card(visit, { ...product, path: `/p/${product.slug}` }, [product])),
  ]
  return cards.length > 0 ? html`<ul class="games">${cards}</ul>` : null
}

type Card = {
  readonly slug: string
  readonly name: string
  readonly path: string
  readonly image: Picture | null
}

/** A card that leads to a game or a product, with the lowest price. */
export function card(
  visit: Visit,
  { slug, name, path, image }: Card,
  products: readonly Product[],
) {
  const { texts } = visit
  const least = cheapest(products)
  const price = least
    ? `${texts.from} ${formatsOf(texts).money(least.totalCents, least.currency)} ${intervalText(texts, least)}`
    : ''
  return html`<li><a class="game" href="${path}">${emblem({ slug, name, image }, 56)}<span><b>${name}</b><small>${price}</small></span>${icon('arrow', 18)}</a></li>`
}
