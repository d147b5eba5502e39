import {
  type AttemptRow,
  applyCredit,
  assertNoOpenPages,
  dueCents,
  findDefaultMethod,
  findInvoice,
  hasOpenDispute,
  type InvoiceRow,
  type PreparedPayment,
  preparePayment,
} from '#billing'
import { recurs } from '#lib/periods.ts'
import { dayOf, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { notify } from '#notifications'
import type { Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { lockService, type ServiceRow } from '../queries.ts'
import { mayBecome } from '../rules.ts'
import { suspendFor, wantEnd } from '../states/actions.ts'
import {
  notifyOfUndeliverableNotice,
  readWarning,
  recordReminder,
} from '../suspension-notices/actions.ts'
import { chargeRenewal } from '../work.ts'
import {
  type DunningSchedule,
  type DunningStep,
  type DunningTerms,
  dunningSchedule,
  dunningStep,
  restStep,
} from './dunning.ts'
import { findPeriod, lockPeriod, type PeriodKey, type PeriodRow, updatePeriod } from './queries.ts'
import { requoteRenewal } from './requote.ts'

/** After how long a charge is tried again that waits for a payment page which could still be paid. */
const CHARGE_AGAIN_MS = 30 * MINUTE_MS

/**
 * Does for an unpaid period what its schedule demands by now: a charge, a reminder, then the suspension and at last the
 * end of its service, each only after it was announced (R4.6). Runs twice harmlessly.
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
  const isLeft = service.endedAt !== null || service.endWantedAt !== null
  if (invoice?.status === 'uncollectible' && !isLeft) return withoutMoney(tx, service, period, now)
  const isSettled = period.paidAt || period.voidedAt || invoice?.status !== 'open'
  if (isSettled || !invoice || (isLeft && !isCollected(service))) {
    // Paid or voided: the handler of that event does the rest.
    await updatePeriod(tx, period, { dunningAt: null })
    return
  }
  const schedule = scheduleOf(service, period, terms)
  if (isLeft) return collectRest(tx, { service, period, invoice }, schedule, now)
  const { suspendedAt } = service
  const coming = suspendedAt ? 'end' : 'suspension'
  const warning = await readWarning(tx, period, coming, { now, mailServer })
  const step = dunningStep(schedule, { ...period, warning, suspendedAt }, now)
  const { charges, reminders, nextAt: dunningAt, next } = step
  if (step.remind) {
    const noticeId = await remind(tx, { service, period, invoice }, step, now)
    await recordReminder(tx, period, { warning, step: next, noticeId }, now)
  }
  if (step.tellOperators) {
    const about = { periodId: period.id, step: next, on: dayOf(step.nextStepAt) }
    await notifyOfUndeliverableNotice(tx, service, about, now)
  }
  await updatePeriod(tx, period, { charges, reminders, dunningAt })
  if (step.charge && service.autoRenew) {
    await enqueue(tx, chargeRenewal, { tenantId, periodId: period.id })
  }
  if (step.terminate) return wantEnd(tx, service, { reason: 'unpaid', keepsData: true }, now)
  if (step.suspend && mayBecome(service, 'suspended')) await suspendFor(tx, service, 'unpaid', now)
}

/** For a period whose debt staff wrote off: suspends its server once the period is due, because it is not paid for. */
async function withoutMoney(
  tx: Tx,
  service: ServiceRow,
  period: PeriodRow,
  now: Instant,
): Promise<void> {
  if (period.dueAt > now) return updatePeriod(tx, period, { dunningAt: period.dueAt })
  await updatePeriod(tx, period, { dunningAt: null })
  if (mayBecome(service, 'suspended')) await suspendFor(tx, service, 'unpaid', now)
}

/** What stays due after a termination for non-payment or fraud is neither charged nor reminded (R4.6). */
function isCollected({ endReason, endWantedReason }: ServiceRow): boolean {
  const reason = endReason ?? endWantedReason
  return reason !== 'unpaid' && reason !== 'fraud'
}

/** Charges and reminds for what an ended service still owes; there is no server left to suspend. */
async function collectRest(
  tx: Tx,
  about: About,
  schedule: DunningSchedule,
  now: Instant,
): Promise<void> {
  const { service, period } = about
  const { charges, reminders, charge, remind, nextAt: dunningAt } = restStep(schedule, period, now)
  if (remind) await remindOfRest(tx, about, now)
  await updatePeriod(tx, period, { charges, reminders, dunningAt })
  if (!charge || !service.autoRenew) return
  await enqueue(tx, chargeRenewal, { tenantId: period.tenantId, periodId: period.id })
}

/** The times of a period's dunning; there is no grace after a trial (R4.3). */
function scheduleOf(
  { anchorAt, trialDays }: ServiceRow,
  { startsAt, dueAt }: PeriodRow,
  terms: DunningTerms,
): DunningSchedule {
  const afterTrial = trialDays > 0 && startsAt === anchorAt
  return dunningSchedule(dueAt, afterTrial ? { ...terms, suspendDays: 0 } : terms)
}

type About = { service: ServiceRow; period: PeriodRow; invoice: InvoiceRow }

async function remindOfRest(
  tx: Tx,
  { service, period, invoice }: About,
  now: Instant,
): Promise<void> {
  const { tenantId, userId, name, delivery } = service
  const { id, number, currency } = invoice
  const dueOn = dayOf(period.dueAt)
  const data = {
    ...{ name, number: number ?? 'pro forma', currency, amountCents: dueCents(invoice), dueOn },
    ...{ next: 'nothing' as const, on: dueOn, delivery },
  }
  const link = `/invoices/${id}`
  await notify(tx, { tenantId, userId, kind: 'payment_reminder', data, link }, now)
}

/** Tells the customer what is due and what comes next; returns the notification's id. */
async function remind(
  tx: Tx,
  { service, period, invoice }: About,
  { next, nextStepAt }: DunningStep,
  now: Instant,
): Promise<string | null> {
  const { tenantId, userId, name, delivery } = service
  const { id, number, currency } = invoice
  const data = {
    ...{ name, number: number ?? 'pro forma', currency, amountCents: dueCents(invoice) },
    ...{ dueOn: dayOf(period.dueAt), next, on: dayOf(nextStepAt), delivery },
  }
  const link = `/invoices/${id}`
  return notify(tx, { tenantId, userId, kind: 'payment_reminder', data, link }, now)
}

/**
 * Stores a charge of the customer's saved method for a period: credit first, then the method, unless the bank forbade
 * another charge of it or a payment is disputed (R4.6). Null if there is nothing to start; a repeat for the same day
 * writes nothing. Throws for `closingPages` while a page is open.
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
  const { tenantId, userId } = service
  const saved = await findDefaultMethod(tx, { tenantId, userId })
  const isDisputing = await hasOpenDispute(tx, { tenantId, userId })
  // For a one-time sale, the customer has not agreed to any further charge.
  const isAgreed = !period.isDebt || recurs(service)
  const method =
    isDisputing || !isAgreed || saved?.id === period.refusedMethodId ? undefined : saved
  // A customer who pays without a saved method keeps their open payment page.
  if (method) await assertNoOpenPages(tx, { tenantId, invoiceId: period.invoiceId })
  await updatePeriod(tx, period, { charged: period.charges, chargeAgainAt: null })
  const about = { tenantId, invoiceId: period.invoiceId, reference: service.id }
  const quote = { ...about, pages: 'close' as const }
  // The customer is not present to confirm a new price: the current price is charged.
  const invoiceId = (await requoteRenewal(tx, quote, now))?.invoiceId ?? period.invoiceId
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  if (invoice?.status !== 'open') return null
  const left = await applyCredit(tx, { tenantId, invoiceId }, now)
  if (left.status !== 'open') return null
  if (!method) return null
  const how = { invoiceId, paymentMethodId: method.id, purpose: 'renewal' as const }
  return preparePayment(tx, { tenantId, userId }, how, now)
}

/** Schedules another charge later, for one that could not be begun yet and is still wanted. */
export async function postponeCharge(tx: Tx, key: PeriodKey, now: Instant): Promise<void> {
  const period = await lockPeriod(tx, key)
  if (!period || period.paidAt || period.voidedAt || period.charged >= period.charges) return
  await updatePeriod(tx, period, { chargeAgainAt: later(now, CHARGE_AGAIN_MS) })
}

/** A bank's advice that forbids charging a method again automatically. */
const FINAL_ADVICE: ReadonlySet<string> = new Set(['never', 'new_method', 'customer_action'])

/** Records that a method is not to be charged again for the periods of an invoice (R4.6). */
export async function recordMethodRefusal(
  tx: Tx,
  { tenantId, paymentMethodId, failureRetry }: AttemptRow,
  periods: readonly PeriodRow[],
): Promise<void> {
  if (!paymentMethodId || !failureRetry || !FINAL_ADVICE.has(failureRetry)) return
  for (const { id } of periods) {
    await updatePeriod(tx, { tenantId, id }, { refusedMethodId: paymentMethodId })
  }
}
