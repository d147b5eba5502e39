import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { emblem } from '../parts/emblems.ts'
import { formatsOf } from '../parts/formats.ts'
import { storePage } from '../parts/frames.ts'
import { intervalText } from '../parts/intervals.ts'
import type { Visit } from '../visit.ts'
import { availabilityOf, isBlocked } from './availability.ts'
import { type ShownCart, soldAs } from './cart.ts'

/** The cart: what will be bought, with its prices for this visitor. */
export function cartPage(visit: Visit, cart: ShownCart, message: string | null): PageDocument {
  const { texts } = visit
  const own = texts.cartPage
  const empty = cart.items.length === 0
  const body = html`<div class="wrap pagehead"><h1 class="h">${empty ? own.empty : own.title}</h1>${empty ? html`<p class="lead">${own.emptyHint}${visit.session ? html` ${own.ordered} <a href="/orders">${own.orders}</a>.` : null}</p><p class="ctas"><a class="button" href="/#games">${texts.home.cta}</a></p>` : null}</div>
${message ? html`<div class="wrap"><div class="problem" role="alert">${icon('alert', 18)}<p>${message}</p></div></div>` : null}
${empty ? html`<div class="endgap"></div>` : filled(visit, cart)}`
  return storePage(visit, { title: own.title, body, indexed: false })
}

function filled(visit: Visit, cart: ShownCart): Html {
  const { texts } = visit
  const own = texts.cartPage
  const blocked = isBlocked(cart)
  const total = formatsOf(texts).money(cart.totalCents, cart.currency)
  return html`<div class="wrap config cart"><div class="items">${cart.items.map((item) => itemOf(visit, cart, item))}<p class="addmore"><a class="button plain" href="/#games">${own.another}</a></p></div>
<aside class="sum" aria-label="${texts.product.summary}"><div class="sheet">${totalsOf(visit, cart)}
${promoForm(visit, cart)}
${visit.session ? null : countryForm(visit)}
${blocked ? null : html`<div class="go"><span class="mini-total"><small>${own.total}</small><b>${total}</b></span><a class="button" href="/checkout">${own.checkout}${icon('arrow', 18)}</a></div>`}</div></aside></div>`
}

type Item = ShownCart['items'][number]

function itemOf(visit: Visit, { currency }: ShownCart, item: Item): Html {
  const { texts } = visit
  const own = texts.cartPage
  const { money } = formatsOf(texts)
  const then =
    item.interval === 'one_time' || !item.available
      ? null
      : html`<p>${own.thenEach(money(item.renewalCents, currency), intervalText(texts, item))}</p>`
  return html`<article class="item">${emblem({ slug: item.productSlug, name: item.productName }, 44)}<div class="grow"><h2>${item.name}</h2><p>${soldAs(item)}</p>${then}${availabilityOf(visit, item)}${item.faults.map(({ message }) => html`<p class="gone">${message}</p>`)}
<form class="acts count" method="post" action="/cart/items/quantity" data-auto><input type="hidden" name="id" value="${item.id}"><label><span class="vh">${texts.product.quantity}, ${item.name}</span><input type="number" name="quantity" value="${item.quantity}" min="1" max="100" step="1" inputmode="numeric" required></label><button>${own.update}</button></form><div class="acts"><a href="/cart/items/${item.id}" aria-label="${own.changeOf(item.name)}">${texts.change}</a><form method="post" action="/cart/items/remove"><input type="hidden" name="id" value="${item.id}"><button aria-label="${own.removeOf(item.name)}">${own.remove}</button></form></div></div><b>${money(item.totalCents, currency)}</b></article>`
}

/** The sums of a cart, line by line. */
export function totalsOf({ texts }: Visit, cart: ShownCart): Html {
  const own = texts.cartPage
  const { money, percent } = formatsOf(texts)
  const sum = (cents: number) => money(cents, cart.currency)
  const net = cart.totalCents - cart.taxCents
  const taxes = cart.taxes.map(({ category, rateBasisPoints, taxCents }) =>
    category === 'S' && rateBasisPoints !== null
      ? html`<div><dt>${own.tax(percent(rateBasisPoints))}</dt><dd>${sum(taxCents)}</dd></div>`
      : html`<div><dt>${category === 'AE' ? own.reverseCharge : own.noTax}</dt><dd>${sum(0)}</dd></div>`,
  )
  const discounts = cart.coupons
    .filter(({ discountCents }) => discountCents > 0)
    .map(
      ({ code, discountCents }) =>
        html`<div><dt>${own.discount(code)}</dt><dd>−${sum(discountCents)}</dd></div>`,
    )
  const subtotal =
    discounts.length > 0
      ? html`<div><dt>${own.subtotal}</dt><dd>${sum(cart.subtotalCents)}</dd></div>`
      : null
  return html`<dl class="first">${subtotal}${discounts}<div><dt>${own.net}</dt><dd>${sum(net)}</dd></div>${taxes}<div class="total"><dt>${own.total}</dt><dd>${sum(cart.totalCents)}</dd></div></dl>`
}

function promoForm({ texts }: Visit, { coupons, couponFault, couponTyped }: ShownCart): Html {
  const own = texts.cartPage
  const entered = coupons.map(
    ({ code }) =>
      html`<form class="acts chip" method="post" action="/cart/coupons/remove"><input type="hidden" name="code" value="${code}"><button aria-label="${own.removeOf(code)}">${code} ${icon('x', 14)}</button></form>`,
  )
  return html`${entered}<details class="promo"${couponFault ? html` open` : null}><summary>${own.promo}${icon('down', 16)}</summary>${couponFault ? html`<p class="problem" id="promo-error" role="alert">${couponFault}</p>` : null}<form class="promo-row" method="post" action="/cart/coupons"><input name="code" value="${(couponFault && couponTyped) || ''}" aria-label="${own.promo}"${couponFault ? html` aria-invalid="true" aria-describedby="promo-error"` : null} maxlength="50" autocomplete="off" required><button class="button plain">${own.apply}</button></form></details>`
}

function countryForm({ texts, country }: Visit): Html {
  const formats = formatsOf(texts)
  const options = formats
    .countries()
    .map(
      ({ code, name }) =>
        html`<option value="${code}"${code === country ? html` selected` : null}>${name}</option>`,
    )
  return html`<form class="promo-row" method="get" action="/cart"><label class="field"><span class="vh">${texts.cartPage.country}</span><select name="country">${country ? null : html`<option value="">${texts.cartPage.country}</option>`}${options}</select></label><button class="button plain">${texts.change}</button></form>`
}
