import { instant } from '#lib/time.ts'
import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { deleteAttempts, listAttempts } from './redemption/queries.ts'

/** The vouchers that a person redeemed, and when they entered wrong codes lately. */
export async function personalData(db: Db, { tenantId, userId }: UserKey) {
  const redeemed = await db
    .selectFrom('vouchers.vouchers')
    .select(['last4', 'amountCents', 'currency', 'redeemedAt'])
    .where('tenantId', '=', tenantId)
    .where('redeemedBy', '=', userId)
    .orderBy('id')
    .execute()
  const attempts = await listAttempts(db, { tenantId, userId }, instant(0))
  return {
    redeemedVouchers: redeemed,
    wrongVoucherCodes: attempts.map(({ failedAt }) => ({ enteredAt: failedAt })),
  }
}

/** Which vouchers were redeemed stays with the books; wrong codes are deleted. */
export function erase(tx: Tx, person: Leaving): Promise<void> {
  return deleteAttempts(tx, person)
}
