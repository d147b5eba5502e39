import { type RawBuilder, sql } from 'kysely'
import { transactionsAfterOpenings } from '#ledger'
import type { Tx } from '#platform/database/index.ts'
import { KEPT_OF_PEOPLE } from '#users'
import { RECORDS, TARGET_HASH } from '../following/hashes.ts'
import type { ImportKey } from '../staging/writer.ts'
import { changedBy } from './changes.ts'
import type { Created } from './created.ts'

/** An obstacle to undoing an import: the number of such records, and the ids of the first. */
export type Obstacle = { readonly code: string; readonly count: number; readonly ids: string[] }

/** The most ids that are listed for each kind. */
const NAMED = 5

/** The tables of created records that other records may reference. */
const PARENTS: Readonly<Record<string, keyof Created>> = {
  'users.users': 'people',
  'store.categories': 'categories',
  'store.products': 'products',
  'store.plans': 'plans',
  'store.option_groups': 'optionGroups',
  'store.options': 'options',
  'store.option_values': 'optionValues',
  'store.coupons': 'coupons',
  'store.tax_rates': 'taxRates',
  'services.services': 'services',
  'billing.invoices': 'invoices',
  'affiliation.affiliates': 'affiliates',
  'affiliation.referrals': 'referrals',
}

/** Tables whose rows are deleted with the record that they reference: they contain nobody's work. */
const GO_ALONG = new Set([
  ...KEPT_OF_PEOPLE.map((table) => `users.${table}`),
  ...['notifications.notifications', 'notifications.preferences'],
  ...['store.plan_prices', 'store.tax_rate_versions'],
  ...['store.option_tiers', 'store.component_prices'],
  ...['services.recurring', 'services.drift_findings'],
  ...['billing.dues', 'billing.invoice_taxes', 'affiliation.visits'],
  'affiliation.click_days',
])

/** Tables into which an import writes, and whose rows name the import in a column. */
const BY_IMPORT_ID = new Set([
  ...['billing.imported_payments', 'billing.imported_credit', 'orders.imported_orders'],
  ...['affiliation.imported_balances', 'affiliation.imported_commissions'],
])

type Reference = { readonly child: string; readonly column: string; readonly parent: string }

/** Every column that references these tables, by a foreign key or `platform.refer`. */
async function referencesTo(tx: Tx, parents: readonly string[]): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select distinct child, column_name as column, parent from (
      select key.conrelid::regclass::text as child, key.confrelid::regclass::text as parent,
        (select attname from pg_catalog.pg_attribute
         where attrelid = key.conrelid and attnum = key.conkey[2])::text as column_name
      from pg_catalog.pg_constraint as key where key.contype = 'f'
      union all
      select split_part(encode(tgargs, 'escape'), '\\000', 1), tgrelid::regclass::text,
        split_part(encode(tgargs, 'escape'), '\\000', 2)
      from pg_catalog.pg_trigger where tgfoid = 'platform.refuse_orphans'::regproc
    ) as reference
    where parent = any(${[...parents]}) order by 1, 2`.execute(tx)
  return rows
}

/** Whether a row of a table, as `it`, was created or changed by the import itself. */
function isOwn(table: string, key: ImportKey): RawBuilder<unknown> {
  const { id } = key
  const kind = PARENTS[table]
  if (kind) {
    return sql`(it.id in (table ${sql.table(kind)}) or it.id in (${changedBy(key, table)}))`
  }
  if (BY_IMPORT_ID.has(table)) return sql`it.import_id = ${id}::uuid`
  // The group, or the product, of an earlier import.
  if (table === 'store.option_group_products') {
    return sql`(it.group_id in (table ${sql.table('optionGroups')})
      or (it.product_id in (table products) and exists (
        select from imports.origins as origin where origin.tenant_id = it.tenant_id
          and origin.target_id = it.group_id)))`
  }
  if (table === 'services.members') {
    return sql`(it.role = 'owner' and it.service_id in (table services))`
  }
  return sql`false`
}

/** Records of others that reference created records. */
function references(key: ImportKey, all: readonly Reference[]): RawBuilder<unknown>[] {
  return all
    .filter(({ child }) => !GO_ALONG.has(child))
    .map(({ child, column, parent }) => {
      const [, name] = child.split('.')
      return sql`
        select ${name}::text as code, coalesce(to_jsonb(it) ->> 'id', it.${sql.ref(column)}::text) as id
        from ${sql.table(child)} as it
        where it.tenant_id = ${key.tenantId} and it.${sql.ref(column)} in (table ${sql.table(PARENTS[parent] ?? '')})
          and not ${isOwn(child, key)}`
    })
}

/** Records of others that name created records without a reference that the database knows. */
function mentions({ tenantId, id }: ImportKey): RawBuilder<unknown>[] {
  const listed = (table: string, column: string, kind: keyof Created, also = sql``) => sql`
    select ${table.split('.')[1]}::text, it.id::text from ${sql.table(table)} as it
    where it.tenant_id = ${tenantId} ${also}
      and it.${sql.ref(column)} && array(select id from ${sql.table(kind)})`
  const notOurs = (kind: keyof Created) => sql`and it.id not in (table ${sql.table(kind)})`
  return [
    listed('store.coupons', 'product_ids', 'products', notOurs('coupons')),
    listed('store.coupons', 'category_ids', 'categories', notOurs('coupons')),
    listed('store.coupons', 'plan_ids', 'plans', notOurs('coupons')),
    listed('store.products', 'upgrade_target_ids', 'products', notOurs('products')),
    listed('notifications.announcements', 'product_ids', 'products'),
    sql`
    select 'role_mappings', id::text from bot.role_mappings
    where tenant_id = ${tenantId} and source_id in (table products)`,
    sql`
    select 'imported_refunds', refund.id::text from billing.imported_refunds as refund
    join billing.imported_payments as payment
      on payment.tenant_id = refund.tenant_id and payment.id = refund.payment_id
    where refund.tenant_id = ${tenantId} and payment.import_id = ${id}::uuid`,
    sql`
    select 'invoice_lines', line.id::text from billing.invoice_lines as line
    where line.tenant_id = ${tenantId} and line.invoice_id not in (table invoices)
      and (line.product_id in (table products) or line.service_id in (table services))`,
    sql`
    select 'newer_imports', newer.id::text from imports.imports as newer
    join imports.imports as this on this.tenant_id = newer.tenant_id and this.id = ${id}
    where newer.tenant_id = ${tenantId} and newer.id <> this.id and not newer.dry_run
      -- They run one after the other, not always in the order in which their files began to arrive.
      and (newer.finished_at is null or newer.finished_at > this.finished_at and newer.report is not null)
      and newer.status <> 'undone'`,
  ]
}

/** Changes to the records themselves: by staff or their owners, by a payment, or by renewals. */
function changes(key: ImportKey, { system }: { system: string }): RawBuilder<unknown>[] {
  const { tenantId, id } = key
  const kinds = Object.values(PARENTS).map((kind) => sql`table ${sql.table(kind)}`)
  const edited = (table: string) => sql`
    select 'edits', coalesce(object_id, actor_id)::text from ${sql.table(table)} as entry
    where entry.tenant_id = ${tenantId} and entry.changed and entry.route not like '%/impersonate'
      and (entry.object_id in (${sql.join(kinds, sql` union all `)})
        or (entry.actor_id in (table people) and entry.impersonator_id is null
          and entry.route not like '/v1/auth/%' and entry.route not like '/v1/notifications/%'))`
  const origins = sql`imports.origins as origin on origin.tenant_id = record.tenant_id
    and origin.system = ${system} and origin.target_id = record.id`
  return [
    ...['audit.entries', 'audit.pending'].map(edited),
    // Of erased users no hash is stored that would show whether the import has created them.
    sql`
    select 'erased_people', record.id::text from users.users as record join ${origins}
    where record.tenant_id = ${tenantId} and origin.import_id = ${id} and record.deleted_at is not null`,
    sql`
    select 'renewals', record.id::text from services.services as record
    where record.tenant_id = ${tenantId} and record.id in (table services)
      and record.next_invoice_at is not null`,
    ...(['clients', 'services', 'invoices'] as const).map(
      (resource) => sql`
    select 'changed_records', record.id::text from ${sql.table(RECORDS[resource])} as record join ${origins}
    where record.tenant_id = ${tenantId} and origin.target_hash <> ${TARGET_HASH[resource]}
      and (origin.import_id = ${id} or record.id in (${changedBy(key, RECORDS[resource])}))`,
    ),
    sql`
    select 'changed_records', record.id::text from billing.invoices as record
    where record.tenant_id = ${tenantId} and record.target_fingerprint <> ${TARGET_HASH.invoices}
      and (record.id in (table invoices) or record.id in (${changedBy(key, RECORDS.invoices)}))`,
    // Renewals after an earlier import whose invoices this import has marked as paid.
    sql`
    select 'renewals', period.service_id::text from services.periods as period
    where period.tenant_id = ${tenantId} and period.invoice_id in (${changedBy(key, RECORDS.invoices)})`,
    // The former values are unknown: an older version has imported these records, or their user has left.
    sql`
    select 'updated_records', found ->> 'id' from imports.imports as this
    cross join lateral jsonb_path_query(this.report,
      '$.resources.*.reasons[*] ? (@.code == "updated").rows[*]') as found
    where this.tenant_id = ${tenantId} and this.id = ${id} and not exists (
      select from imports.changes as change
      where change.tenant_id = this.tenant_id and change.import_id = this.id)`,
    ...(['services', 'invoices'] as const).map(
      (resource) => sql`
    select 'updated_records', record.id::text from ${sql.table(RECORDS[resource])} as record
    where record.tenant_id = ${tenantId} and record.imported ->> 'updatedBy' = ${id}
      and record.id not in (${changedBy(key, RECORDS[resource])})`,
    ),
  ]
}

/** The obstacles to undoing an import: everything that happened to its records and was not its own doing. */
export async function obstaclesTo(
  tx: Tx,
  key: ImportKey,
  system: string,
  created: Created,
): Promise<Obstacle[]> {
  const all = await referencesTo(tx, Object.keys(PARENTS))
  const kinds = Object.entries(created).map(
    ([kind, ids]) => sql`${sql.table(kind)} as materialized (${ids})`,
  )
  const owners = sql`table people union all table affiliates`
  const { tenantId, id } = key
  const booked = transactionsAfterOpenings({ tenantId, importId: id }, owners)
  const found = [
    ...references(key, all),
    ...mentions(key),
    ...changes(key, { system }),
    sql`select 'ledger_transactions', later.id::text from (${booked}) as later`,
  ]
  const { rows } = await sql<Obstacle>`
    with ${sql.join(kinds)}
    select code, count(distinct id)::integer as count, (array_agg(distinct id))[1:${sql.raw(`${NAMED}`)}] as ids
    from (${sql.join(found, sql` union all `)}) as found
    group by code order by code`.execute(tx)
  return rows
}
