import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import type { OrderableProduct } from '#store'
import { emblem, picture } from '../parts/emblems.ts'
import { flagOf } from '../parts/flags.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import { icon } from '../parts/icons.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { type Category, isSoldOut, type Plan, pathOf } from './catalogue.ts'
import { sizesOf } from './sizes.ts'
import { breadcrumbs, offersOf } from './structured.ts'

/** What was typed into the order form and why it was not taken, by the name of each field. */
export type TypedForm = {
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
  readonly message: string | null
}

export const NOTHING_TYPED: TypedForm = { values: {}, errors: {}, message: null }

/** The form of a variable's field. */
export const VARIABLE_PREFIX = 'env.'

/** One product with its order form: how it is billed, what it is called, what its egg asks for. */
export function productPage(
  visit: Visit,
  { product, category }: { product: OrderableProduct; category: Category | null },
  typed: TypedForm = NOTHING_TYPED,
): PageDocument {
  const { texts } = visit
  const crumb = category
    ? html`<a href="/${category.slug}">${category.name}</a> <span aria-hidden="true">/</span> `
    : null
  const sold = isSoldOut(product)
  const body = html`<div class="wrap pagehead"><nav class="crumbs" aria-label="${texts.product.crumbs}"><a href="/#games">${texts.games}</a> <span aria-hidden="true">/</span> ${crumb}<span aria-current="page">${product.name}</span></nav>
<div class="ph">${emblem({ slug: category?.slug ?? product.slug, name: product.name, image: category?.image ?? null }, 72)}<div><h1>${product.name}</h1>${product.description ? html`<p class="lead">${product.description}</p>` : null}</div></div></div>
${sold ? html`<section class="wrap block">${product.image ? picture(product.image, 'shown') : null}<p class="lead">${texts.product.soldOut}</p></section>` : orderForm(visit, product, typed)}`
  const canonical = pathOf(product, category)
  const trail: [string, string][] = category ? [[category.name, `/${category.slug}`]] : []
  return storePage(visit, {
    ...{ title: product.name, body, description: product.description, canonical },
    image: product.image ?? category?.image ?? null,
    structured: [
      offersOf(visit, product, canonical),
      breadcrumbs(visit, [...trail, [product.name, canonical]]),
    ],
  })
}

function orderForm(visit: Visit, product: OrderableProduct, typed: TypedForm): Html {
  const { texts } = visit
  const { values, errors, message } = typed
  const chosen = product.plans.find(({ id }) => id === values.plan) ?? product.plans[0]
  const plans = product.plans.map((plan) => planChoice(visit, plan, plan === chosen))
  const left =
    product.stock !== null && product.stock <= 5 ? texts.product.left(product.stock) : null
  const expected = expectedOf(visit, product)
  const fields = product.orderForm.variables.map((variable) => {
    const id = VARIABLE_PREFIX + variable.env
    const hint = variable.required
      ? variable.description
      : `${variable.description} (${texts.product.optional})`
    const error = errors[id]
    return html`<label class="field"><span>${variable.name}</span><input name="${id}" value="${values[id] ?? ''}" placeholder="${variable.default}" maxlength="2000" autocomplete="off"${error ? html` aria-invalid="true"` : null}${variable.required ? html` required` : null}></label><p class="hint">${error ?? hint}</p>`
  })
  return html`<form class="wrap config" method="post" action="/cart/items">
<input type="hidden" name="product" value="${product.slug}">
<div class="opts">
${product.image ? picture(product.image, 'shown') : null}
${message ? html`<div class="problem" role="alert">${icon('alert', 18)}<p>${message}</p></div>` : null}
<fieldset><legend>${texts.product.billing}</legend><div class="opt-list">${plans}</div></fieldset>
${locationChoice(visit, product, values.locationId)}
<fieldset><legend>${texts.product.name}</legend><label class="field"><span class="vh">${texts.product.name}</span><input name="name" value="${values.name ?? ''}" maxlength="100" autocomplete="off" placeholder="${product.name}" aria-describedby="name-hint"></label><p class="hint" id="name-hint">${texts.product.nameHint}</p></fieldset>
${fields.length > 0 ? html`<fieldset><legend>${texts.product.settings}</legend>${fields}</fieldset>` : null}
</div>
<aside class="sum" aria-label="${texts.product.summary}"><div class="sheet"><h2>${texts.product.summary}</h2>
<ul class="spec">${sizesOf(texts, product).map(({ value, label }) => html`<li><b>${value}</b> ${label}</li>`)}</ul>
${expected.map((text) => html`<p class="hint">${text}</p>`)}
${left ? html`<p class="hint">${left}</p>` : null}
<div class="go"><button class="button" type="submit">${texts.product.add}${icon('arrow', 18)}</button></div></div></aside>
</form>`
}

/** Where the server is to stand: of several locations the buyer chooses, a single one is only shown. */
function locationChoice(
  { texts }: Visit,
  { orderForm: { locations } }: OrderableProduct,
  chosen: string | undefined,
): Html | null {
  if (locations.length === 0) return null
  const own = texts.product
  const only = locations.length === 1
  const choices = locations.map(({ id, name, city, country, room }) => {
    const there = formatsOf(texts).country(country)
    const parts = [city, there].filter((it) => it !== null && it !== name)
    const small = parts.length > 0 ? html`<small>${parts.join(', ')}</small>` : null
    const checked = only || id === chosen
    const off = room === 'full' && !only
    return html`<label class="opt"><input type="radio" name="locationId" value="${id}" required${checked && !off ? html` checked` : null}${off ? html` disabled` : null}><span aria-hidden="true">${flagOf(country)}</span><span class="grow"><b>${name}</b>${small}</span><span class="r"><small>${own.room[room]}</small></span></label>`
  })
  return html`<fieldset><legend>${own.location}</legend><div class="opt-list">${choices}</div></fieldset>`
}

/** What a buyer can expect of a product that staff deliver: until when they have it, and from when on it counts. */
function expectedOf({ texts }: Visit, product: OrderableProduct): string[] {
  const { delivery, promiseHours, periodStarts, plans } = product
  if (delivery !== 'manual' || promiseHours === null) return []
  const recurs = plans.some(({ interval }) => interval !== 'one_time')
  const fromDelivery = recurs && periodStarts === 'delivery'
  const promise = texts.product.byHand(promiseHours)
  return fromDelivery ? [promise, texts.product.fromDelivery] : [promise]
}

function planChoice({ texts }: Visit, plan: Plan, checked: boolean): Html {
  const { money } = formatsOf(texts)
  const notes = [
    plan.trialDays > 0 ? texts.product.trial(plan.trialDays) : null,
    plan.setupFeeCents > 0 ? texts.product.setup(money(plan.setupFeeCents, plan.currency)) : null,
  ].filter((it) => it !== null)
  return html`<label class="opt"><input type="radio" name="plan" value="${plan.id}"${checked ? html` checked` : null}><span class="grow"><b>${plan.name}</b>${notes.length > 0 ? html`<small>${notes.join(' ')}</small>` : null}</span><span class="r"><b>${money(plan.totalCents, plan.currency)}</b><small>${intervalText(texts, plan)}</small></span></label>`
}
