import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

export type MethodRow = Row<'billing.payment_methods'>
type Owner = { tenantId: string; userId: string }
type AtGateway = { tenantId: string; gatewayId: string }

/** One of a customer's own methods that can still be used. */
export function findOwnMethod(db: Db, { tenantId, userId }: Owner, id: string) {
  return db
    .selectFrom('billing.payment_methods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where('goneAt', 'is', null)
    .executeTakeFirst()
}

export function findMethod(db: Db, tenantId: string, id: string) {
  return db
    .selectFrom('billing.payment_methods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The method a customer's renewals are charged to. */
export function findDefaultMethod(db: Db, { tenantId, userId }: Owner) {
  return db
    .selectFrom('billing.payment_methods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('isDefault', '=', true)
    .executeTakeFirst()
}

export function listMethodsOf(db: Db, { tenantId, userId }: Owner, page: PageQuery) {
  const query = db
    .selectFrom('billing.payment_methods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('goneAt', 'is', null)
  return pageOf(query, page)
}

export function findMethodAtGateway(
  db: Db,
  { tenantId, gatewayId }: AtGateway,
  providerMethodId: string,
) {
  return db
    .selectFrom('billing.payment_methods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('providerMethodId', '=', providerMethodId)
    .executeTakeFirst()
}

type Shown = Pick<
  MethodRow,
  'kind' | 'brand' | 'last4' | 'expMonth' | 'expYear' | 'fingerprint' | 'label'
>

/** Inserts a method, or brings the row of one that is known up to date. */
export function upsertMethod(
  tx: Tx,
  row: Omit<MethodRow, 'isDefault' | 'goneAt'>,
  shown: Shown,
): Promise<MethodRow> {
  return tx
    .insertInto('billing.payment_methods')
    .values({ ...row, isDefault: false })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'gatewayId', 'providerMethodId'])
        .doUpdateSet({ ...shown, userId: row.userId, goneAt: null }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function markMethodGone(
  tx: Tx,
  { tenantId, id }: Pick<MethodRow, 'tenantId' | 'id'>,
  goneAt: Instant,
): Promise<void> {
  await tx
    .updateTable('billing.payment_methods')
    .set({ goneAt, isDefault: false })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('goneAt', 'is', null)
    .execute()
}

/** Makes a method the default one, and no other. */
export async function markDefault(tx: Tx, { tenantId, userId }: Owner, id: string): Promise<void> {
  await tx
    .updateTable('billing.payment_methods')
    .set({ isDefault: false })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('isDefault', '=', true)
    .where('id', '<>', id)
    .execute()
  await tx
    .updateTable('billing.payment_methods')
    .set({ isDefault: true })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

export async function markMethodsOfGone(
  tx: Tx,
  { tenantId, gatewayId, userId }: AtGateway & Owner,
  goneAt: Instant,
): Promise<void> {
  await tx
    .updateTable('billing.payment_methods')
    .set({ goneAt, isDefault: false })
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where('userId', '=', userId)
    .where('goneAt', 'is', null)
    .execute()
}
