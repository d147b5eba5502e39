import { type Db, json, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { TenantRow } from '../queries.ts'
import type { TenantStatus } from './schema.ts'

/** Locks a tenant's row against changes. Foreign keys to it are still checked: this transaction may have inserted some. */
export function lockTenant(tx: Tx, id: string): Promise<TenantRow | undefined> {
  return tx
    .selectFrom('tenants.tenants')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function listTenants(db: Db, page: PageQuery & { status?: TenantStatus }) {
  const { status } = page
  const closed = status === 'closed' ? 'is not' : 'is'
  const suspended = status === 'suspended' ? 'is not' : 'is'
  const query = db
    .selectFrom('tenants.tenants')
    .selectAll()
    .$if(status !== undefined, (it) => it.where('closedAt', closed, null))
    .$if(status === 'active' || status === 'suspended', (it) =>
      it.where('suspendedAt', suspended, null),
    )
  return pageOf(query, page)
}

/** The host names of tenants, the one used in links first. */
export async function listDomains(
  db: Db,
  tenantIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (tenantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('tenants.domains')
    .select(['tenantId', 'host'])
    .where('tenantId', 'in', tenantIds)
    .orderBy('position')
    .execute()
  const byTenant = Map.groupBy(rows, ({ tenantId }) => tenantId)
  return new Map([...byTenant].map(([id, domains]) => [id, domains.map(({ host }) => host)]))
}

/** Which of these host names belong to a tenant. Sees other tenants' only in a transaction for all tenants. */
export async function listTakenHosts(tx: Tx, hosts: readonly string[]): Promise<string[]> {
  if (hosts.length === 0) return []
  const rows = await tx
    .selectFrom('tenants.domains')
    .select('host')
    .where('host', 'in', hosts)
    .execute()
  return rows.map(({ host }) => host)
}

export async function replaceDomains(
  tx: Tx,
  tenantId: string,
  hosts: readonly string[],
): Promise<void> {
  await tx.deleteFrom('tenants.domains').where('tenantId', '=', tenantId).execute()
  if (hosts.length === 0) return
  await tx
    .insertInto('tenants.domains')
    .values(hosts.map((host, position) => ({ host, tenantId, position })))
    .execute()
}

type Change = Pick<TenantRow, 'name' | 'suspendedAt' | 'closedAt' | 'sellerReadyAt'> & {
  proposedDomains: string[]
  brand: object
  seller: object
}

export function updateTenant(tx: Tx, id: string, { brand, seller, ...change }: Change) {
  return tx
    .updateTable('tenants.tenants')
    .set({ ...change, brand: json(brand), seller: json(seller) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
