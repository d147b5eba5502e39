import {
  closingPages,
  disputed,
  findAttempt,
  invoicePaid,
  invoiceVoided,
  paymentFailed,
  startPayment,
} from '#billing'
import { Problem } from '#lib/problem.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { hasMailServer } from '#notifications'
import { isDatabaseAway } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { settingsOf } from '#tenants'
import { serviceSettings } from '../settings.ts'
import { chargeRenewal, dunOne } from '../work.ts'
import { RENEWALS_AT_ONCE, renewBatch, renewOne } from './batches.ts'
import { dunPeriod, postponeCharge, prepareCharge, recordMethodRefusal } from './collection.ts'
import {
  listPeriodsOfInvoice,
  listServicesToInvoice,
  lockPeriodsToCharge,
  lockPeriodsToDun,
  lockServicesToRoll,
  updatePeriod,
} from './queries.ts'
import { billVoidedAgain } from './requote.ts'
import { recordUnexpectedFailure } from './run.ts'
import { reopenPeriods, rollService, settlePeriods } from './settlement.ts'
import { tenantTermsOf } from './tenant-terms.ts'

/** Up to this many services are worked on in one transaction; another process takes the next ones. */
const BATCH = 50
const RUN_SECONDS = 600

/** Works through batches until one is not full. Each is a transaction of its own. */
async function inBatches(
  { transact, signal }: JobContext,
  batch: (tx: Parameters<Parameters<JobContext['transact']>[0]>[0]) => Promise<number>,
): Promise<void> {
  while (!signal.aborted && (await transact(batch)) === BATCH);
}

/**
 * Invoices the periods that are due, of every tenant (R4.4, R4.5). If a batch cannot be written, its services are
 * invoiced one by one, so that a fault in one service does not stop the others.
 */
export const renewServices = schedule(
  'services.renew',
  MINUTE_MS,
  async (context: JobContext) => {
    const { now, transact, signal, log } = context
    for (let taken = 1; taken > 0 && !signal.aborted; ) {
      try {
        taken = await transact((tx) => renewBatch(tx, now, RENEWALS_AT_ONCE))
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        log.error({ err: error }, 'renewals could not be written together')
        taken = await renewOneByOne(context)
      }
    }
  },
  { timeoutSeconds: RUN_SECONDS },
)

async function renewOneByOne({ db, now, transact, signal, log }: JobContext): Promise<number> {
  const keys = await listServicesToInvoice(db, now, RENEWALS_AT_ONCE)
  for (const key of keys) {
    if (signal.aborted) break
    try {
      await transact((tx) => renewOne(tx, key, now))
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      log.error({ err: error, serviceId: key.id }, 'a service could not be renewed')
      await transact((tx) => recordUnexpectedFailure(tx, key, now))
    }
  }
  return keys.length
}

/** Moves services on to the period that has begun, and ends those without a further one. */
export const rollServices = schedule(
  'services.roll-periods',
  MINUTE_MS,
  async (context: JobContext) => {
    const { now } = context
    await inBatches(context, async (tx) => {
      const due = await lockServicesToRoll(tx, now, BATCH)
      for (const service of due) await rollService(tx, service, now)
      return due.length
    })
  },
  { timeoutSeconds: RUN_SECONDS },
)

/** Finds unpaid periods whose next step is due; each gets a job of its own, so that one does not stop the others. */
export const findUnpaidPeriods = schedule(
  'services.find-unpaid',
  MINUTE_MS,
  async ({ now, transact }: JobContext) => {
    await transact(async (tx) => {
      for (const { tenantId, id: periodId } of await lockPeriodsToDun(tx, now, 10 * BATCH)) {
        await enqueue(tx, dunOne, { tenantId, periodId }, { key: periodId })
      }
    })
  },
)

/** Does the next dunning step for an unpaid period (R4.6). */
export const dunOneJob = job(
  dunOne,
  async ({ db, now, transact, config }, { tenantId, periodId }) => {
    const { dunning: terms } = await tenantTermsOf(db, tenantId)
    const how = { terms, mailServer: await hasMailServer(db, config, tenantId) }
    await transact((tx) => dunPeriod(tx, { tenantId, id: periodId }, how, now))
  },
  { concurrency: 4 },
)

/** Charges the saved method of a customer for a period. */
export const chargeRenewalJob = job(
  chargeRenewal,
  async (context, { tenantId, periodId }) => {
    const { db, now, transact, log } = context
    const key = { tenantId, id: periodId }
    try {
      const prepared = await closingPages(context, db, () =>
        transact((tx) => prepareCharge(tx, key, now)),
      )
      // If this process dies before the payment starts, the sweep of payment attempts starts it.
      if (prepared) await startPayment(context, db, prepared)
    } catch (error) {
      // Paid meanwhile, or a payment is under way, or the gateway is switched off.
      if (!(error instanceof Problem)) throw error
      if (error.code === 'payment_in_progress') {
        await transact((tx) => postponeCharge(tx, key, now))
      }
      log.info({ periodId, reason: error.code }, 'a renewal was not charged')
    }
  },
  { concurrency: 4 },
)

/** Finds charges that waited for a page which could still be paid. */
export const findWaitingCharges = schedule(
  'services.find-waiting-charges',
  MINUTE_MS,
  async ({ now, transact }: JobContext) => {
    await transact(async (tx) => {
      for (const period of await lockPeriodsToCharge(tx, now, 10 * BATCH)) {
        const { tenantId, id: periodId } = period
        await updatePeriod(tx, period, { chargeAgainAt: null })
        await enqueue(tx, chargeRenewal, { tenantId, periodId })
      }
    })
  },
)

/** Periods are paid with their invoice, whatever it was for and however it was paid. */
export const periodPaid = onEvent(
  invoicePaid,
  'services.period-paid',
  async ({ transact, now }, { tenantId, invoiceId }) => {
    await transact((tx) => settlePeriods(tx, { tenantId, invoiceId }, now))
  },
  { concurrency: 4 },
)

/** Bills an unpaid period again after its invoice was voided, for whatever reason, if its service goes on. */
export const periodVoided = onEvent(
  invoiceVoided,
  'services.period-voided',
  async ({ transact, now }, { tenantId, invoiceId }) => {
    await transact((tx) => billVoidedAgain(tx, { tenantId, invoiceId }, now))
  },
)

/** Records a bank's "never again", so that it is not asked again (R4.6). */
export const renewalRefused = onEvent(
  paymentFailed,
  'services.renewal-refused',
  async ({ db, transact }, { tenantId, attemptId, invoiceIds, purpose }) => {
    if (purpose !== 'renewal') return
    const attempt = await findAttempt(db, { tenantId, attemptId })
    if (!attempt) return
    for (const invoiceId of invoiceIds) {
      const periods = await listPeriodsOfInvoice(db, { tenantId, invoiceId })
      await transact((tx) => recordMethodRefusal(tx, attempt, periods))
    }
  },
)

/** Makes money due again that a bank took back for good. */
export const paymentTakenBack = onEvent(
  disputed,
  'services.payment-taken-back',
  async ({ db, transact, now }, { tenantId, invoiceIds, state }) => {
    if (state !== 'lost') return
    const { suspendOnDispute: suspend } = await settingsOf(db, tenantId, serviceSettings)
    for (const invoiceId of invoiceIds) {
      await transact((tx) => reopenPeriods(tx, { tenantId, invoiceId }, { suspend }, now))
    }
  },
)
