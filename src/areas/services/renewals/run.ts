import type { InvoiceRow } from '#billing'
import { boundary, type LeadTimes } from '#lib/periods.ts'
import { Problem } from '#lib/problem.ts'
import { dayOf, HOUR_MS, type Instant, later } from '#lib/time.ts'
import { notify, notifyAdmins } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { findPlan } from '#store'
import { lockService, type ServiceKey, type ServiceRow, updateService } from '../queries.ts'
import { wantEnd } from '../states/actions.ts'
import { billPeriod, type ToBill } from './billing.ts'
import { isBilled, nextPeriodOf, nextPlanOf } from './terms.ts'

/** So many periods of one service are invoiced at once; what is left comes with the next run. */
const MOST_AT_ONCE = 24
/** What could not be invoiced, for want of a tax rate for instance, is tried again after this. */
const RETRY_MS = 6 * HOUR_MS

/**
 * Invoices every period of a service whose time has come, oldest first, each with an invoice of its
 * own, and notes when the next one is due (R4.4, R4.5). Runs twice harmlessly.
 */
export async function renewService(
  tx: Tx,
  key: ServiceKey,
  leads: LeadTimes,
  now: Instant,
): Promise<void> {
  for (let made = 0; made < MOST_AT_ONCE; made += 1) {
    const service = await lockService(tx, key)
    const next = service && (await nextOf(tx, service, leads))
    if (!service || !next?.invoiceAt || next.invoiceAt > now) {
      await updateService(tx, key, { nextInvoiceAt: next?.invoiceAt ?? null })
      return
    }
    const { plan, period } = next
    if (!service.autoRenew && plan.cycle.interval !== 'hour') return announceEnd(tx, service, now)
    const dueAt = period.start > now ? period.start : now
    if (!(await tryToBill(tx, service, { plan, period, dueAt }, now))) return
    if (plan.cycle.interval === 'hour') {
      const end = boundary(plan.anchor, plan.cycle, next.number + 2)
      await updateService(tx, key, { currentPeriodStart: period.end, currentPeriodEnd: end })
      if (service.cancelAtPeriodEnd || !service.autoRenew) {
        const reason = service.cancelAtPeriodEnd ? 'canceled' : 'completed'
        return wantEnd(tx, service, { reason, keepsData: true }, now)
      }
    }
  }
  await updateService(tx, key, { nextInvoiceAt: now })
}

/**
 * What is invoiced next for a service, and when; undefined when nothing is. While a change of plan
 * waits for a period that is invoiced already, what comes after it is not known yet.
 */
export async function nextOf(tx: Tx, service: ServiceRow, leads: LeadTimes) {
  if (!isBilled(service)) return undefined
  // Metered hours are invoiced after they were used.
  if (service.cancelAtPeriodEnd && service.interval !== 'hour') return undefined
  const { tenantId, scheduledPlanId, invoicedTo, currentPeriodEnd } = service
  if (scheduledPlanId && invoicedTo > currentPeriodEnd) return undefined
  const planned = scheduledPlanId ? await findPlan(tx, { tenantId, id: scheduledPlanId }) : null
  const plan = nextPlanOf(service, planned ?? null)
  return { plan, ...nextPeriodOf(plan, invoicedTo, leads) }
}

async function tryToBill(
  tx: Tx,
  service: ServiceRow,
  toBill: ToBill,
  now: Instant,
): Promise<boolean> {
  try {
    const billed = await billPeriod(tx, service, toBill, now)
    if (billed) await tellOfInvoice(tx, service, billed.invoice, now)
    return true
  } catch (error) {
    // Prices and taxes are worked out before anything is written.
    if (!(error instanceof Problem)) throw error
    const { tenantId, id, name, renewalFailure } = service
    const nextInvoiceAt = later(now, RETRY_MS)
    await updateService(tx, service, { renewalFailure: error.message, nextInvoiceAt })
    if (renewalFailure === error.message) return false
    const subject = `${name} could not be renewed`
    const told = { tenantId, subject, detail: error.message, link: `/admin/services/${id}` }
    await notifyAdmins(tx, told, now)
    return false
  }
}

async function tellOfInvoice(
  tx: Tx,
  { tenantId, userId, name }: ServiceRow,
  { id, number, totalCents: amountCents, currency, dueAt }: InvoiceRow,
  now: Instant,
): Promise<void> {
  if (amountCents === 0) return
  const data = {
    name,
    number: number ?? 'pro forma',
    amountCents,
    currency,
    dueOn: dayOf(dueAt ?? now),
  }
  const link = `/billing/invoices/${id}`
  await notify(tx, { tenantId, userId, kind: 'renewal_invoice', data, link }, now)
}

/** Its owner wants no renewal: they are told when it ends, once. */
async function announceEnd(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  const { tenantId, userId, id, name, invoicedTo } = service
  await updateService(tx, service, { nextInvoiceAt: null })
  const data = { name, endsOn: dayOf(invoicedTo ?? now) }
  const link = `/services/${id}`
  await notify(tx, { tenantId, userId, kind: 'service_ending', data, link }, now)
}
