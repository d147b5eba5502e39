import { sql } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import { followAffiliates } from '../following/affiliates.ts'
import { followRows } from '../following/follow.ts'
import { CYCLE_OF_PLAN, OTHER_CYCLE, RESOURCES, type Resource } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'

/** Reasons that are nobody's decision: the row could not be kept as it was. */
const FAILURES = [
  ...['fraction_of_unit', 'unknown_currency_code'],
  ...['price_too_high', 'invalid_value', 'unreadable_line'],
  // Lines that cannot be read are staged all the same.
  ...['invalid_amount', 'invalid_number', 'expression'],
]

/** Where rows come from, to know those again that were imported before. */
export type Origin = {
  readonly system: string
  readonly tableOf: (resource: Resource) => string | undefined
  /** Whether its table is in the dump at all. */
  readonly holds: (resource: Resource) => boolean
}

/**
 * Decides what becomes of every staged row: where nothing is noted, it is imported. One statement for
 * each resource, in an order in which each finds what it depends on decided. Answers whether anything of
 * its system was imported before, which these rows may change.
 */
export async function judgeRows(tx: Tx, key: ImportKey, origin: Origin): Promise<boolean> {
  const again = await cameBefore(tx, key, origin)
  const known = async (resource: Resource) => {
    if (again) await recognise(tx, key, origin, resource)
  }
  for (const resource of RESOURCES) await failDoubles(tx, key, resource)
  await settleLogins(tx, key)
  await mergeClients(tx, key)
  await known('clients')
  await meetAccounts(tx, key)
  for (const resource of ['categories', 'products', 'tax_rates'] as const) await known(resource)
  for (const judgement of JUDGEMENTS) {
    const { resource } = judgement
    // Affiliates are locked behind invoices by everybody.
    if (again && resource === 'affiliates') await followRows(tx, key, origin)
    await judge(tx, key, judgement)
    await known(resource)
    if (again && resource === 'affiliates') await followAffiliates(tx, key, origin)
  }
  return again
}

/** Whether anything of a system was imported before: nothing is without whose it is. */
async function cameBefore(tx: Tx, { tenantId }: ImportKey, { system }: Origin): Promise<boolean> {
  const row = await tx
    .selectFrom('imports.origins')
    .select('sourceId')
    .where('tenantId', '=', tenantId)
    .where('system', '=', system)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Nothing is known yet of rows that were written just now: taken for few, they would be compared each
 * with each.
 */
export async function planForBulk(tx: Tx): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(tx)
  // Merged by the tenant alone, which is the same for all of them, they would be too.
  await sql`set local enable_mergejoin = off`.execute(tx)
  // Joined in the order that is written, by the rows' own ids first.
  await sql`set local join_collapse_limit = 1`.execute(tx)
  await sql`set local from_collapse_limit = 1`.execute(tx)
  // What is off counts as dear, and what is dear is compiled first, for longer than it takes.
  await sql`set local jit = off`.execute(tx)
  await sql`set local work_mem = '64MB'`.execute(tx)
  // The other processors have other parts of the import to write.
  await sql`set local max_parallel_workers_per_gather = 0`.execute(tx)
  // A statement over a million rows may take longer than any of a request.
  await sql`set local statement_timeout = 0`.execute(tx)
}

type Judgement = {
  readonly resource: Resource
  /** What the rows are joined with, as `item`. */
  readonly joins?: string
  /** Why a row is left out; null for one that is imported. */
  readonly reason: string
}

/** Of rows with the same id the first one counts. */
async function failDoubles(tx: Tx, { tenantId, id }: ImportKey, resource: Resource): Promise<void> {
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

/** A row of another resource, by its id in the old system. */
function join(resource: Resource, as: string, on: string): string {
  return `left join imports.staged_${resource} as ${as}
    on ${as}.tenant_id = item.tenant_id and ${as}.import_id = item.import_id
    and ${as}.source_id = ${on} and ${as}.outcome is distinct from 'failed'`
}

const CLIENT = `${join('clients', 'client', 'item.client')}
  ${join('currencies', 'currency', 'client.currency')}`
/** As `CLIENT`, for rows that may name a currency of their own. */
const PARTY = `${join('clients', 'client', 'item.client')}
  ${join('currencies', 'currency', 'coalesce(nullif(item.currency, 0), client.currency)')}`
const NO_CLIENT = `when client.source_id is null then 'orphan_client'
  when client.survivor is null then 'client_not_imported'`

/** Amounts that the currency cannot hold are refused, as is what is in no currency of this world. */
function amounts(...columns: string[]): string {
  const whole = columns.map((column) => `item.${column} % 100 <> 0`).join(' or ')
  return `when currency.decimals is null then 'unknown_currency_code'
    when currency.decimals = 0 and (${whole}) then 'fraction_of_unit'`
}

/** Reasons of rows that are here by an import before. */
const HERE = `'already_imported', 'updated', 'changed_here', 'owner_changed', 'document_changed'`

const AFFILIATE = `${join('affiliates', 'affiliate', 'item.affiliate')}
  ${join('clients', 'client', 'affiliate.client')}
  ${join('currencies', 'currency', 'client.currency')}`
const NO_AFFILIATE = `when affiliate.source_id is null then 'orphan_affiliate'
  when affiliate.reason = 'changed_here' then 'changed_here'
  when affiliate.outcome is not null and affiliate.reason not in (${HERE})
    then 'affiliate_not_imported'`

const JUDGEMENTS: readonly Judgement[] = [
  {
    resource: 'prices',
    joins: `${join('products', 'product', 'item.product')}
      ${join('currencies', 'currency', 'item.currency')}`,
    reason: `case when item.months = array[${CYCLE_OF_PLAN}]::bigint[] then 'orphan_plan'
      when item.kind <> 'product' then 'unsupported_pricing_type'
      when product.source_id is null then 'orphan_product'
      when item.months = array[${OTHER_CYCLE}]::bigint[] then 'unsupported_cycle'
      when currency.source_id is null then 'unknown_currency'
      when product.reason = 'already_imported' then 'already_imported'
      when currency.decimals is null then 'unknown_currency_code'
      when exists (
        select from unnest(item.amounts || item.setup_fees) as price (cents)
        where price.cents > 10000000000 / power(10, currency.decimals - 2)
      ) then 'price_too_high'
      when item.plan is not null and row_number() over (
        partition by item.plan is null, item.kind, item.product, coalesce(item.months[1], 0),
          item.currency order by item.plan, item.row_number) > 1 then 'duplicate_cycle' end`,
  },
  {
    resource: 'coupons',
    reason: `case when item.type not in ('percent', 'fixed') then 'unsupported_coupon_type'
      when item.code = '' or item.value < 1 or item.value > case item.type
        when 'percent' then 10000 else 10000000000 end then 'invalid_value'
      when row_number() over (partition by lower(item.code), item.type in ('percent', 'fixed')
        order by item.row_number) > 1 then 'duplicate_code' end`,
  },
  {
    resource: 'services',
    joins: `${PARTY} ${join('products', 'product', 'item.product')}`,
    reason: `case ${NO_CLIENT}
      when product.source_id is null then 'orphan_product'
      when item.months = ${CYCLE_OF_PLAN} then 'orphan_plan'
      when item.months = ${OTHER_CYCLE} then 'unsupported_cycle'
      ${amounts('first_amount', 'amount')} end`,
  },
  { resource: 'orders', joins: PARTY, reason: `case ${NO_CLIENT} ${amounts('amount')} end` },
  {
    resource: 'invoices',
    joins: `${PARTY} left join (
        select distinct tenant_id, import_id, invoice from imports.staged_invoice_items
        where type = 'Invoice' and invoice > 0
      ) as together on together.tenant_id = item.tenant_id
        and together.import_id = item.import_id and together.invoice = item.source_id
      left join (
        select distinct tenant_id, import_id, invoice from imports.staged_invoice_items
        where fault is not null
      ) as unread on unread.tenant_id = item.tenant_id
        and unread.import_id = item.import_id and unread.invoice = item.source_id`,
    reason: `case ${NO_CLIENT}
      when unread.invoice is not null then 'unreadable_line'
      when together.invoice is not null and item.state not in ('paid', 'refunded', 'void')
        then 'mass_payment_unpaid'
      ${amounts('subtotal', 'tax', 'tax2', 'credit', 'total')} end`,
  },
  {
    resource: 'invoice_items',
    joins: `${join('invoices', 'invoice', 'item.invoice')}
      ${join('clients', 'client', 'invoice.client')}
      ${join('currencies', 'currency', 'coalesce(invoice.currency, client.currency)')}`,
    reason: `case when item.fault is not null then item.fault
      when invoice.source_id is null then 'orphan_invoice'
      when invoice.reason = 'already_imported' then 'already_imported'
      when invoice.outcome is not null then 'invoice_not_imported'
      ${amounts('amount')} end`,
  },
  {
    resource: 'transactions',
    joins: PARTY,
    reason: `case when item.client = 0 then 'no_client'
      when item.client is null then 'orphan_invoice' ${NO_CLIENT}
      when item.state = 'credit' then 'credit_used'
      when item.state is not null then 'no_money_moved'
      ${amounts('amount_in', 'fees', 'amount_out')} end`,
  },
  { resource: 'balances', joins: PARTY, reason: `case ${NO_CLIENT} ${amounts('amount')} end` },
  {
    resource: 'credit_entries',
    joins: CLIENT,
    reason: `case ${NO_CLIENT} ${amounts('amount')} end`,
  },
  {
    resource: 'affiliates',
    joins: PARTY,
    reason: `case ${NO_CLIENT} ${amounts('balance', 'withdrawn')} end`,
  },
  {
    resource: 'referrals',
    joins: `${join('affiliates', 'affiliate', 'item.affiliate')}
      ${join('services', 'service', 'item.service')}
      ${join('orders', 'sale', 'item.order_ref')}`,
    reason: `case ${NO_AFFILIATE}
      when item.order_ref is not null then case when sale.source_id is null then 'orphan_order'
        when sale.outcome is not null and sale.reason <> 'already_imported'
          then 'order_not_imported' end
      when service.source_id is null then 'orphan_service'
      when service.outcome is not null and service.reason not in (${HERE})
        then 'service_not_imported' end`,
  },
  {
    resource: 'commissions',
    joins: AFFILIATE,
    reason: `case ${NO_AFFILIATE} ${amounts('amount')} end`,
  },
  {
    resource: 'payouts',
    joins: AFFILIATE,
    reason: `case ${NO_AFFILIATE} ${amounts('amount')} end`,
  },
  {
    resource: 'pending_commissions',
    joins: `${join('referrals', 'referral', 'item.referral')}
      ${join('affiliates', 'affiliate', 'referral.affiliate')}
      ${join('clients', 'client', 'affiliate.client')}
      ${join('currencies', 'currency', 'client.currency')}`,
    reason: `case when referral.source_id is null then 'orphan_referral'
      ${NO_AFFILIATE} ${amounts('amount')}
      when item.amount < 0 then 'invalid_value' end`,
  },
]

/** Where history stands here, with the system and the id that it had there. */
const HISTORY: Partial<Record<Resource, string>> = {
  transactions: 'billing.imported_payments',
  credit_entries: 'billing.imported_credit',
  orders: 'orders.imported_orders',
}

/** Rows that were imported before stay what they became then, unless they are followed. */
async function recognise(tx: Tx, key: ImportKey, origin: Origin, resource: Resource) {
  await recogniseByOrigin(tx, key, origin, resource)
  const records = HISTORY[resource]
  if (!records) return
  const { tenantId, id } = key
  await sql`
    update ${sql.raw(`imports.staged_${resource}`)} as target
    set outcome = 'skipped', reason = 'already_imported', target_id = record.id
    from ${sql.raw(records)} as record
    where target.tenant_id = ${tenantId} and target.import_id = ${id} and target.outcome is null
      and record.tenant_id = ${tenantId} and record.system = ${origin.system}
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

/**
 * Who has an account here already is that person, if they have shown that the address is theirs.
 * Otherwise anybody could take over what somebody else has by being here first.
 */
async function meetAccounts(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await sql`
    update imports.staged_clients as target
    set outcome = case when account.email_verified_at is null then 'skipped' else 'merged' end,
        reason = case when account.email_verified_at is null
          then 'address_not_confirmed' else 'account_exists' end,
        target_id = account.id
    from users.users as account
    where target.tenant_id = ${tenantId} and target.import_id = ${id} and target.outcome is null
      and account.tenant_id = ${tenantId} and account.email = target.login
  `.execute(tx)
  await sql`
    update imports.staged_clients as target
    set outcome = 'skipped', reason = 'address_not_confirmed', survivor = null
    from imports.staged_clients as first
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and first.tenant_id = ${tenantId} and first.import_id = ${id}
      and first.source_id = target.survivor and first.reason = 'address_not_confirmed'
  `.execute(tx)
}

/** Where logins stand apart from clients, the first owner's are the client's. */
async function settleLogins(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await sql`
    with owners as (
      select distinct on (link.client) link.client, login.email, login.password
      from imports.staged_login_clients as link
      join imports.staged_logins as login
        on login.tenant_id = link.tenant_id and login.import_id = link.import_id
        and login.source_id = link.login and login.outcome is null
      where link.tenant_id = ${tenantId} and link.import_id = ${id} and link.owner
        and link.outcome is null
      order by link.client, link.source_id
    ), apart as (
      select exists (select from imports.staged_logins
        where tenant_id = ${tenantId} and import_id = ${id}) as logins
    ), settled as (
      select client.row_number, lower(btrim(coalesce(owners.email, client.email), ${BLANK})) as login,
        case when apart.logins then owners.password else client.password end as password
      from imports.staged_clients as client
      cross join apart
      left join owners on owners.client = client.source_id
      where client.tenant_id = ${tenantId} and client.import_id = ${id}
    )
    update imports.staged_clients as target
    set login = settled.login, password = settled.password
    from settled
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = settled.row_number
  `.execute(tx)
}

const BLANK = ' \t\n\r\v\f'
const ADDRESS = `^[^\\s@<>"']+@[^\\s@]+\\.[^\\s@]+$`

/** One mailbox is one person: the client that came first stays, the others go into it. */
async function mergeClients(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await sql`
    with judged as (
      select row_number, source_id, outcome,
        login ~ ${ADDRESS} and length(login) <= 254 as reachable,
        min(source_id) filter (where outcome is null) over (partition by login) as first
      from imports.staged_clients
      where tenant_id = ${tenantId} and import_id = ${id}
    )
    update imports.staged_clients as target
    set survivor = case when judged.reachable then judged.first end,
        outcome = case when not judged.reachable then 'skipped'
          when judged.first <> target.source_id then 'merged' end,
        reason = case when not judged.reachable then 'invalid_email'
          when judged.first <> target.source_id then 'duplicate_email' end
    from judged
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = judged.row_number and judged.outcome is null
  `.execute(tx)
}
