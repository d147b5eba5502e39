import { type RawBuilder, sql } from 'kysely'
import { restoreImportedAffiliation } from '#affiliation'
import { restoreImportedInvoices } from '#billing'
import type { Tx } from '#platform/database/index.ts'
import { restoreImportedServices } from '#services'
import { restoreImportedUsers } from '#users'
import { changedBalances, clearedCommissions } from '../following/affiliates.ts'
import { FOLLOWED } from '../following/hashes.ts'
import type { Origin } from '../outcomes/judge.ts'
import type { ImportKey } from '../staging/writer.ts'
import { earnedRows } from '../writing/affiliates.ts'
import { renamed } from '../writing/people.ts'
import { staged, updated, type Writing } from '../writing/rows.ts'

const ORIGINS = 'imports.origins'

/** Stores the rows that an import is about to change, to restore them if it is undone. */
export async function storeRowsBefore(tx: Tx, writing: Writing, origin: Origin): Promise<void> {
  const targets = (resource: 'services' | 'invoices') =>
    sql`select item.target_id from ${staged(resource, 'item')} where ${updated(writing, 'item')}`
  const ids = (rows: RawBuilder<unknown>) => sql`select id from (${rows}) as changing`
  const kept: readonly (readonly [table: string, ids: RawBuilder<unknown>])[] = [
    [
      'users.users',
      sql`select item.target_id from ${staged('clients', 'item')} where ${renamed(writing, 'item')}`,
    ],
    ['services.services', targets('services')],
    ['billing.invoices', targets('invoices')],
    ['affiliation.imported_balances', ids(changedBalances(writing))],
    ['affiliation.imported_commissions', ids(clearedCommissions(writing, origin))],
    ['affiliation.referrals', ids(earnedRows(writing))],
  ]
  for (const [table, changing] of kept) {
    await keep(tx, writing, table, sql`it.id::text`, sql`it.id in (${changing})`)
  }
  for (const resource of FOLLOWED) {
    const credit = resource === 'clients' ? sql`or item.credit_change <> 0` : sql``
    const theirs = sql`it.system = ${origin.system}
      and it.source_table = ${origin.tableOf(resource) ?? ''} and it.source_id in (
        select item.source_id from ${staged(resource, 'item')}
        where item.tenant_id = ${writing.tenantId} and item.import_id = ${writing.id}
          and (item.reason = 'updated' ${credit}))`
    await keep(tx, writing, ORIGINS, sql`it.source_table || ':' || it.source_id`, theirs)
  }
}

async function keep(
  tx: Tx,
  { tenantId, id, now }: Writing,
  table: string,
  key: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into imports.changes (tenant_id, import_id, record, record_id, before, changed_at)
    select ${tenantId}, ${id}, ${table}, ${key}, to_jsonb(it), ${now}
    from ${sql.table(table)} as it where it.tenant_id = ${tenantId} and ${which}`.execute(tx)
}

/** Rows of a table as they were before an import changed them, as `before`. */
function before({ tenantId, id }: ImportKey, table: string): RawBuilder<unknown> {
  return sql`select before from imports.changes
    where tenant_id = ${tenantId} and import_id = ${id} and record = ${table}`
}

/** The ids of rows of a table that an import has changed. */
export function changedBy({ tenantId, id }: ImportKey, table: string): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`select record_id::uuid as id from imports.changes
    where tenant_id = ${tenantId} and import_id = ${id} and record = ${table}`
}

/** Restores everything that an import has changed. */
export async function restoreBefore(tx: Tx, key: ImportKey): Promise<void> {
  const { tenantId, id } = key
  const first = await tx
    .selectFrom('imports.changes')
    .select('changedAt')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (!first) return
  const at = first.changedAt
  await restoreImportedUsers(tx, tenantId, before(key, 'users.users'))
  await restoreImportedServices(tx, tenantId, { at, before: before(key, 'services.services') })
  await restoreImportedInvoices(tx, tenantId, { at, before: before(key, 'billing.invoices') })
  await restoreImportedAffiliation(tx, tenantId, {
    balances: before(key, 'affiliation.imported_balances'),
    commissions: before(key, 'affiliation.imported_commissions'),
    referrals: before(key, 'affiliation.referrals'),
  })
  await sql`
    update imports.origins as origin
    set source_hash = old.source_hash, target_hash = old.target_hash, credit = old.credit,
      credit_currency = old.credit_currency
    from (${before(key, ORIGINS)}) as kept
    cross join lateral jsonb_populate_record(null::imports.origins, kept.before) as old
    where origin.tenant_id = ${tenantId} and origin.system = old.system
      and origin.source_table = old.source_table and origin.source_id = old.source_id`.execute(tx)
  await tx
    .deleteFrom('imports.changes')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .execute()
}
