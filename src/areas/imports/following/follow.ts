import { type RawBuilder, sql } from 'kysely'
import { lockImportedInvoices, owedOn } from '#billing'
import type { Tx } from '#platform/database/index.ts'
import { lockImportedServices } from '#services'
import { lockImportedUsers } from '#users'
import type { Origin } from '../outcomes/judge.ts'
import type { ImportKey } from '../staging/writer.ts'
import { cents, joined, PARTY, staged } from '../writing/rows.ts'
import {
  FOLLOWED,
  FORMER_HASH_OF_SERVICES,
  type Followed,
  joinedMoney,
  RECORDS,
  SOURCE_HASH,
  TARGET_HASH,
} from './hashes.ts'

const LOCKS = {
  clients: lockImportedUsers,
  services: lockImportedServices,
  invoices: lockImportedInvoices,
} as const

/** Why a row that was changed in the old system is not updated although nobody changed it here. */
const HINDRANCES: Readonly<Record<Followed, RawBuilder<unknown>>> = {
  clients: sql``,
  services: sql`when owner.target_id is distinct from record.user_id
    or currency.code <> record.currency then 'owner_changed'`,
  invoices: sql`when owner.target_id is distinct from record.user_id
    or currency.code <> record.currency then 'owner_changed'
    -- Nobody may be asked for an invoice that is settled there, such as after a fee for paying late.
    when ((${cents('item.subtotal')}, ${cents('(item.tax + item.tax2)')},
        ${cents('(item.subtotal + item.tax + item.tax2)')})
      is distinct from (record.net_cents, record.tax_cents, record.total_cents)
      and not (item.state in ('paid', 'void') and record.status = 'open'))
      or (item.state = 'draft' and record.status <> 'draft') then 'document_changed'
    -- It is the renewal of a service here: reminders, charges and its end are decided here.
    when item.state <> 'paid' and exists (select from services.periods as period
      where period.tenant_id = record.tenant_id and period.invoice_id = record.id)
      then 'changed_here'`,
}

/**
 * Decides what a newer dump changes in records that were imported before, and locks them: a row that was changed only
 * in the old system is `updated`, one that was changed in both places stays as it is here.
 */
export async function followRows(tx: Tx, key: ImportKey, origin: Origin): Promise<void> {
  for (const resource of FOLLOWED) {
    const table = origin.tableOf(resource)
    if (!table) continue
    const { tenantId } = key
    await LOCKS[resource](tx, tenantId, changedThere(key, { ...origin, table, resource }))
    await followChanged(tx, key, { ...origin, table, resource })
  }
  const clients = origin.tableOf('clients')
  const { system } = origin
  if (clients) await followCredit(tx, key, { system, table: clients, resource: 'clients' })
}

type What = {
  readonly system: string
  readonly table: string
  readonly resource: Followed
}

/** The record that an earlier import created from a row. */
function joinedOrigin(
  { tenantId }: ImportKey,
  { system, table, resource }: What,
): RawBuilder<unknown> {
  const kept = sql`select source_id, target_id, source_hash, target_hash, credit, credit_currency
    from imports.origins
    where tenant_id = ${tenantId} and system = ${system} and source_table = ${table}`
  // Invoices store their own source, except for those of the first imports.
  const invoices = sql`${kept} union all
    select source_id, id, source_fingerprint, target_fingerprint, null, null from billing.invoices
    where tenant_id = ${tenantId} and source_system = ${system}`
  return sql`join (${resource === 'invoices' ? invoices : kept}) as origin
    on origin.source_id = item.source_id`
}

/** Rows whose content in the old system has changed since the last import. */
function differing({ tenantId, id }: ImportKey, { resource }: What): RawBuilder<unknown> {
  return sql`item.tenant_id = ${tenantId} and item.import_id = ${id}
    and item.reason = 'already_imported' and origin.target_hash is not null
    and origin.source_hash <> ${SOURCE_HASH[resource]}`
}

function changedThere(key: ImportKey, what: What): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`
    select origin.target_id as id from ${staged(what.resource, 'item')}
    ${joinedOrigin(key, what)} ${joinedMoney(what.resource, key)}
    where ${differing(key, what)}`
}

async function followChanged(tx: Tx, key: ImportKey, what: What): Promise<void> {
  const { tenantId, id } = key
  const { resource } = what
  const noted = {
    clients: sql`, follows = found.reason = 'updated'`,
    services: sql``,
    invoices: sql`, owed_before = found.owed`,
  }
  const owed = resource === 'invoices' ? owedOn('record') : sql`0`
  await sql`
    update ${sql.raw(`imports.staged_${resource}`)} as target
    set outcome = case found.reason when 'updated' then 'merged' else 'skipped' end,
      reason = found.reason ${noted[resource]}
    from (
      select item.row_number, ${owed} as owed,
        case when origin.target_hash <> ${TARGET_HASH[resource]}
          ${resource === 'services' ? sql`and origin.target_hash <> ${FORMER_HASH_OF_SERVICES}` : sql``}
          then 'changed_here'
          ${HINDRANCES[resource]} else 'updated' end as reason
      from ${staged(resource, 'item')}
      ${joinedOrigin(key, what)}
      join ${sql.raw(RECORDS[resource])} as record
        on record.tenant_id = ${tenantId} and record.id = origin.target_id
      ${resource === 'clients' ? sql`` : PARTY}
      ${joinedMoney(resource, key)}
      where ${differing(key, what)}
    ) as found
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = found.row_number
  `.execute(tx)
}

/**
 * By how much credit changed in the old system: it changes by the same amount here, whatever happened
 * to it here. If credit was spent in both places, this is reported, and nothing is deducted.
 */
async function followCredit(tx: Tx, key: ImportKey, what: What): Promise<void> {
  const { tenantId, id } = key
  await sql`
    with known as (
      select item.row_number, item.target_id as user_id, currency.code, origin.credit_currency,
        item.credit - origin.credit as change, ${cents('(item.credit - origin.credit)')} as cents,
        ${cents('origin.credit')} as base
      from ${staged('clients', 'item')}
      ${joinedOrigin(key, what)}
      ${joined('currencies', 'currency', 'item.currency')}
      where item.tenant_id = ${tenantId} and item.import_id = ${id} and origin.credit is not null
        and item.target_id = origin.target_id
    ), person as (
      select user_id, code, sum(cents) as cents, sum(base) as base from known group by user_id, code
      having sum(cents) <> 0
    ), standing as (
      select person.*, coalesce(-balance.balance_cents, 0) as credit
      from person
      left join ledger.accounts as account on account.tenant_id = ${tenantId}
        and account.code = 'credit:' || person.user_id
      left join ledger.balances as balance on balance.tenant_id = ${tenantId}
        and balance.account_id = account.id and balance.currency = person.code
    ), decided as (
      select known.row_number, known.change,
        known.code <> known.credit_currency or (standing.cents < 0
          and standing.credit + standing.cents < 0 and standing.credit <> standing.base) as kept
      from known
      join standing on standing.user_id = known.user_id and standing.code = known.code
    )
    update imports.staged_clients as target
    set credit_kept = decided.kept,
      credit_change = case when decided.kept then 0 else decided.change end,
      outcome = case when decided.kept or target.reason <> 'already_imported' then target.outcome
        else 'merged' end,
      reason = case when decided.kept or target.reason <> 'already_imported' then target.reason
        else 'updated' end
    from decided
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = decided.row_number and decided.change <> 0
  `.execute(tx)
}

/** Stores what was imported now, so that the next dump is compared with it. */
export async function rememberFollowed(tx: Tx, key: ImportKey, origin: Origin): Promise<void> {
  const { tenantId, id } = key
  const { system } = origin
  for (const resource of FOLLOWED) {
    const table = origin.tableOf(resource)
    if (!table) continue
    await sql`
      update imports.origins as origin
      set source_hash = ${SOURCE_HASH[resource]}, target_hash = ${TARGET_HASH[resource]}
      from ${staged(resource, 'item')}
      join ${sql.raw(RECORDS[resource])} as record
        on record.tenant_id = ${tenantId} and record.id = item.target_id
      ${joinedMoney(resource, key)}
      where item.tenant_id = ${tenantId} and item.import_id = ${id} and item.reason = 'updated'
        and origin.tenant_id = ${tenantId} and origin.system = ${system}
        and origin.source_table = ${table} and origin.source_id = item.source_id
        ${resource === 'clients' ? sql`and item.follows` : sql``}
    `.execute(tx)
  }
  const clients = origin.tableOf('clients')
  await sql`
    update imports.origins as origin set credit = item.credit
    from ${staged('clients', 'item')}
    where item.tenant_id = ${tenantId} and item.import_id = ${id} and item.credit_change <> 0
      and origin.tenant_id = ${tenantId} and origin.system = ${system}
      and origin.source_table = ${clients ?? ''} and origin.source_id = item.source_id
  `.execute(tx)
}
