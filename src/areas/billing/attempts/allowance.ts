import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockUserShared, spendAllowance } from '#users'

/** More than a person tries in a day, and few enough that rows and calls to the provider stay bounded. */
const DAILY = 200

/** Counts an attempt of a customer to pay or to save a method. Throws 429 `limit_reached` beyond the limit. */
export async function spendAttempt(tx: Tx, payer: UserKey, now: Instant): Promise<void> {
  const { tenantId, userId: subject } = payer
  // Orders and top-ups lock the user before they count. The foreign key of the attempt would lock the user after it.
  await lockUserShared(tx, payer)
  await spendAllowance(tx, { tenantId, kind: 'payment-attempts', subject }, DAILY, now)
}
