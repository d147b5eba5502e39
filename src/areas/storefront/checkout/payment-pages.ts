import type { PaymentView } from '#billing'
import type { PageDocument } from '#platform/pages/document.ts'
import { choices } from '#platform/pages/fields.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import { formatsOf } from '../parts/formats.ts'
import { quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'
import type { Ways } from './data.ts'
import { GATEWAY, methodChoices, SAVED } from './page.ts'

/**
 * Sends the browser to the provider's page. A redirect in response to the form would require every provider in
 * the content policy; a page that forwards does not, and works without scripts.
 */
export function handoverPage(visit: Visit, url: string): PageDocument {
  const { pay } = visit.texts
  return quietPage(visit, {
    ...{ title: pay.title, main: 'small' },
    head: html`<meta http-equiv="refresh" content="0;url=${url}">`,
    body: html`<div class="intro"><h1>${pay.title}</h1><p class="dim">${pay.lead}</p></div><p><a class="button full" href="${url}" rel="noreferrer">${pay.go}</a></p>`,
  })
}

/** What to transfer, and to which account. */
export function instructionsPage(
  visit: Visit,
  payment: PaymentView,
  { to, link }: { readonly to: string; readonly link: string },
): PageDocument {
  const { order, copied, copy } = visit.texts
  const { lines, reference } = payment.instructions ?? { lines: [], reference: '' }
  const rows = lines.map(
    ({ label, value }) =>
      html`<div><dt>${label}</dt><dd>${value}${value === reference ? html`<button type="button" class="copy js-only" data-copy="${value}" data-done="${copied}" aria-label="${copy}: ${value}">${icon('copy', 15)}</button>` : null}</dd></div>`,
  )
  return quietPage(visit, {
    ...{ title: order.pendingTitle, main: 'narrow' },
    body: html`<div class="ready"><h1>${order.pendingTitle}</h1><p>${order.pendingLead}</p></div><dl class="sheet facts">${rows}</dl><p class="mid below"><a href="${to}">${link}</a></p>`,
  })
}

/** The payment is in progress: the page checks its status by itself. */
export function waitPage(
  visit: Visit,
  { again, order }: { readonly again: string; readonly order: string | null },
): PageDocument {
  const { back } = visit.texts
  return quietPage(visit, {
    ...{ title: back.waitTitle, main: 'narrow', again },
    body: html`<div class="ready" data-poll="${again}" data-step="wait" data-say="${back.waitTitle}" data-title="${back.waitTitle}"><span class="disc ring"></span><h1>${back.waitTitle}</h1><p>${back.waitLead}</p></div>${orderLink(visit, order)}`,
  })
}

/** What is still due on an invoice. */
export type DueInvoice = {
  readonly id: string
  readonly dueCents: number
  readonly currency: string
}

type Paying = {
  readonly ways: Ways
  readonly invoice: DueInvoice
  /** The way of the last attempt, as `wayTried` returns it; null for none. */
  readonly tried: string | null
}

/** The ways to pay an invoice, with the pay button. The first one that did not fail is preselected. */
export function payForm(visit: Visit, { ways, invoice, tried }: Paying): Html {
  const { back, checkout } = visit.texts
  const list = methodChoices(visit, ways)
  if (list.length === 0) return html`<p class="below mid">${checkout.noMethod}</p>`
  const chosen = list.find(({ value }) => value !== tried) ?? list[0]
  const button = back.pay(formatsOf(visit.texts).money(invoice.dueCents, invoice.currency))
  const legend = tried ? back.again : checkout.payment
  return html`<form class="payform" method="post" action="/checkout/pay"><input type="hidden" name="invoice" value="${invoice.id}"><fieldset><legend class="sec"><h2>${legend}</h2></legend>${choices('method', list, chosen?.value ?? '')}</fieldset><p class="below"><button class="button full">${icon('lock', 17)}${button}</button></p></form>`
}

/** The way of a payment attempt, as the form names it. */
export function wayTried({
  paymentMethodId,
  gatewayId,
}: Pick<PaymentView, 'paymentMethodId' | 'gatewayId'>): string | null {
  if (paymentMethodId) return SAVED + paymentMethodId
  return gatewayId ? GATEWAY + gatewayId : null
}

type Failed = Paying & { readonly reason: string | null; readonly order: string | null }

/** The payment failed: why, and another way to pay the same order. */
export function failedPage(visit: Visit, { reason, order, ...paying }: Failed): PageDocument {
  const { back } = visit.texts
  return quietPage(visit, {
    ...{ title: back.failedTitle, main: 'narrow' },
    body: html`<div class="ready"><span class="disc bad">${icon('alert', 28)}</span><h1>${back.failedTitle}</h1><p>${reason ?? back.failedLead}</p>${reason ? html`<p>${back.failedLead}</p>` : null}</div>
${payForm(visit, paying)}${orderLink(visit, order)}`,
  })
}

type Open = Omit<Paying, 'tried'> & { readonly here: string; readonly order: string | null }

/**
 * The customer left the provider's page without paying: the same order can be paid now. If money still
 * arrives, the page moves on.
 */
export function unpaidPage(visit: Visit, { here, order, ...paying }: Open): PageDocument {
  const { back } = visit.texts
  return quietPage(visit, {
    ...{ title: back.openTitle, main: 'narrow' },
    body: html`<div data-poll="${here}" data-step="open"><div class="ready"><h1>${back.openTitle}</h1><p>${back.openLead}</p></div>
${payForm(visit, { ...paying, tried: null })}${orderLink(visit, order)}</div>`,
  })
}

function orderLink({ texts }: Visit, order: string | null): Html | null {
  return order === null
    ? null
    : html`<p class="mid below"><a href="${order}">${texts.back.toOrder}</a></p>`
}
