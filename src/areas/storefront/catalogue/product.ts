import { regionOf } from '#lib/languages.ts'
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
import { VARIABLE_PREFIX, variableField } from './variables.ts'

/** What was typed into the order form and why it was not taken, by the name of each field. */
export type TypedForm = {
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
  readonly message: string | null
}

export const NOTHING_TYPED: TypedForm = { values: {}, errors: {}, message: null }

/** A product as its page shows it. */
export type Shown = {
  readonly product: OrderableProduct
  readonly category: Category | null
  /** The item of the cart that is changed; without one, a new one is added. */
  readonly item?: string
}

/** One product with its order form: how it is billed, what it is called, what its egg asks for. */
export function productPage(
  visit: Visit,
  { product, category, item }: Shown,
  typed: TypedForm = NOTHING_TYPED,
): PageDocument {
  const { texts } = visit
  const crumb = category
    ? html`<a href="/${category.slug}">${category.name}</a> <span aria-hidden="true">/</span> `
    : null
  const sold = isSoldOut(product)
  const body = html`<div class="wrap pagehead"><nav class="crumbs" aria-label="${texts.product.crumbs}"><a href="/#games">${texts.games}</a> <span aria-hidden="true">/</span> ${crumb}<span aria-current="page">${product.name}</span></nav>
<div class="ph">${emblem({ slug: category?.slug ?? product.slug, name: product.name, image: category?.image ?? null }, 72)}<div><h1>${product.name}</h1>${product.description ? html`<p class="lead">${product.description}</p>` : null}</div></div></div>
${sold ? html`<section class="wrap block">${product.image ? picture(product.image, 'shown') : null}<p class="lead">${texts.product.soldOut}</p></section>` : orderForm(visit, { product, item, typed })}`
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

type Form = {
  readonly product: OrderableProduct
  readonly item: string | undefined
  readonly typed: TypedForm
}

function orderForm(visit: Visit, { product, item, typed }: Form): Html {
  const { texts } = visit
  const { values, errors } = typed
  const chosen = product.plans.find(({ id }) => id === values.plan) ?? product.plans[0]
  const plans = product.plans.map((plan) => planChoice(visit, plan, plan === chosen))
  const left =
    product.stock !== null && product.stock <= 5 ? texts.product.left(product.stock) : null
  const expected = expectedOf(visit, product)
  const fields = product.orderForm.variables.map((variable) => {
    const id = VARIABLE_PREFIX + variable.env
    return variableField(visit, variable, { value: values[id], error: errors[id] })
  })
  const quantity = quantityIn(values.quantity)
  return html`<form class="wrap config" method="post" action="/cart/items" data-sum data-rate="${rateOf(product) ?? 0}" data-tag="${regionOf(texts.locale)}" data-currency="${chosen?.currency ?? ''}">
<input type="hidden" name="product" value="${product.slug}">${item === undefined ? null : html`<input type="hidden" name="item" value="${item}">`}
<div class="opts">
${product.image ? picture(product.image, 'shown') : null}
${problemsOf(visit, typed)}
<fieldset><legend>${texts.product.billing}</legend><div class="opt-list">${plans}</div></fieldset>
${locationChoice(visit, product, values.locationId)}
<fieldset><legend>${texts.product.name}</legend><label class="field"><span class="vh">${texts.product.name}</span><input name="name" value="${values.name ?? ''}" maxlength="100" autocomplete="off" placeholder="${product.name}" aria-describedby="name-hint"></label><p class="hint" id="name-hint">${texts.product.nameHint}</p></fieldset>
<fieldset><legend>${texts.product.quantity}</legend><label class="field few"><span class="vh">${texts.product.quantity}</span><input type="number" name="quantity" value="${quantity}" min="1" max="${MOST_UNITS}" step="1" inputmode="numeric" required></label></fieldset>
${fields.length > 0 ? html`<fieldset><legend>${texts.product.settings}</legend>${fields}</fieldset>` : null}
</div>
<aside class="sum" aria-label="${texts.product.summary}"><div class="sheet"><h2>${texts.product.summary}</h2>
<ul class="spec">${sizesOf(texts, product).map(({ value, label }) => html`<li><b>${value}</b> ${label}</li>`)}</ul>
${expected.map((text) => html`<p class="hint">${text}</p>`)}
${left ? html`<p class="hint">${left}</p>` : null}
${chosen ? todaySum(visit, { product, plan: chosen, quantity, isChange: item !== undefined }) : null}</div></aside>
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

/** The most units of one item that the form offers; the shop may allow fewer in an order. */
const MOST_UNITS = 100

/** The quantity in a form; one unless it says another that can be ordered. */
export function quantityIn(text: string | undefined): number {
  const quantity = Number(text ?? 1)
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= MOST_UNITS ? quantity : 1
}

function problemsOf({ texts }: Visit, { errors, message }: TypedForm): Html | null {
  const list = Object.entries(errors)
  if (list.length === 0 && message === null) return null
  const links = list.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)
  const said = message ?? texts.errors(list.length)
  return html`<div class="problem" id="errors" tabindex="-1" role="alert">${icon('alert', 18)}<div><p>${said}</p>${list.length > 0 ? html`<ul>${links}</ul>` : null}</div></div>`
}

/** The rate of the VAT that prices contain, in basis points; null where there is none. */
function rateOf({ tax }: OrderableProduct): number | null {
  return tax.category === 'S' ? tax.rateBasisPoints : null
}

/**
 * What one unit of a plan costs today with tax, when it is one and when there are several: a trial, which is for
 * one unit, begins for nothing; what is billed by the hour costs its setup.
 */
function unitToday({ interval, trialDays, totalCents, setupTotalCents }: Plan) {
  const each = (interval === 'hour' ? 0 : totalCents) + setupTotalCents
  return { one: trialDays > 0 ? 0 : each, each }
}

type Sum = {
  readonly product: OrderableProduct
  readonly plan: Plan
  readonly quantity: number
  readonly isChange: boolean
}

/** What is due today for what is chosen, and the button. The script works it out anew when something is chosen. */
function todaySum({ texts }: Visit, { product, plan, quantity, isChange }: Sum): Html {
  const { cartPage: own, product: words } = texts
  const { money, percent } = formatsOf(texts)
  const rate = rateOf(product)
  const { one, each } = unitToday(plan)
  const total = quantity === 1 ? one : each * quantity
  const net = Math.round((total * 10_000) / (10_000 + (rate ?? 0)))
  const sum = (cents: number) => money(cents, plan.currency)
  const row = (label: string, name: string, cents: number) =>
    html`<div><dt>${label}</dt><dd data-show="${name}">${sum(cents)}</dd></div>`
  const taxed = rate === null ? own.noTax : own.tax(percent(rate))
  return html`<dl class="today">${row(own.net, 'net', net)}${row(taxed, 'tax', total - net)}<div class="total"><dt>${own.total}</dt><dd data-show="total">${sum(total)}</dd></div></dl>
<div class="go"><span class="mini-total"><small>${own.total}</small><b data-show="total">${sum(total)}</b></span><button class="button" type="submit">${isChange ? own.saveChange : words.add}${icon('arrow', 18)}</button></div>`
}

function planChoice({ texts }: Visit, plan: Plan, checked: boolean): Html {
  const { money } = formatsOf(texts)
  const { one, each } = unitToday(plan)
  const notes = [
    plan.trialDays > 0 ? texts.product.trial(plan.trialDays) : null,
    plan.setupFeeCents > 0 ? texts.product.setup(money(plan.setupTotalCents, plan.currency)) : null,
  ].filter((it) => it !== null)
  return html`<label class="opt"><input type="radio" name="plan" value="${plan.id}" data-one="${one}" data-each="${each}"${checked ? html` checked` : null}><span class="grow"><b>${plan.name}</b>${notes.length > 0 ? html`<small>${notes.join(' ')}</small>` : null}</span><span class="r"><b>${money(plan.totalCents, plan.currency)}</b><small>${intervalText(texts, plan)}</small></span></label>`
}
