import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'

export type TenantRow = Row<'tenants.tenants'>

export function findTenant(db: Db, id: string) {
  return db.selectFrom('tenants.tenants').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findTenantOfHost(db: Db, host: string) {
  return db
    .selectFrom('tenants.domains as domain')
    .innerJoin('tenants.tenants as tenant', 'tenant.id', 'domain.tenantId')
    .select(['tenant.id', 'tenant.closedAt'])
    .where('domain.host', '=', host)
    .executeTakeFirst()
}

export function findDefaultTenant(db: Db) {
  return db
    .selectFrom('tenants.tenants')
    .select(['id', 'closedAt'])
    .where('isDefault', '=', true)
    .executeTakeFirst()
}

/** The ids of all tenants, oldest first. */
export async function listTenantIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('tenants.tenants').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export async function insertTenant(
  tx: Tx,
  tenant: { id: string; name: string; isDefault: boolean; seller: object; createdAt: Instant },
): Promise<void> {
  await tx
    .insertInto('tenants.tenants')
    .values({ ...tenant, seller: json(tenant.seller) })
    .onConflict((it) => it.doNothing())
    .execute()
}

export async function insertDomain(tx: Tx, domain: { host: string; tenantId: string }) {
  await tx.insertInto('tenants.domains').values(domain).execute()
}

export function findSettings(db: Db, tenantId: string, section: string) {
  return db
    .selectFrom('tenants.settings')
    .select('values')
    .where('tenantId', '=', tenantId)
    .where('section', '=', section)
    .executeTakeFirst()
}

export async function upsertSettings(
  tx: Tx,
  row: { tenantId: string; section: string; values: object; updatedAt: Instant },
): Promise<void> {
  const values = json(row.values)
  await tx
    .insertInto('tenants.settings')
    .values({ ...row, values })
    .onConflict((it) =>
      it.columns(['tenantId', 'section']).doUpdateSet({ values, updatedAt: row.updatedAt }),
    )
    .execute()
}
