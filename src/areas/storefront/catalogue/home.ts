import { pageAssets } from '#platform/pages/assets.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { renderMarkdown } from '#platform/pages/markdown.ts'
import type { ShownFrontPage } from '#tenants'
import { emblem, type Picture } from '../parts/emblems.ts'
import { foreign } from '../parts/foreign.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { cheapest, filledOf, type Product, type Window } from './catalogue.ts'
import { answersOf } from './structured.ts'

/**
 * The front page: what is sold, from which price, and what happens after paying, with the shop's own title,
 * introduction and answers where it has written some.
 */
export function homePage(visit: Visit, shown: Window, front: ShownFrontPage): PageDocument {
  const { texts, look } = visit
  const { home } = texts
  const games = gamesList(visit, shown)
  const own = (text: string | null) => (text === null ? null : foreign(texts, front.language))
  const empty = html`<p class="lead">${home.emptyHint}</p>`
  const body = html`<section class="hero"><div class="wrap herogrid">
<div class="say"><h1${own(front.title)}>${front.title ?? home.title(look.shop)}</h1><p class="lead"${own(front.lead)}>${front.lead ?? home.lead}</p><div class="ctas"><a class="button" href="#games">${home.cta}${icon('arrow', 18)}</a></div></div>
<div class="scene">${pageAssets().island}</div>
</div></section>
<section id="games" class="wrap block"><h2>${games ? home.gamesTitle : home.empty}</h2>
${games ?? empty}</section>
<section id="how" class="tint"><div class="wrap block"><h2>${home.howTitle}</h2><ol class="how">${home.how.map(([title, text], index) => html`<li><span class="n">${index === home.how.length - 1 ? icon('check', 16) : index + 1}</span><b>${title}</b><p>${text}</p></li>`)}</ol></div></section>${questionsOf(visit, front)}`
  const { questions } = front
  return storePage(visit, {
    ...{ title: look.shop, body, categories: filledOf(shown) },
    description: front.lead ?? home.lead,
    structured: questions.length > 0 ? [answersOf(questions)] : [],
  })
}

function questionsOf({ texts }: Visit, { questions, language }: ShownFrontPage): Html | null {
  if (questions.length === 0) return null
  const entries = questions.map(
    ({ question, answer }) =>
      html`<details><summary>${question}${icon('down', 18)}</summary><div class="answer">${renderMarkdown(answer).html}</div></details>`,
  )
  return html`
<section id="questions" class="wrap block"><h2>${texts.home.questionsTitle}</h2><div class="questions"${foreign(texts, language)}>${entries}</div></section>`
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
