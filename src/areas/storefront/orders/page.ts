import type { PageDocument } from '#platform/pages/document.ts'
import { type Html, html } from '#platform/pages/html.ts'
import { icon } from '#platform/pages/icons.ts'
import type { Ways } from '../checkout/data.ts'
import { type DueInvoice, payForm } from '../checkout/payment-pages.ts'
import { formatsOf } from '../parts/formats.ts'
import { quietPage } from '../parts/frames.ts'
import type { Visit } from '../visit.ts'

export type Order = {
  readonly id: string
  readonly number: string
  readonly status: 'pending' | 'paid' | 'fulfilled' | 'canceled'
  readonly invoiceId: string
  readonly payable: boolean
  readonly heldUntil: string | null
  readonly note: string | null
  readonly paidAt: string | null
  readonly items: readonly { readonly serviceIds: readonly string[] }[]
}

export type Service = {
  readonly id: string
  readonly name: string
  readonly status: 'pending' | 'provisioning' | 'active' | 'suspended' | 'failed' | 'ended'
  readonly delivery: 'server' | 'manual' | 'webhook' | 'none'
  readonly handover: { readonly dueAt: string | null } | null
  readonly panel: { readonly address: string | null; readonly url: string } | null
  readonly createdAt: string
  readonly activatedAt: string | null
  readonly setup: {
    readonly paidAt: string | null
    readonly startedAt: string | null
    readonly serverCreatedAt: string | null
    readonly installStartedAt: string | null
    readonly installEndedAt: string | null
    readonly activatedAt: string | null
  }
}

/** What the page of an order shows; `due` is what is to be paid, and how, if it can be paid. */
export type OrderData = {
  readonly order: Order
  readonly services: readonly Service[]
  readonly due: { readonly invoice: DueInvoice; readonly ways: Ways } | null
}

const LATE_MS = 90_000

/**
 * An order and its servers while they are set up; the page updates itself until all are ready. Delivery by staff
 * takes days: the page does not wait for it.
 */
export function orderPage(visit: Visit, { order, services, due }: OrderData): PageDocument {
  const title = titleOf(visit, order, services)
  const path = `/orders/${order.id}`
  const waits = isWaiting(order, services)
  return quietPage(visit, {
    ...{ title, main: 'narrow', again: waits && !due ? path : null },
    body: html`${stateOf(visit, { order, services, due, title, path: waits ? path : null })}
<p class="sub mid below">${visit.texts.order.number} ${order.number}${order.status === 'pending' ? null : html` · <a href="/servers">${visit.texts.order.toServers}</a>`}</p>${noteOf(visit, order)}`,
  })
}

/** What the customer wrote to the shop with the order. */
function noteOf({ texts: { order: own } }: Visit, { note }: Order): Html | null {
  if (note === null) return null
  return html`<section class="sheet below"><h2 class="strong">${own.note}</h2><p class="sub lines">${note}</p></section>`
}

function isWaiting({ status }: Order, services: readonly Service[]): boolean {
  if (status === 'canceled') return false
  if (status === 'pending') return true
  return services.some((it) => {
    // Staff may retry what failed: the page shows it when they do.
    if (it.status === 'failed') return true
    if (it.status === 'provisioning') return it.delivery !== 'manual'
    return it.status === 'pending'
  })
}

function titleOf({ texts }: Visit, { status }: Order, services: readonly Service[]): string {
  const own = texts.order
  if (status === 'canceled') return own.canceledTitle
  if (status === 'pending') return own.pendingTitle
  const shown = services.find((it) => it.status !== 'active') ?? services[0]
  if (!shown) return own.pendingTitle
  if (shown.status === 'active' || shown.status === 'suspended') return own.readyTitle(shown.name)
  if (shown.status === 'failed') return own.failedTitle(shown.name)
  if (shown.status === 'ended') return own.endedTitle(shown.name)
  return isHandedOver(shown) ? own.byHandTitle(shown.name) : own.workingTitle(shown.name)
}

/** Whether staff or a system of the shop deliver a service. */
function isHandedOver({ delivery }: Service): boolean {
  return delivery === 'manual' || delivery === 'webhook'
}

type State = OrderData & {
  readonly title: string
  readonly path: string | null
}

function stateOf(visit: Visit, { order, services, due, title, path }: State): Html {
  const own = visit.texts.order
  const reached = (it: Service) => endsOf(order, it).filter((end) => end !== null).length
  const step = [
    order.status,
    order.payable,
    ...services.map((it) => `${it.status}${reached(it)}`),
  ].join(' ')
  const sub = subOf(visit, order, services)
  return html`<div${path ? html` data-poll="${path}"` : null} data-step="${step}" data-say="${title}" data-title="${title}">
<div class="ready"><h1>${title}</h1>${sub ? html`<p>${sub}</p>` : null}</div>
${due ? payForm(visit, { ...due, tried: null }) : services.map((service) => serviceCard(visit, order, service))}
${services.some(({ status, delivery }) => status === 'failed' && delivery === 'server') ? whatIsNext(visit) : null}
${order.status === 'pending' && !due ? html`<p class="sub mid below">${own.self}</p>` : null}</div>`
}

function subOf(visit: Visit, order: Order, services: readonly Service[]): string | null {
  const { texts, now } = visit
  const own = texts.order
  if (order.status === 'pending') return pendingLead(visit, order)
  if (order.status === 'canceled') return null
  const failed = services.find(({ status }) => status === 'failed')
  if (failed) return isHandedOver(failed) ? own.byHandFailed : own.failedLead
  if (!isWaiting(order, services)) {
    const byHand = services.some((it) => it.status === 'provisioning')
    return byHand ? own.byHandLead : null
  }
  if (services.every(isHandedOver)) return own.byHandLead
  const sinceMs = order.paidAt ? Date.parse(now) - Date.parse(order.paidAt) : 0
  return sinceMs > LATE_MS ? own.late : own.self
}

/** When an unpaid order is set up, and until when it is reserved. */
function pendingLead({ texts, now }: Visit, { heldUntil }: Order): string {
  const own = texts.order
  if (heldUntil === null || heldUntil <= now) return own.pendingLead
  return `${own.pendingLead} ${own.held(formatsOf(texts).time(heldUntil))}`
}

/** What the shop does about a server that could not be set up, and how its buyer reaches the shop. */
function whatIsNext({ texts, contactAddress }: Visit): Html {
  const own = texts.order
  const steps = own.nextSteps.map((it) => html`<li>${icon('check', 16)}<span>${it}</span></li>`)
  const write = contactAddress
    ? html`<a class="button plain" href="mailto:${contactAddress}">${own.write}</a>`
    : null
  return html`<section class="sheet stepsheet"><h2>${own.next}</h2><ul class="ticked">${steps}</ul><p class="acts"><a class="button" href="/servers">${own.toServers}</a>${write}</p></section>`
}

type StepState = 'done' | 'now' | 'todo' | 'bad'

function serviceCard(visit: Visit, order: Order, service: Service): Html {
  const own = visit.texts.order
  const { status } = service
  const isOn = status === 'active' || status === 'suspended'
  const facts = isOn ? addressOf(visit, service) : null
  const links = linksOf(visit, service)
  const failed = status === 'failed'
  const ends = endsOf(order, service)
  const reached = isOn ? ends.length : ends.findLastIndex((it) => it !== null) + 1
  const states = ends.map(
    (_, index): StepState =>
      index < reached ? 'done' : index > reached ? 'todo' : failed ? 'bad' : 'now',
  )
  const { names, hints } = stepsOf(visit, service)
  const steps = names.map((name, index) => {
    const state = states[index] ?? 'todo'
    const mark = state === 'done' ? icon('check', 15) : state === 'bad' ? icon('x', 15) : index + 1
    return html`<li class="${state}"><span class="mark">${mark}</span><span class="name">${name}<span class="vh"> ${own.states[state]}</span>${state === 'now' ? html`<span class="sub">${hints[index] ?? ''}</span>` : null}${state === 'bad' && own.failedAt[index] ? html`<span class="sub">${own.failedAt[index]}</span>` : null}</span>${service.delivery === 'manual' ? null : timeOf(visit, { ends, index, state })}</li>`
  })
  return html`<section class="sheet stepsheet"><h2>${service.name}</h2>${facts}<ol class="steps">${steps}</ol>${links}</section>`
}

/** The names of the steps to a service, and what happens in each. */
function stepsOf({ texts }: Visit, { delivery, handover }: Service) {
  const { steps, stepsWithoutServer, stepsByHand, stepsBySystem, hints, byHandUntil } = texts.order
  if (delivery === 'server') return { names: steps, hints }
  if (delivery === 'none') return { names: stepsWithoutServer, hints }
  if (delivery === 'webhook') return { names: stepsBySystem, hints: [hints[0] ?? ''] }
  const until = handover?.dueAt ? byHandUntil(formatsOf(texts).day(handover.dueAt)) : ''
  return { names: stepsByHand, hints: [hints[0] ?? '', until] }
}

/** When each step ended. Without reports of a daemon, the installation ends with the last step. */
function endsOf({ paidAt }: Order, { delivery, setup }: Service): readonly (string | null)[] {
  const { startedAt, serverCreatedAt, installEndedAt, activatedAt } = setup
  if (delivery !== 'server') return [paidAt ?? setup.paidAt, activatedAt]
  return [paidAt ?? setup.paidAt, startedAt, serverCreatedAt, installEndedAt, activatedAt]
}

type Step = {
  readonly ends: readonly (string | null)[]
  readonly index: number
  readonly state: StepState
}

/** How long a step took, or has taken so far: then the script counts on. */
function timeOf({ texts, now }: Visit, { ends, index, state }: Step): Html | null {
  const from = ends.slice(0, index).findLast((it) => it !== null)
  const to = state === 'now' ? now : state === 'done' ? ends[index] : null
  if (!from || !to) return null
  const ms = Math.max(0, Date.parse(to) - Date.parse(from))
  const counting = state === 'now' ? html` data-ms="${ms}"` : null
  return html`<span class="t"${counting}>${formatsOf(texts).duration(ms)}</span>`
}

function addressOf({ texts }: Visit, { panel }: Service): Html | null {
  if (!panel) return null
  const own = texts.order
  const address = panel.address
    ? html`<dl class="facts"><div><dt>${own.address}</dt><dd><span class="address">${panel.address}</span><button type="button" class="copy js-only" data-copy="${panel.address}" data-done="${texts.copied}" aria-label="${texts.copy}: ${panel.address}">${icon('copy', 15)}</button></dd></div></dl>`
    : null
  return address
}

/** Links from a service: to its screen in the customer area, and to its panel. */
function linksOf({ texts }: Visit, { id, status, delivery, panel }: Service): Html | null {
  const own = texts.order
  const isOn = status === 'active' || status === 'suspended'
  if (!isOn && status !== 'failed' && status !== 'ended') return null
  const label = delivery === 'server' ? own.openServer : own.openService
  const toPanel =
    isOn && panel
      ? html`<a class="button plain" href="${panel.url}" rel="noreferrer">${own.panel}</a>`
      : null
  return html`<p class="acts"><a class="button${isOn ? '' : ' plain'}" href="/servers/${id}">${label}${icon('arrow', 17)}</a>${toPanel}</p>`
}
