import type { Instant } from '#lib/time.ts'
import { compiledFirst } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'

export type TenantRow = Row<'tenants.tenants'>

const tenantOf = compiledFirst((db, { id }: { id: string }) =>
  db.selectFrom('tenants.tenants').selectAll().where('id', '=', id),
)

export function findTenant(db: Db, id: string): Promise<TenantRow | undefined> {
  return tenantOf(db, { id })
}

export function findTenantOfHost(db: Db, host: string) {
  return db
    .selectFrom('tenants.domains as domain')
    .innerJoin('tenants.tenants as tenant', 'tenant.id', 'domain.tenantId')
    .select(['tenant.id', 'tenant.suspendedAt', 'tenant.closedAt'])
    .where('domain.host', '=', host)
    .executeTakeFirst()
}

export function findDefaultTenant(db: Db) {
  return db
    .selectFrom('tenants.tenants')
    .select(['id', 'suspendedAt', 'closedAt'])
    .where('isDefault', '=', true)
    .executeTakeFirst()
}

/**
 * Serializes the transactions that decide what a tenant's products consist of: those that change a
 * product, an egg or a panel connection wait here for each other.
 */
export async function lockOffer(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .selectFrom('tenants.tenants')
    .select('id')
    .where('id', '=', tenantId)
    .forNoKeyUpdate()
    .execute()
}

/** The ids of all tenants, oldest first. */
export async function listTenantIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('tenants.tenants').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The domain in a tenant's links; the default tenant's links use the public address. */
export function findLinkHost(db: Db, tenantId: string) {
  return db
    .selectFrom('tenants.domains as domain')
    .innerJoin('tenants.tenants as tenant', 'tenant.id', 'domain.tenantId')
    .select('domain.host')
    .where('domain.tenantId', '=', tenantId)
    .where('tenant.isDefault', '=', false)
    .orderBy('domain.position')
    .limit(1)
    .executeTakeFirst()
}

type NewTenant = {
  id: string
  name: string
  isDefault: boolean
  brand: object
  seller: object
  sellerReadyAt: Instant | null
  createdAt: Instant
}

export async function insertTenant(tx: Tx, tenant: NewTenant): Promise<void> {
  await tx
    .insertInto('tenants.tenants')
    .values({ ...tenant, brand: json(tenant.brand), seller: json(tenant.seller) })
    .onConflict((it) => it.doNothing())
    .execute()
}

const settingsIn = compiledFirst(
  (db, { tenantId, section }: { tenantId: string; section: string }) =>
    db
      .selectFrom('tenants.settings')
      .select('values')
      .where('tenantId', '=', tenantId)
      .where('section', '=', section),
)

export function findSettings(db: Db, tenantId: string, section: string) {
  return settingsIn(db, { tenantId, section })
}
