import { newId } from '#lib/id.ts'
import { consentTexts } from '#notifications'
import { NOTE_LENGTH } from '#orders'
import type { PageDocument } from '#platform/pages/document.ts'
import { choices, field, type NoticeTone, noteField, notice } from '#platform/pages/fields.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { type IconName, icon } from '#platform/pages/icons.ts'
import { addressFields, companyFields, countryChoice, termsTick } from '../accounts/fields.ts'
import { availabilityText } from '../cart/availability.ts'
import { soldAs } from '../cart/cart.ts'
import { brandName } from '../parts/brands.ts'
import { emblem } from '../parts/emblems.ts'
import { formatsOf } from '../parts/formats.ts'
import { quietPage } from '../parts/frames.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import type { CheckoutData, Method, Ways } from './data.ts'

export const SAVED = 'method:'
export const GATEWAY = 'gateway:'

/** What was typed, and what was refused of it. */
export type TypedCheckout = {
  readonly values: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
  readonly message: string | null
  /** Whether the message is about what is in the cart, which can be changed there. */
  readonly inCart?: boolean
  /** The tone of the message; without it, the message is a refusal. */
  readonly tone?: 'attention'
}

export const NOTHING_TYPED: TypedCheckout = { values: {}, errors: {}, message: null }

/** One page from the cart to the payment: who buys, where they live, how they pay. */
export function checkoutPage(
  visit: Visit,
  data: CheckoutData,
  { values, errors, message, tone, inCart = false }: TypedCheckout = NOTHING_TYPED,
): PageDocument {
  const { texts } = visit
  const own = texts.checkout
  const { money } = formatsOf(texts)
  const { cart, me } = data
  const total = money(cart.totalCents, cart.currency)
  const isBinding = cart.items.some((it) => it.interval !== 'one_time' && it.renewalCents > 0)
  // EU law requires these words if a payment follows, also after a trial.
  const order = isBinding ? own.orderBinding : own.order
  const buys = cart.totalCents > 0 ? own.pay(total) : order
  const button = data.confirmsFirst ? own.continue : buys
  const known: Record<string, string> = {
    line1: me?.address?.line1 ?? '',
    postcode: me?.address?.postcode ?? '',
    city: me?.address?.city ?? '',
    country: me?.address?.country ?? me?.country ?? visit.country ?? data.shopCountry,
    company: me?.company ?? '',
    vatNumber: me?.vatNumber ?? '',
    phone: me?.phone ?? '',
    ...values,
  }
  const [first] = cart.items
  const more = cart.items.length > 1 ? ` + ${cart.items.length - 1}` : ''
  const brief = first
    ? html`<a class="brief sheet" href="#summary">${emblem({ slug: first.productSlug, name: first.productName }, 36)}<span class="grow"><span class="strong">${first.name}${more}</span><span class="sub block">${soldAs(first)}</span></span><span class="r"><b id="brief-total" data-live>${total}</b></span></a>`
    : null
  const body = html`<h1 class="title">${own.title}</h1>${brief}
${problemsOf(visit, { errors, message, tone: tone ?? 'failed', inCart })}
<form class="checkout" method="post" action="/checkout" novalidate data-check="/checkout/check">
<button class="vh" tabindex="-1" aria-hidden="true" id="pay-first" data-live>${button}</button>
<input type="hidden" name="intent" value="${values.intent ?? newId()}"><input type="hidden" id="seen" name="seen" value="${seenOf(data)}" data-live><input type="hidden" name="account" value="${me?.id ?? ''}">
<div>${me ? whoIs(visit, me) : whoBuys(visit, data, known, errors)}
<section><div class="sec"><h2>${own.address}</h2></div><div class="sheet grid">
${addressFields(visit, known, errors)}
${countryChoice(visit, known.country ?? '')}
${companyFields(visit, known, vatErrors(visit, data, errors), vatHint(visit, data))}
</div></section>
${payment(visit, data, known)}
${noteToShop(visit, known.note ?? '')}</div>
<aside class="summary sheet" id="summary" aria-label="${own.summary}"><div id="what" data-live>${cart.items.map((item) => html`<div class="row top">${emblem({ slug: item.productSlug, name: item.productName }, 44)}<div class="grow"><span class="strong">${item.name}</span><p class="sub">${soldAs(item)}${item.interval === 'one_time' ? '' : html`<br>${texts.cartPage.thenEach(money(item.renewalCents, cart.currency), intervalText(texts, item))}`}</p>${roomOf(visit, item)}</div></div>`)}</div>
<p class="editcart"><a class="sub brandlink" href="/cart">${own.edit}</a></p><hr>${promo(visit, data, values.code ?? '', errors.code)}<hr>${summary(visit, data)}
<div class="consent"><label class="tick"><input type="checkbox" id="immediateStart" name="immediateStart" value="1"${known.immediateStart ? html` checked` : null}${errors.immediateStart ? html` aria-invalid="true" aria-describedby="start-error"` : null}><span class="sub" lang="${me?.locale ?? texts.locale}">${consentTexts(me?.locale ?? texts.locale).immediateStart}</span></label>${errors.immediateStart ? html`<p class="err" id="start-error">${errors.immediateStart}</p>` : null}</div>
${termsTick(visit, known, errors)}
<button class="button full paynow" id="pay-summary" data-live>${icon('lock', 17)}${button}</button></aside>
<div class="paybar" id="paybar" data-live><span class="bar-total">${texts.cartPage.total}<b>${total}</b></span><button class="button">${icon('lock', 17)}${button}</button></div></form>`
  return quietPage(visit, {
    ...{ title: own.title, body, htmlClass: 'has-bar' },
    end: html`<span class="sub">${own.secure}</span>`,
  })
}

function roomOf(visit: Visit, item: CheckoutData['cart']['items'][number]): Html | null {
  const text = availabilityText(visit, item)
  if (text === null) return null
  return html`<p class="${item.room === 'full' ? 'err' : 'sub'}">${text}</p>`
}

/** The errors of the VAT number so far, in addition to those of the refused form. */
function vatErrors(
  { texts }: Visit,
  { cart: { vat } }: CheckoutData,
  errors: TypedCheckout['errors'],
): TypedCheckout['errors'] {
  const wrong = vat?.status === 'invalid' ? texts.checkout.vatUnknown : (vat?.message ?? null)
  return wrong === null ? errors : { vatNumber: wrong, ...errors }
}

/** The result of the check of the VAT number so far. */
function vatHint({ texts: { checkout: own } }: Visit, { cart: { vat } }: CheckoutData): string {
  if (vat?.status === 'valid') return own.vatValid
  return vat?.status === 'unavailable' ? own.vatLater : own.vatHint
}

/** What the buyer saw: if it changes before they pay, they have to confirm again. */
export function seenOf({ cart }: Pick<CheckoutData, 'cart'>): string {
  return `${cart.totalCents} ${cart.currency}`
}

function problemsOf(
  { texts }: Visit,
  {
    errors,
    message,
    tone,
    inCart,
  }: Pick<TypedCheckout, 'errors' | 'message'> & { tone: NoticeTone; inCart: boolean },
): Html | null {
  const list = Object.entries(errors)
  if (list.length === 0) {
    const way = inCart ? html`<p><a href="/cart">${texts.checkout.toCart}</a></p>` : null
    return message ? notice({ tone, title: message, body: way }) : null
  }
  const links = list.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)
  return notice({
    ...{ tone: 'failed', title: texts.errors(list.length) },
    body: html`<p>${texts.errorsHint}</p><ul>${links}</ul>`,
  })
}

function whoIs({ texts }: Visit, { name, email }: { name: string; email: string }): Html {
  const own = texts.checkout
  return html`<section><div class="sec"><h2>${own.account}</h2></div><div class="sheet row"><span class="grow"><span class="strong">${name}</span><span class="sub">${email}</span></span></div></section>`
}

function whoBuys(
  { texts }: Visit,
  { confirmsFirst }: CheckoutData,
  values: Record<string, string>,
  errors: TypedCheckout['errors'],
): Html {
  const { checkout: own, account } = texts
  return html`<section><div class="sec"><h2>${own.account}</h2><p class="sub">${own.haveAccount} <a href="/sign-in?next=/checkout">${texts.signIn}</a></p></div><div class="sheet grid">
${field({ id: 'name', label: account.name, autocomplete: 'name', value: values.name ?? '', error: errors.name, className: 'all' })}
${field({ id: 'email', label: account.email, type: 'email', autocomplete: 'username', value: values.email ?? '', maxLength: 254, error: errors.email })}
${field({ id: 'password', label: account.password, type: 'password', autocomplete: 'new-password', hint: account.passwordHint, error: errors.password })}${confirmsFirst ? html`<p class="sub all">${own.confirmFirst}</p>` : null}</div></section>`
}

function payment(visit: Visit, data: CheckoutData, values: Record<string, string>): Html | null {
  const own = visit.texts.checkout
  if (data.cart.totalCents === 0 && data.gateways.length === 0) return null
  const credit =
    data.creditCents > 0
      ? html`<div class="sheet creditbox"><label class="tick"><input type="checkbox" name="useCredits" value="1"${values.useCredits ? html` checked` : null}><span>${own.useCredit(formatsOf(visit.texts).money(data.creditCents, data.cart.currency))}</span></label></div>`
      : null
  const list = methodChoices(visit, data)
  const chosen = values.method ?? list[0]?.value ?? ''
  const ways = list.length > 0 ? choices('method', list, chosen) : html`<p>${own.noMethod}</p>`
  return html`<section><fieldset><legend class="sec"><h2>${own.payment}</h2></legend>${ways}</fieldset>${credit}</section>`
}

/** Saved methods first, the default one before the others; then the gateways for a new one. */
export function methodChoices({ texts }: Visit, { methods, gateways }: Ways) {
  const saved = [...methods].sort((one, other) => Number(other.default) - Number(one.default))
  return [
    ...saved.map((method) => ({
      value: SAVED + method.id,
      title: nameOf(texts.checkout.saved, method),
      sign: SIGNS[method.kind] ?? 'card',
    })),
    ...gateways.map(({ id, name, icon: sign }) => ({ value: GATEWAY + id, title: name, sign })),
  ]
}

/** The icons of saved methods that are no cards, by their kind. */
const SIGNS: Readonly<Record<string, IconName>> = {
  ...{ sepa_debit: 'bank', bank_transfer: 'bank', paypal: 'wallet' },
}

function nameOf(
  saved: (brand: string, last4: string) => string,
  { brand, last4, label, kind }: Method,
): string {
  return last4 ? saved(brandName(brand ?? kind), last4) : (label ?? kind)
}

/** A field for a note to the shop; open if there is one already. */
function noteToShop({ texts: { checkout: own } }: Visit, value: string): Html {
  return html`<details class="promo below"${value ? html` open` : null}><summary>${own.addNote}${icon('down', 16)}</summary>${noteField({ id: 'note', label: own.note, value, maxLength: NOTE_LENGTH })}</details>`
}

/** The coupons of the cart, and a field for another one: its buttons send the whole form, so that it stays as it is. */
function promo({ texts }: Visit, { cart }: CheckoutData, typed: string, error?: string): Html {
  const own = texts.cartPage
  const to = html`formaction="/checkout/coupons" formnovalidate`
  const entered = cart.coupons.map(
    ({ code }) =>
      html`<button class="chip" name="remove" value="${code}" ${to} aria-label="${own.removeOf(code)}">${code} ${icon('x', 14)}</button>`,
  )
  return html`<div id="promo" data-live>${entered}<details class="promo"${error ? html` open` : null}><summary>${own.promo}${icon('down', 16)}</summary><div class="row"><input class="input grow" id="code" name="code" value="${error ? typed : ''}" aria-label="${own.promo}"${error ? html` aria-invalid="true" aria-describedby="code-error"` : null} maxlength="50" autocomplete="off"><button class="button plain" ${to}>${own.apply}</button></div>${error ? html`<p class="err" id="code-error">${error}</p>` : null}</details></div>`
}

function summary({ texts }: Visit, { cart }: CheckoutData): Html {
  const own = texts.cartPage
  const { money, percent } = formatsOf(texts)
  const sum = (cents: number) => money(cents, cart.currency)
  const line = (label: string, value: string) =>
    html`<div class="line"><dt>${label}</dt><dd>${value}</dd></div>`
  return html`<dl id="sums" data-live>${cart.discountCents > 0 ? line(own.subtotal, sum(cart.subtotalCents)) : null}${cart.coupons.filter(({ discountCents }) => discountCents > 0).map(({ code, discountCents }) => line(own.discount(code), `−${sum(discountCents)}`))}
${line(own.net, sum(cart.totalCents - cart.taxCents))}${cart.taxes.map(({ category, rateBasisPoints, taxCents }) => line(category === 'S' && rateBasisPoints !== null ? own.tax(percent(rateBasisPoints)) : category === 'AE' ? own.reverseCharge : own.noTax, sum(taxCents)))}
<div class="line total"><dt>${own.total}</dt><dd>${sum(cart.totalCents)}</dd></div></dl>`
}
