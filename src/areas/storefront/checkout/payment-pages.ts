import type { PaymentView } from '#billing'
import type { PageDocument } from '#platform/pages/document.ts'
import { html } from '#platform/pages/html.ts'
import { choices } from '../parts/fields.ts'
import { formatsOf } from '../parts/formats.ts'
import { quietPage } from '../parts/frames.ts'
import { icon } from '../parts/icons.ts'
import type { Visit } from '../visit.ts'
import type { CheckoutData } from './data.ts'
import { methodChoices } from './page.ts'

/**
 * Leads the browser to the provider's page. A redirect as the answer to the form would have to name every
 * provider in the content policy; a page that leads on does not, and works without scripts.
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

/** The payment is on its way: the page looks again by itself. */
export function waitPage(visit: Visit, again: string): PageDocument {
  const { back } = visit.texts
  return quietPage(visit, {
    ...{ title: back.waitTitle, main: 'narrow', again },
    body: html`<div class="ready" data-poll="${again}" data-step="wait" data-say="${back.waitTitle}" data-title="${back.waitTitle}"><span class="disc ring"></span><h1>${back.waitTitle}</h1><p>${back.waitLead}</p></div>`,
  })
}

type Failed = {
  readonly data: CheckoutData
  readonly invoice: { readonly id: string; readonly dueCents: number; readonly currency: string }
  readonly reason: string | null
}

/** The payment failed: why, and another way to pay the same order. */
export function failedPage(visit: Visit, { data, invoice, reason }: Failed): PageDocument {
  const { back, checkout } = visit.texts
  const { money } = formatsOf(visit.texts)
  const list = methodChoices(visit, data)
  return quietPage(visit, {
    ...{ title: back.failedTitle, main: 'narrow' },
    body: html`<div class="ready"><span class="disc">${icon('alert', 28)}</span><h1>${back.failedTitle}</h1><p>${reason ?? back.failedLead}</p>${reason ? html`<p>${back.failedLead}</p>` : null}</div>
<form method="post" action="/checkout/pay"><input type="hidden" name="invoice" value="${invoice.id}"><fieldset><legend class="sec"><h2>${back.again}</h2></legend>${choices('method', list, list[0]?.value ?? '')}</fieldset><p class="below"><button class="button full">${icon('lock', 17)}${list.length > 0 ? back.pay(money(invoice.dueCents, invoice.currency)) : checkout.noMethod}</button></p></form>`,
  })
}
