import { instant } from '#lib/time.ts'
import { type Database, json, transact } from '#platform/database/index.ts'
import { SANDBOX_SELLER } from '#sandbox/seller.ts'

/** The seller of a shop that sells. */
export const TEST_SELLER = SANDBOX_SELLER

/** Completes the seller of a tenant, so that it sells. */
export async function enterSeller(
  database: Database,
  tenantId: string,
  seller: object = TEST_SELLER,
): Promise<void> {
  await transact(database.everywhere, (tx) =>
    tx
      .updateTable('tenants.tenants')
      .set({ seller: json(seller), sellerReadyAt: instant('2026-01-01T00:00:00Z') })
      .where('id', '=', tenantId)
      .execute(),
  )
}
