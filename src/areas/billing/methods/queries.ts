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

/** Whether a customer has saved a method that can be charged now: not expired, at an enabled gateway. */
export async function hasUsableMethod(
  db: Db,
  { tenantId, userId }: Owner,
  now: Instant,
): Promise<boolean> {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))]
  const row = await db
    .selectFrom('billing.payment_methods as method')
    .innerJoin('billing.gateways as gateway', (join) =>
      join
        .onRef('gateway.tenantId', '=', 'method.tenantId')
        .onRef('gateway.id', '=', 'method.gatewayId'),
    )
    .select('method.id')
    .where('method.tenantId', '=', tenantId)
    .where('method.userId', '=', userId)
    .where('method.goneAt', 'is', null)
    .where('gateway.enabled', '=', true)
    .where((it) =>
      it.or([
        it('expYear', 'is', null),
        it('expMonth', 'is', null),
        it('expYear', '>', year),
        it.and([it('expYear', '=', year), it('expMonth', '>=', month)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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

/** Inserts a method, or updates the row of a known one. */
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

/** Makes a method the only default one. */
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
