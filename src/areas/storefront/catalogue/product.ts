import { regionOf } from '#lib/languages.ts'
import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import type { OrderableProduct } from '#store'
import { emblem, picture } from '../parts/emblems.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { type Category, missingFrom, type Plan, type Product, pathOf } from './catalogue.ts'
import { addedSizes, OPTION_PREFIX, optionField, optionsToday } from './options.ts'
import { sizeChoice, sizesList } from './size-list.ts'
import { allSizesOf } from './sizes.ts'
import { breadcrumbs, offersOf } from './structured.ts'
import { VARIABLE_PREFIX, variableField } from './variables.ts'

/** What was typed into the order form and why it was refused, by the name of each field. */
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
  /** All sizes of its game, the product among them. */
  readonly sizes: readonly Product[]
  /** The item of the cart to change; without it, a new item is added. */
  readonly item?: string | undefined
}

/** One product with its order form: how it is billed, what it is called, what its egg asks for. */
export function productPage(
  visit: Visit,
  { product, category, sizes, item }: Shown,
  typed: TypedForm = NOTHING_TYPED,
): PageDocument {
  const { texts } = visit
  const crumb = category
    ? html`<a href="/${category.slug}">${category.name}</a> <span aria-hidden="true">/</span> `
    : null
  const body = html`<div class="wrap pagehead"><nav class="crumbs" aria-label="${texts.product.crumbs}"><a href="/#games">${texts.games}</a> <span aria-hidden="true">/</span> ${crumb}<span aria-current="page">${product.name}</span></nav>
<div class="ph">${emblem({ slug: category?.slug ?? product.slug, name: product.name, image: category?.image ?? null }, 72)}<div>${product.badge ? html`<span class="badge">${texts.product.badges[product.badge]}</span>` : null}<h1>${product.name}</h1>${product.description ? html`<p class="lead">${product.description}</p>` : null}</div></div></div>
${product.available ? orderForm(visit, { product, category, sizes, item, typed }) : instead(visit, { product, category, sizes })}`
  const canonical = pathOf(product, category)
  const trail: [string, string][] = category ? [[category.name, `/${category.slug}`]] : []
  return storePage(visit, {
    ...{ title: product.searchTitle ?? product.name, body, canonical },
    description: product.searchDescription ?? product.description,
    image: product.image ?? category?.image ?? null,
    structured: [
      offersOf(visit, product, canonical),
      breadcrumbs(visit, [...trail, [product.name, canonical]]),
    ],
  })
}

/** Why a product cannot be bought now, and what can. */
function instead(visit: Visit, { product, category, sizes }: Shown): Html {
  const { texts } = visit
  const others = sizes.filter(({ id, available }) => id !== product.id && available)
  const shown = product.image ? picture(product.image, 'shown') : null
  const ways =
    category && others.length > 0
      ? html`<h2>${texts.product.others}</h2>${sizesList(visit, category, others)}`
      : html`<p class="ctas"><a class="button plain" href="/#games">${texts.home.cta}</a></p>`
  return html`<section class="wrap block">${shown}<p class="lead" role="status">${missingFrom(texts, product)?.sentence ?? null}</p>${ways}</section>`
}

/** The order form of a product, with the other sizes of its game unless an item of the cart is changed. */
export function orderForm(
  visit: Visit,
  { product, category, sizes, item, typed }: Shown & { readonly typed: TypedForm },
): Html {
  const { texts } = visit
  const { values, errors } = typed
  const chosen = product.plans.find(({ id }) => id === values.plan) ?? product.plans[0]
  const plans = product.plans.map((plan) => planChoice(visit, plan, plan === chosen))
  const left =
    product.stock !== null && product.stock <= 5 ? texts.product.left(product.stock) : null
  const { room } = product
  // If there are several locations, each shows its own availability.
  const said = room && product.orderForm.locations.length === 0 ? texts.product.room[room] : null
  const expected = expectedOf(visit, product)
  const fields = product.orderForm.variables.map((variable) => {
    const id = VARIABLE_PREFIX + variable.env
    return variableField(visit, variable, { value: values[id], error: errors[id] })
  })
  const choices = product.orderForm.options.map((option) => {
    const id = OPTION_PREFIX + option.key
    return optionField(visit, product, option, { value: values[id], error: errors[id] })
  })
  const quantity = quantityIn(values.quantity)
  return html`<form class="wrap config" method="post" action="/cart/items" data-sum data-rate="${rateOf(product) ?? 0}" data-tag="${regionOf(texts.locale)}" data-currency="${chosen?.currency ?? ''}">
<input type="hidden" name="product" value="${product.slug}">${item === undefined ? null : html`<input type="hidden" name="item" value="${item}">`}
<div class="opts">
${category && item === undefined ? sizeChoice(visit, { category, sizes, chosen: product.id }) : null}
${product.image ? picture(product.image, 'shown') : null}
${problemsOf(visit, typed)}
<fieldset><legend>${texts.product.billing}</legend><div class="opt-list">${plans}</div></fieldset>
${locationChoice(visit, product, values.locationId)}
${choices}
<fieldset><legend>${texts.product.name}</legend><label class="field"><span class="vh">${texts.product.name}</span><input name="name" value="${values.name ?? ''}" maxlength="100" autocomplete="off" placeholder="${product.name}" aria-describedby="name-hint"></label><p class="hint" id="name-hint">${texts.product.nameHint}</p></fieldset>
<fieldset><legend>${texts.product.quantity}</legend><label class="field few"><span class="vh">${texts.product.quantity}</span><input type="number" name="quantity" value="${quantity}" min="1" max="${MOST_UNITS}" step="1" inputmode="numeric" required></label></fieldset>
${fields.length > 0 ? html`<fieldset><legend>${texts.product.settings}</legend>${fields}</fieldset>` : null}
</div>
<aside class="sum" aria-label="${texts.product.summary}"><div class="sheet"><h2>${texts.product.summary}</h2>
${specList(visit, product, values)}
${expected.map((text) => html`<p class="hint">${text}</p>`)}
${said ? html`<p class="hint">${said}</p>` : null}
${left ? html`<p class="hint">${left}</p>` : null}
${chosen ? todaySum(visit, { product, plan: chosen, values, quantity, isChange: item !== undefined }) : null}</div></aside>
</form>`
}

/** What the server has with the chosen options. The script updates it when they change. */
function specList({ texts }: Visit, product: OrderableProduct, values: TypedForm['values']): Html {
  const sizes = allSizesOf(texts, product, addedSizes(product.orderForm.options, values))
  const rows = sizes.map(({ name, own, count, per, unit, value, label, labelFor }) => {
    const labels = JSON.stringify(
      Object.fromEntries(COUNTS.map(([category, shown]) => [category, labelFor(shown)])),
    )
    return html`<li data-size="${name}" data-own="${own}" data-per="${per}" data-unit="${unit ?? ''}" data-labels="${labels}"${count > 0 ? null : html` hidden`}><b>${value}</b> <span>${label}</span></li>`
  })
  return html`<ul class="spec" data-spec>${rows}</ul>`
}

/** A number for each plural category of our languages. */
const COUNTS = [
  ['one', 1],
  ['few', 2],
  ['many', 5],
  ['other', 5],
] as const

/** The location of the server: the buyer chooses one of several, a single one is only shown. */
function locationChoice(
  { texts }: Visit,
  { orderForm: { locations }, plans }: OrderableProduct,
  chosen: string | undefined,
): Html | null {
  if (locations.length === 0) return null
  const own = texts.product
  const only = locations.length === 1
  const choices = locations.map(({ id, name, city, country, room, prices }) => {
    const there = formatsOf(texts).country(country)
    const surcharge = surchargeText(texts, plans, prices)
    const extra = surcharge ? html` data-extra="${JSON.stringify(extrasOf(plans, prices))}"` : null
    const parts = [city, there, surcharge].filter((it) => it !== null && it !== name)
    const small = parts.length > 0 ? html`<small>${parts.join(', ')}</small>` : null
    const checked = only || id === chosen
    const off = room === 'full' && !only
    return html`<label class="opt"><input type="radio" name="locationId" value="${id}" required${extra}${checked && !off ? html` checked` : null}${off ? html` disabled` : null}><span class="cc" aria-hidden="true">${country}</span><span class="grow"><b>${name}</b>${small}</span><span class="r"><small>${own.room[room]}</small></span></label>`
  })
  return html`<fieldset><legend>${own.location}</legend><div class="opt-list">${choices}</div></fieldset>`
}

/** What a surcharge of a location costs with tax for a plan; null if the location is not sold with the plan. */
function surchargeWith(plan: Plan, prices: Surcharges) {
  const { interval, intervalCount, currency, priceCents, totalCents } = plan
  const found = prices.find(
    (it) =>
      it.interval === interval && it.intervalCount === intervalCount && it.currency === currency,
  )
  if (!found) return null
  // Taxed like the plan: with the rate of its product, or without a tax that this visitor does not pay.
  const taxed = (cents: number) =>
    priceCents > 0 ? Math.round((cents * totalCents) / priceCents) : cents
  return { period: taxed(found.priceCents), fee: taxed(found.feeCents) }
}

/** What a location adds today, by plan: to a single unit, and to each unit if there are several. */
function extrasOf(plans: readonly Plan[], prices: Surcharges) {
  return Object.fromEntries(
    plans.flatMap((plan) => {
      const surcharge = surchargeWith(plan, prices)
      if (!surcharge) return []
      const each = (plan.interval === 'hour' ? 0 : surcharge.period) + surcharge.fee
      return [[plan.id, [plan.trialDays > 0 ? 0 : each, each]]]
    }),
  )
}

/** What a location costs in addition to each plan of its product; null if it costs nothing. */
function surchargeText(
  texts: Visit['texts'],
  plans: readonly Plan[],
  prices: Surcharges,
): string | null {
  const { money } = formatsOf(texts)
  const said = plans.flatMap((plan) => {
    const { period = 0, fee = 0 } = surchargeWith(plan, prices) ?? {}
    const each = `+${money(period, plan.currency)} ${intervalText(texts, plan)}`
    const setup = texts.product.setup(money(fee, plan.currency))
    return [...(period > 0 ? [each] : []), ...(fee > 0 ? [setup] : [])]
  })
  return said.length > 0 ? [...new Set(said)].join(' · ') : null
}

type Surcharges = OrderableProduct['orderForm']['locations'][number]['prices']

/** What to expect of a product that staff deliver: when it is delivered, and whether its period starts with that. */
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

/** The quantity in a form; 1 unless it contains another valid one. */
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

/** The rate of the VAT that prices contain, in basis points; null if there is none. */
function rateOf({ tax }: OrderableProduct): number | null {
  return tax.category === 'S' ? tax.rateBasisPoints : null
}

/**
 * What one unit of a plan costs today with tax, as a single unit and as one of several: a trial, which is for a single
 * unit, begins for free; a plan billed by the hour costs only its setup.
 */
function unitToday({ interval, trialDays, totalCents, setupTotalCents }: Plan) {
  const each = (interval === 'hour' ? 0 : totalCents) + setupTotalCents
  return { one: trialDays > 0 ? 0 : each, each }
}

type Sum = {
  readonly product: OrderableProduct
  readonly plan: Plan
  readonly values: TypedForm['values']
  readonly quantity: number
  readonly isChange: boolean
}

/** What is due today for the chosen plan and options, and the buttons. The script recalculates it after each choice. */
function todaySum({ texts }: Visit, { product, plan, values, quantity, isChange }: Sum): Html {
  const { cartPage: own, product: words } = texts
  const { money, percent } = formatsOf(texts)
  const rate = rateOf(product)
  const { one, each } = unitToday(plan)
  const { locations, options } = product.orderForm
  const chosen = locations.find(({ id }) => id === values.locationId)
  const there = locations.length === 1 ? locations[0] : chosen
  const [extraOne = 0, extraEach = 0] = (there && extrasOf([plan], there.prices)[plan.id]) ?? []
  const [optionsOne, optionsEach] = optionsToday(options, plan, values)
  const total =
    quantity === 1 ? one + extraOne + optionsOne : (each + extraEach + optionsEach) * quantity
  const net = Math.round((total * 10_000) / (10_000 + (rate ?? 0)))
  const sum = (cents: number) => money(cents, plan.currency)
  const row = (label: string, name: string, cents: number) =>
    html`<div><dt>${label}</dt><dd data-show="${name}">${sum(cents)}</dd></div>`
  const taxed = rate === null ? own.noTax : own.tax(percent(rate))
  // The first button is that of the Enter key.
  const buttons = isChange
    ? html`<button class="button">${own.saveChange}${icon('arrow', 18)}</button></div>`
    : html`<button class="button" name="to" value="checkout">${own.checkout}${icon('arrow', 18)}</button></div>
<button class="button plain addcart">${words.add}</button>`
  return html`<dl class="today">${row(own.net, 'net', net)}${row(taxed, 'tax', total - net)}<div class="total"><dt>${own.total}</dt><dd data-show="total">${sum(total)}</dd></div></dl>
<div class="go"><span class="mini-total"><small>${own.total}</small><b data-show="total">${sum(total)}</b></span>${buttons}`
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
