import { HOUSE_REASONS } from '#billing'
import type { Cents } from '#lib/money.ts'
import { conflict, unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { billingProfileOf } from '#users'
import { replaceScheduled } from '../components/schedule.ts'
import { leave } from '../leaving/actions.ts'
import { type ServiceRow, updateService } from '../queries.ts'
import { assertWithdrawable } from '../renewals/charges.ts'
import { statusOf } from '../rules.ts'
import { assertNotEnding } from '../states/rules.ts'

/**
 * Withdraws a consumer from their order: what they paid goes back the way it came, less what they used if the service
 * has begun, and the service ends (R4.8). Returns the refund in cents. Throws like `assertMayWithdraw`.
 */
export async function withdrawFrom(tx: Tx, service: ServiceRow, now: Instant): Promise<Cents> {
  await assertMayWithdraw(tx, service, now)
  const noPlan = { scheduledProductId: null, scheduledPlanId: null }
  await replaceScheduled(tx, service, [], now)
  await updateService(tx, service, { ...noPlan, cancelReason: 'withdrawal' })
  const reason = HOUSE_REASONS.withdrawal
  const ending = { way: 'withdrawn', endReason: 'refunded', reason, keepsData: false } as const
  return (await leave(tx, service, { ...ending, to: 'payment' }, now)).returnedCents
}

/**
 * Throws 409 for a service that is not paid or has ended, 422 for a business, for a service that was not ordered in
 * this shop, and once the 14 days are over.
 */
export async function assertMayWithdraw(tx: Tx, service: ServiceRow, now: Instant): Promise<void> {
  assertNotEnding(service)
  if (statusOf(service) === 'pending' && !service.startsAt) {
    throw conflict(
      'This service is not paid yet. Its unpaid order is canceled automatically.',
      'service_pending',
    )
  }
  const { tenantId, userId, orderId } = service
  if (orderId === null) {
    throw unprocessable('This service was taken over: it was not ordered here.', 'not_ordered')
  }
  const profile = await billingProfileOf(tx, { tenantId, userId })
  if (!profile || profile.company || profile.vatNumber) {
    throw unprocessable('Only consumers may withdraw from an order.', 'not_a_consumer')
  }
  assertWithdrawable(service, now)
}
