import { Problem } from '#lib/problem.ts'
import { MINUTE_MS } from '#lib/time.ts'
import { HOUSE_REASONS } from '#notifications'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { billingSettings, UNPAID_HOURS } from '../settings.ts'
import { voidUnpaid } from '../work.ts'
import { voidInvoice } from './actions.ts'
import { findInvoice, listAbandoned } from './queries.ts'

const LOOK_MS = 5 * MINUTE_MS
const BATCH = 500

/** Voids an order that was not paid in time (R3.4). */
export const voidUnpaidJob = job(voidUnpaid, async ({ db, now, transact }, key) => {
  const invoice = await findInvoice(db, key)
  if (invoice?.status !== 'open' || invoice.paidCents > 0) return
  try {
    await transact((tx) => voidInvoice(tx, key, HOUSE_REASONS.notPaidInTime, now))
  } catch (error) {
    // Paid or voided meanwhile.
    if (!(error instanceof Problem) || error.statusCode !== 409) throw error
  }
})

/** Finds orders that were not paid in time, except those with a payment under way. */
export const findUnpaid = schedule(
  'billing.find-unpaid',
  LOOK_MS,
  async ({ db, now, transact }) => {
    const wait = { now, section: billingSettings.name, unpaidHours: UNPAID_HOURS }
    const abandoned = await listAbandoned(db, wait, BATCH)
    await transact(async (tx) => {
      for (const { tenantId, id: invoiceId } of abandoned) {
        await enqueue(tx, voidUnpaid, { tenantId, invoiceId }, { key: invoiceId })
      }
    })
  },
)
