import type { PageDocument } from '#platform/pages/document.ts'
import { choices, notice } from '#platform/pages/fields.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import type { Ways } from '../checkout/data.ts'
import { formatsOf } from '../parts/formats.ts'
import { messagePage, quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'

/** The invoice of a payment link, as the API returns it. */
export type PaymentLink = {
  readonly number: string | null
  readonly status: 'open' | 'processing' | 'paid' | 'over'
  readonly totalCents: number
  readonly dueCents: number
  readonly currency: string
  readonly dueAt: string | null
}

type Shown = {
  readonly link: PaymentLink
  readonly path: string
  readonly gateways: Ways['gateways']
  /** Why the last payment failed. */
  readonly fault?: string | null
}

/** The payment page of one invoice, or a notice that nothing is left to pay. */
export function payPage(visit: Visit, { link, path, gateways, fault = null }: Shown): PageDocument {
  const own = visit.texts.payPage
  const { money } = formatsOf(visit.texts)
  const title = link.number ? own.title(link.number) : own.untitled
  const amount = link.status === 'open' ? link.dueCents : link.totalCents
  const said = {
    open: { title, lead: own.lead(visit.look.shop) },
    processing: { title: own.processingTitle, lead: own.processingLead },
    paid: { title: own.paidTitle, lead: own.paidLead },
    over: { title: own.overTitle, lead: own.overLead },
  }[link.status]
  const shown = quietPage(visit, {
    ...{ title: said.title, main: 'narrow' },
    body: html`${fault ? notice({ tone: 'failed', title: fault }) : null}<div class="ready">${link.status === 'paid' ? html`<span class="disc ok">${icon('check', 28)}</span>` : null}<h1>${said.title}</h1><p>${said.lead}</p></div>
${factsOf(visit, link, money(amount, link.currency))}
${link.status === 'open' ? form(visit, { link, path, gateways }) : null}`,
  })
  return { ...shown, headers: { ...shown.headers, 'cache-control': 'no-store' } }
}

/** The invoice of the link was settled long ago. */
export function expiredPage(visit: Visit): PageDocument {
  const { payPage: own, account } = visit.texts
  return messagePage(visit, {
    title: own.overTitle,
    lead: own.expiredLead,
    ...{ to: '/invoices', link: account.submit },
  })
}

function factsOf({ texts }: Visit, { number, status, dueAt }: PaymentLink, amount: string): Html {
  const own = texts.payPage
  const row = (name: string, value: string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const due = status === 'open' && dueAt ? row(own.due, formatsOf(texts).day(dueAt)) : null
  return html`<dl class="sheet facts">${number ? row(own.invoice, number) : null}${row(own.amount, amount)}${due}</dl>`
}

function form({ texts }: Visit, { link, path, gateways }: Omit<Shown, 'fault'>): Html {
  const { checkout, back } = texts
  const ways = gateways.map(({ id, name, icon: sign }) => ({ value: id, title: name, sign }))
  if (ways.length === 0) return html`<p class="below">${checkout.noMethod}</p>`
  const button = back.pay(formatsOf(texts).money(link.dueCents, link.currency))
  return html`<form class="below" method="post" action="${path}"><fieldset><legend class="sec"><h2>${checkout.payment}</h2></legend>${choices('gateway', ways, ways[0]?.value ?? '')}</fieldset><p class="below"><button class="button full">${icon('lock', 17)}${button}</button></p></form>`
}
