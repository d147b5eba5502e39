import { listPaidSales } from '#billing'
import { onEvent } from '#platform/events.ts'
import { enqueue, job } from '#platform/jobs.ts'
import { userRegistered } from '#users'
import { invoiceSettled } from '../commissions/actions.ts'
import { catchUp } from '../work.ts'
import { attribute } from './actions.ts'

/** Decides at registration who referred a person. */
export const attributeRegistration = onEvent(
  userRegistered,
  'affiliation.attribute-registration',
  async ({ now, transact }, { tenantId, userId, referralCode, visitorToken }) => {
    if (!referralCode && !visitorToken) return
    await transact(async (tx) => {
      const recommendation = { referralCode, visitorToken }
      const key = { tenantId, userId }
      if (await attribute(tx, key, recommendation, now)) await enqueue(tx, catchUp, key)
    })
  },
  { concurrency: 2 },
)

/**
 * A person may have paid before their referral was stored, so that the payment's job found no
 * referral. This job runs after the referral is committed, so that no payment is missed.
 */
export const catchUpJob = job(catchUp, async ({ db, now, transact }, { tenantId, userId }) => {
  for (const invoiceId of await listPaidSales(db, { tenantId, userId })) {
    await transact((tx) => invoiceSettled(tx, { tenantId, invoiceId }, now))
  }
})
