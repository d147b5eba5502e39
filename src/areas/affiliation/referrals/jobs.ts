import { Type } from 'typebox'
import { listPaidSales } from '#billing'
import { Id } from '#lib/schema.ts'
import { onEvent } from '#platform/events.ts'
import { enqueue, job } from '#platform/jobs.ts'
import { userRegistered } from '#users'
import { invoiceSettled } from '../commissions/actions.ts'
import { attribute } from './actions.ts'

/** Decides who brought somebody, when they register. */
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
 * Somebody may have paid before it was known who brought them: whoever looked at that payment then
 * found nobody. This runs after the commit, so between the two no payment is missed.
 */
export const catchUp = job(
  'affiliation.catch-up',
  Type.Object({ tenantId: Id, userId: Id }),
  async ({ db, now, transact }, { tenantId, userId }) => {
    for (const invoiceId of await listPaidSales(db, { tenantId, userId })) {
      await transact((tx) => invoiceSettled(tx, { tenantId, invoiceId }, now))
    }
  },
)
