import { disputed, invoicePaid, invoicesOfRefund, refundMade } from '#billing'
import { MINUTE_MS } from '#lib/time.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { schedule } from '#platform/jobs.ts'
import { wasReferred } from '../referrals/queries.ts'
import { invoiceMoneyMoved, invoiceSettled } from './actions.ts'
import { matureCommissions } from './maturing.ts'
import { findCommissionOf } from './queries.ts'

/** This many mature in one transaction. */
const BATCH = 500

/** A commission is created only by the step in which an invoice becomes paid (R3.2). */
export const earnCommission = onEvent(
  invoicePaid,
  'affiliation.earn-commission',
  async ({ db, now, transact }, { tenantId, userId, invoiceId }) => {
    if (!(await wasReferred(db, { tenantId, userId }))) return
    await transact((tx) => invoiceSettled(tx, { tenantId, invoiceId }, now))
  },
  { concurrency: 4 },
)

/** A refund to the customer also reverses its commission. */
export const followRefund = onEvent(
  refundMade,
  'affiliation.follow-refund',
  async (context, { tenantId, refundId }) => {
    await followMoney(context, await invoicesOfRefund(context.db, { tenantId, refundId }))
  },
)

/** A lost chargeback reverses the commission; a won one restores it. */
export const followDispute = onEvent(
  disputed,
  'affiliation.follow-dispute',
  (context, { invoiceIds }) => followMoney(context, invoiceIds),
)

async function followMoney(
  { tenantId, db, now, transact }: JobContext,
  invoiceIds: readonly string[],
): Promise<void> {
  for (const invoiceId of invoiceIds) {
    const key = { tenantId, invoiceId }
    if (!(await findCommissionOf(db, key))) continue
    await transact((tx) => invoiceMoneyMoved(tx, key, now))
  }
}

/** Makes commissions available whose waiting time is over. */
export const matureWhenDue = schedule(
  'affiliation.mature-commissions',
  5 * MINUTE_MS,
  async ({ now, transact, signal }) => {
    while (
      !signal.aborted &&
      (await transact((tx) => matureCommissions(tx, now, BATCH))) === BATCH
    );
  },
  { timeoutSeconds: 600 },
)
