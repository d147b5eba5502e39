import { sql } from 'kysely'
import type { Db, Tx } from '#platform/database/index.ts'
import { followAffiliates } from '../following/affiliates.ts'
import { followRows } from '../following/follow.ts'
import { RESOURCES, type Resource } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'
import { FAILURES, JUDGEMENTS, type Judgement } from './judgements.ts'
import { followOptions, settleOptions } from './options.ts'
import { meetAccounts, mergeClients, settleLogins } from './people.ts'

/** Where rows come from, to recognise those that were imported before. */
export type Origin = {
  readonly system: string
  readonly tableOf: (resource: Resource) => string | undefined
  /** Whether its table is in the dump at all. */
  readonly holds: (resource: Resource) => boolean
  /** Resources whose ids may occur twice. */
  readonly unordered: ReadonlySet<Resource>
}

/** The resources on which people, catalogue and affiliates do not depend: they can be decided about in parallel. */
const DOCUMENTS: readonly Resource[] = [
  ...(['invoices', 'invoice_rates', 'invoice_items', 'transactions'] as const),
  ...(['balances', 'credit_entries'] as const),
]

/**
 * Decides the outcome of every staged row except those of documents. A row without an outcome is imported.
 * Runs one statement for each resource, in an order in which the resources that it depends on are already
 * decided. For a system of which nothing was imported before.
 */
export async function judgePeople(tx: Tx, key: ImportKey, origin: Origin): Promise<void> {
  const theirs = (resource: Resource) => !DOCUMENTS.includes(resource)
  await failDoubles(tx, key, RESOURCES.filter(theirs), origin)
  await settleLogins(tx, key)
  await mergeClients(tx, key)
  await meetAccounts(tx, key)
  for (const judgement of JUDGEMENTS) {
    if (theirs(judgement.resource)) await judge(tx, key, judgement)
  }
  await settleOptions(tx, key)
}

/** Decides the outcome of documents, once it is decided whose they are. */
export async function judgeDocuments(tx: Tx, key: ImportKey, origin: Origin): Promise<void> {
  await failDoubles(tx, key, DOCUMENTS, origin)
  for (const judgement of JUDGEMENTS) {
    if (DOCUMENTS.includes(judgement.resource)) await judge(tx, key, judgement)
  }
}

/** Resources that are recognised before anything that refers to them is judged. */
const KNOWN_FIRST: readonly Resource[] = [
  ...(['categories', 'products', 'tax_rates'] as const),
  ...(['option_groups', 'options', 'option_values'] as const),
]

/**
 * Decides the outcome of every staged row of a system of which something was imported before, and locks the
 * records that these rows change.
 */
export async function judgeAgain(tx: Tx, key: ImportKey, origin: Origin): Promise<void> {
  await failDoubles(tx, key, RESOURCES, origin)
  await settleLogins(tx, key)
  await mergeClients(tx, key)
  await recognise(tx, key, origin, 'clients')
  await meetAccounts(tx, key)
  for (const resource of KNOWN_FIRST) await recognise(tx, key, origin, resource)
  for (const judgement of JUDGEMENTS) {
    const { resource } = judgement
    // Affiliates are always locked after invoices.
    if (resource === 'affiliates') {
      await settleOptions(tx, key)
      await followRows(tx, key, origin)
      await followOptions(tx, key)
    }
    await judge(tx, key, judgement)
    await recognise(tx, key, origin, resource)
    if (resource === 'affiliates') await followAffiliates(tx, key, origin)
  }
}

/** Whether anything of a system was imported before: nothing is imported without its person, who has an origin. */
export async function cameBefore(
  db: Db,
  { tenantId }: ImportKey,
  { system }: Origin,
): Promise<boolean> {
  const row = await db
    .selectFrom('imports.origins')
    .select('sourceId')
    .where('tenantId', '=', tenantId)
    .where('system', '=', system)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** PostgreSQL has no statistics about rows that were just written: it would take them for few and use nested loops. */
export async function planForBulk(tx: Tx): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(tx)
  // A merge join on the tenant alone, which is the same for all rows, would compare each with each too.
  await sql`set local enable_mergejoin = off`.execute(tx)
  // Join in the written order, by the rows' own ids first.
  await sql`set local join_collapse_limit = 1`.execute(tx)
  await sql`set local from_collapse_limit = 1`.execute(tx)
  // Disabled plans count as expensive, and expensive ones are compiled first, which takes longer than it saves.
  await sql`set local jit = off`.execute(tx)
  await sql`set local work_mem = '64MB'`.execute(tx)
  // The other processors write other parts of the import.
  await sql`set local max_parallel_workers_per_gather = 0`.execute(tx)
  // A statement over a million rows may take longer than the limit for requests.
  await sql`set local statement_timeout = 0`.execute(tx)
}

/** Fails rows whose id occurs more than once, except the first. */
async function failDoubles(
  tx: Tx,
  { tenantId, id }: ImportKey,
  resources: readonly Resource[],
  { unordered }: Origin,
): Promise<void> {
  for (const resource of resources.filter((it) => unordered.has(it))) {
    const table = sql.raw(`imports.staged_${resource}`)
    await sql`
      update ${table} as target set outcome = 'failed', reason = 'duplicate_id'
      from (
        select source_id, min(row_number) as first from ${table}
        where tenant_id = ${tenantId} and import_id = ${id}
        group by source_id having count(*) > 1
      ) as double
      where target.tenant_id = ${tenantId} and target.import_id = ${id}
        and target.source_id = double.source_id and target.row_number > double.first
    `.execute(tx)
  }
}

async function judge(tx: Tx, { tenantId, id }: ImportKey, judgement: Judgement): Promise<void> {
  const { resource, joins = '', reason } = judgement
  const table = sql.raw(`imports.staged_${resource}`)
  await sql`
    update ${table} as target
    set outcome = case when found.reason = any(${FAILURES}) then 'failed' else 'skipped' end,
        reason = found.reason
    from (
      select item.row_number, ${sql.raw(reason)} as reason
      from ${table} as item ${sql.raw(joins)}
      where item.tenant_id = ${tenantId} and item.import_id = ${id} and item.outcome is null
    ) as found
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = found.row_number and found.reason is not null
  `.execute(tx)
}

/** Tables whose rows store their own source: the table, and its column with the system. */
const HISTORY: Partial<Record<Resource, readonly [table: string, system: string]>> = {
  invoices: ['billing.invoices', 'source_system'],
  transactions: ['billing.imported_payments', 'system'],
  credit_entries: ['billing.imported_credit', 'system'],
  orders: ['orders.imported_orders', 'system'],
}

/** Skips rows that were imported before, unless they are followed and have changed. */
async function recognise(tx: Tx, key: ImportKey, origin: Origin, resource: Resource) {
  await recogniseByOrigin(tx, key, origin, resource)
  if (!HISTORY[resource]) return
  const [table, system] = HISTORY[resource]
  const { tenantId, id } = key
  await sql`
    update ${sql.raw(`imports.staged_${resource}`)} as target
    set outcome = 'skipped', reason = 'already_imported', target_id = record.id
    from ${sql.raw(table)} as record
    where target.tenant_id = ${tenantId} and target.import_id = ${id} and target.outcome is null
      and record.tenant_id = ${tenantId} and record.${sql.raw(system)} = ${origin.system}
      and record.source_id = target.source_id
  `.execute(tx)
}

async function recogniseByOrigin(
  tx: Tx,
  { tenantId, id }: ImportKey,
  { system, tableOf }: Origin,
  resource: Resource,
): Promise<void> {
  const table = tableOf(resource)
  if (!table) return
  await sql`
    update ${sql.raw(`imports.staged_${resource}`)} as target
    set outcome = 'skipped', reason = 'already_imported', target_id = origin.target_id
    from imports.origins as origin
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and (target.outcome is null or target.outcome = 'merged')
      and origin.tenant_id = ${tenantId} and origin.system = ${system}
      and origin.source_table = ${table} and origin.source_id = target.source_id
  `.execute(tx)
}
