import {
  type AttemptRow,
  applyCredit,
  findDefaultMethod,
  findInvoice,
  hasOpenDispute,
  type InvoiceRow,
  type PreparedPayment,
  preparePayment,
} from '#billing'
import { DAY_MS, type Day, dayOf, type Instant, later } from '#lib/time.ts'
import { mailSentAt, notify } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { lockService, type ServiceRow } from '../queries.ts'
import { mayBecome } from '../rules.ts'
import { suspendFor, wantEnd } from '../states/actions.ts'
import { type DunningSchedule, type DunningTerms, dunningSchedule, dunningStep } from './dunning.ts'
import { chargeRenewal } from './jobs.ts'
import { findPeriod, lockPeriod, type PeriodKey, type PeriodRow, updatePeriod } from './queries.ts'
import { requoteRenewal } from './requote.ts'

/**
 * Looks at an unpaid period and does what its schedule wants by now: a charge, a reminder, then the
 * suspension and at last the end of its service (R4.6). Runs twice harmlessly.
 */
export async function dunPeriod(
  tx: Tx,
  key: PeriodKey,
  { terms, mailServer }: { terms: DunningTerms; mailServer: boolean },
  now: Instant,
): Promise<void> {
  const found = await findPeriod(tx, key)
  const service = found && (await lockService(tx, { ...key, id: found.serviceId }))
  const period = found && (await lockPeriod(tx, key))
  if (!service || !period || period.dunningAt === null) return
  const { tenantId, invoiceId } = period
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  const over = period.paidAt || period.voidedAt || service.endedAt || service.endWantedAt
  if (over || invoice?.status !== 'open') {
    // Paid or voided: whoever hears of that does the rest.
    await updatePeriod(tx, period, { dunningAt: null })
    return
  }
  const schedule = scheduleOf(service, period, terms)
  const firstReminderSentAt = period.warnedBy
    ? await mailSentAt(tx, tenantId, period.warnedBy, { mailServer })
    : null
  const { suspendedAt } = service
  const step = dunningStep(schedule, { ...period, firstReminderSentAt, suspendedAt }, now)
  const { charges, reminders, nextAt: dunningAt } = step
  let { warnedBy } = period
  if (step.remind) {
    const told = await remind(tx, { service, invoice }, schedule, now)
    warnedBy ??= told
  }
  await updatePeriod(tx, period, { charges, reminders, dunningAt, warnedBy })
  if (step.charge && service.autoRenew) {
    await enqueue(tx, chargeRenewal, { tenantId, periodId: period.id })
  }
  if (step.terminate) return wantEnd(tx, service, { reason: 'unpaid', keepsData: true }, now)
  if (step.suspend && mayBecome(service, 'suspended')) await suspendFor(tx, service, 'unpaid', now)
}

/** The instants of a period's dunning; who has only tried the service has no grace (R4.3). */
function scheduleOf(
  { anchorAt, trialDays }: ServiceRow,
  { startsAt, dueAt }: PeriodRow,
  terms: DunningTerms,
): DunningSchedule {
  const afterTrial = trialDays > 0 && startsAt === anchorAt
  return dunningSchedule(dueAt, afterTrial ? { ...terms, suspendDays: 0 } : terms)
}

type About = { service: ServiceRow; invoice: InvoiceRow }

/** Tells the customer what is due and what comes next; answers the notification's id. */
async function remind(
  tx: Tx,
  { service, invoice }: About,
  schedule: DunningSchedule,
  now: Instant,
): Promise<string | null> {
  const { tenantId, userId, name } = service
  const { id, number, totalCents, creditedCents, paidCents, currency } = invoice
  const data = {
    ...{
      name,
      number: number ?? 'pro forma',
      currency,
      amountCents: totalCents - creditedCents - paidCents,
    },
    ...{ dueOn: dayOf(invoice.dueAt ?? now), ...warningOf(service, schedule, now) },
  }
  const link = `/billing/invoices/${id}`
  return notify(tx, { tenantId, userId, kind: 'payment_reminder', data, link }, now)
}

/** What happens next if nobody pays, and on which day at the earliest. */
function warningOf(
  { suspendedAt }: ServiceRow,
  { suspendAt, terminateAt }: DunningSchedule,
  now: Instant,
): { next: 'suspension' | 'end'; on: Day } {
  const tomorrow = later(now, DAY_MS)
  const next = suspendedAt ? terminateAt : suspendAt
  return { next: suspendedAt ? 'end' : 'suspension', on: dayOf(next > tomorrow ? next : tomorrow) }
}

/**
 * Writes a charge of the customer's saved method for a period: credit first, then the method, unless
 * the bank said not to charge it again or a payment is disputed (R4.6). Null when there is nothing
 * to start; a repeat for the same day writes nothing.
 */
export async function prepareCharge(
  tx: Tx,
  key: PeriodKey,
  now: Instant,
): Promise<PreparedPayment | null> {
  const found = await findPeriod(tx, key)
  const service = found && (await lockService(tx, { ...key, id: found.serviceId }))
  const period = found && (await lockPeriod(tx, key))
  if (!service || !period?.invoiceId || period.paidAt || period.voidedAt) return null
  if (period.charged >= period.charges) return null
  await updatePeriod(tx, period, { charged: period.charges })
  const { tenantId, userId } = service
  const quote = { tenantId, invoiceId: period.invoiceId, reference: service.id }
  // Nobody is there to be told that the price has changed: what is charged is what it is now.
  const invoiceId = (await requoteRenewal(tx, quote, now))?.invoiceId ?? period.invoiceId
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  if (invoice?.status !== 'open') return null
  const left = await applyCredit(tx, { tenantId, invoiceId }, now)
  if (left.status !== 'open') return null
  const method = await findDefaultMethod(tx, { tenantId, userId })
  if (!method || method.id === period.refusedMethodId) return null
  if (await hasOpenDispute(tx, { tenantId, userId })) return null
  const how = { invoiceId, paymentMethodId: method.id, purpose: 'renewal' as const }
  return preparePayment(tx, { tenantId, userId }, how, now)
}

/** What a bank may say about charging a method once more by itself. */
const FINAL_ADVICE: ReadonlySet<string> = new Set(['never', 'new_method', 'customer_action'])

/** Notes that a method is not to be charged again for the periods of an invoice (R4.6). */
export async function noteRefusal(
  tx: Tx,
  { tenantId, paymentMethodId, failureRetry }: AttemptRow,
  periods: readonly PeriodRow[],
): Promise<void> {
  if (!paymentMethodId || !failureRetry || !FINAL_ADVICE.has(failureRetry)) return
  for (const { id } of periods) {
    await updatePeriod(tx, { tenantId, id }, { refusedMethodId: paymentMethodId })
  }
}
