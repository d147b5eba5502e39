import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type ProviderCustomerRow = Row<'billing.provider_customers'>
type Place = { tenantId: string; gatewayId: string }

/** A user's customer at a gateway's provider, if there is one. */
export function findCustomer(db: Db, { tenantId, gatewayId, userId }: Place & { userId: string }) {
  return db
    .selectFrom('billing.provider_customers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('userId', '=', userId)
    .where('goneAt', 'is', null)
    .executeTakeFirst()
}

/** A provider's customer by our own id, deleted ones included. */
export function findCustomerById(
  db: Db,
  { tenantId, id }: Pick<ProviderCustomerRow, 'tenantId' | 'id'>,
) {
  return db
    .selectFrom('billing.provider_customers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The owner of a provider's customer, deleted ones included. */
export function findByProviderCustomer(
  db: Db,
  { tenantId, gatewayId }: Place,
  providerCustomerId: string,
) {
  return db
    .selectFrom('billing.provider_customers')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('providerCustomerId', '=', providerCustomerId)
    .executeTakeFirst()
}

/** Stores a provider's customer. If another process was faster, its row stays. */
export async function insertCustomer(tx: Tx, row: Omit<ProviderCustomerRow, 'goneAt'>) {
  await tx
    .insertInto('billing.provider_customers')
    .values(row)
    .onConflict((it) => it.doNothing())
    .execute()
}

export async function markCustomerGone(
  tx: Tx,
  { tenantId, id }: Pick<ProviderCustomerRow, 'tenantId' | 'id'>,
  goneAt: Instant,
): Promise<void> {
  await tx
    .updateTable('billing.provider_customers')
    .set({ goneAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('goneAt', 'is', null)
    .execute()
}
