import { sql } from 'kysely'
import { type Db, read, type Tx } from '#platform/database/index.ts'
import { PHONE } from '#users'
import type { Resource } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'

/** A part of the report: rows of a resource, and the amounts that are added up. */
export type Reported = {
  readonly name: string
  readonly resource: Resource
  readonly amounts?: Readonly<Record<string, string>>
  /** How the currency of a row is found. */
  readonly by?: 'client' | 'affiliate' | 'referral' | 'own' | 'line'
  /** Columns by which its amounts are also grouped, by their names in the report. */
  readonly statuses?: Readonly<Record<string, string>>
}

/** The resources that are reported, by their names in the report. */
export const REPORTED: readonly Reported[] = [
  { name: 'users', resource: 'clients' },
  { name: 'categories', resource: 'categories' },
  { name: 'products', resource: 'products' },
  { name: 'plans', resource: 'prices' },
  { name: 'optionGroups', resource: 'option_groups' },
  { name: 'optionLinks', resource: 'option_links' },
  { name: 'options', resource: 'options' },
  { name: 'optionValues', resource: 'option_values' },
  { name: 'coupons', resource: 'coupons' },
  { name: 'taxRates', resource: 'tax_rates' },
  {
    name: 'services',
    resource: 'services',
    by: 'own',
    amounts: { recurringCents: 'item.amount', firstCents: 'item.first_amount' },
    statuses: { services: 'item.status', serviceCycles: 'item.cycle' },
  },
  { name: 'serviceOptions', resource: 'service_options' },
  { name: 'orders', resource: 'orders', by: 'own', amounts: { amountCents: 'item.amount' } },
  {
    name: 'invoices',
    resource: 'invoices',
    by: 'own',
    statuses: { invoices: 'item.status' },
    amounts: {
      subtotalCents: 'item.subtotal',
      taxCents: 'item.tax',
      tax2Cents: 'item.tax2',
      creditCents: 'item.credit',
      dueCents: 'item.total',
      totalCents: 'item.subtotal + item.tax + item.tax2',
    },
  },
  {
    name: 'invoiceItems',
    resource: 'invoice_items',
    by: 'line',
    amounts: { amountCents: 'item.amount' },
  },
  {
    name: 'transactions',
    resource: 'transactions',
    by: 'own',
    amounts: {
      amountInCents: 'item.amount_in',
      amountOutCents: 'item.amount_out',
      feesCents: 'item.fees',
    },
  },
  {
    name: 'creditBalances',
    resource: 'balances',
    by: 'own',
    amounts: { balanceCents: 'item.amount' },
  },
  {
    name: 'creditLedger',
    resource: 'credit_entries',
    by: 'client',
    amounts: { amountCents: 'item.amount' },
  },
  {
    name: 'affiliates',
    resource: 'affiliates',
    by: 'own',
    amounts: { balanceCents: 'item.balance', withdrawnCents: 'item.withdrawn' },
  },
  { name: 'referrals', resource: 'referrals' },
  {
    name: 'commissions',
    resource: 'commissions',
    by: 'affiliate',
    amounts: { amountCents: 'item.amount' },
  },
  {
    name: 'pendingCommissions',
    resource: 'pending_commissions',
    by: 'referral',
    amounts: { amountCents: 'item.amount' },
  },
  {
    name: 'payouts',
    resource: 'payouts',
    by: 'affiliate',
    amounts: { amountCents: 'item.amount' },
  },
]

/** Rows of one outcome and reason. */
export type OutcomeCount = { outcome: string; reason: string | null; count: number; ids: string[] }

/** The outcomes of a resource's rows, with the ids of the first 1 000 of each reason. */
export function countOutcomes(
  db: Db,
  { tenantId, id }: ImportKey,
  resource: Resource,
): Promise<OutcomeCount[]> {
  return read(
    db,
    `select coalesce(outcome, 'imported') as outcome, reason, count(*)::integer as count,
       case when outcome is null then '{}'
         else ((array_agg(source_id order by source_id))[1:1000])::text[] end as ids
     from imports.staged_${resource} where tenant_id = $1 and import_id = $2
     group by outcome, reason order by count(*) desc, reason`,
    [tenantId, id],
  )
}

/** Sums in hundredths as text, by currency, by the outcome of the rows, and by their status. */
export type Sum = {
  currency: string
  decimals: number | null
  outcome: string
  count: number
  /** The values of the columns in `statuses`, in their order. */
  statuses: readonly (string | null)[]
} & Readonly<Record<string, unknown>>

/** All reported sums, by name. */
export type Sums = ReadonlyMap<string, readonly Sum[]>

/** Adds up everything that has amounts, each table once. The report and the check are based on it. */
export async function sumEverything(db: Db, key: ImportKey): Promise<Sums> {
  const sums = new Map<string, readonly Sum[]>()
  for (const reported of REPORTED) {
    if (reported.amounts) sums.set(reported.name, await sumAmounts(db, key, reported))
  }
  return sums
}

type Added = {
  readonly currency: string
  readonly decimals: number | null
  readonly outcome: string
  count: number
  /** In hundredths: what is computed from them is rounded once. */
  readonly amounts: Record<string, bigint>
}

/** The same sums, by currency and outcome only. */
export function regardlessOfStatus(sums: readonly Sum[]): Added[] {
  const added = new Map<string, Added>()
  for (const { currency, decimals, outcome, statuses: _, count, ...amounts } of sums) {
    const key = `${currency} ${outcome}`
    const sum = added.get(key) ?? { currency, decimals, outcome, count: 0, amounts: {} }
    added.set(key, sum)
    sum.count += count
    for (const [name, hundredths] of Object.entries(amounts)) {
      sum.amounts[name] = (sum.amounts[name] ?? 0n) + BigInt(String(hundredths))
    }
  }
  return [...added.values()]
}

function sumAmounts(
  db: Db,
  { tenantId, id }: ImportKey,
  { resource, by = 'client', amounts = {}, statuses = {} }: Reported,
): Promise<Sum[]> {
  const sums = Object.entries(amounts).map(
    ([name, expression]) => `coalesce(sum(${expression}), 0)::text as "${name}"`,
  )
  const columns = [
    `coalesce(${CURRENCY_OF[by].code}, 'UNKNOWN') as currency`,
    `max(${CURRENCY_OF[by].decimals})::integer as decimals`,
    `case item.outcome when 'skipped' then 'skipped' when 'failed' then 'failed' else 'imported' end as outcome`,
    `array[${Object.values(statuses).join(', ')}]::text[] as statuses`,
    'count(*)::integer as count',
    ...sums,
  ]
  return read(
    db,
    `select ${columns.join(', ')} from imports.staged_${resource} as item ${CURRENCY_OF[by].joins}
     where item.tenant_id = $1 and item.import_id = $2 group by 1, 3, 4 order by 1, 3, 4`,
    [tenantId, id],
  )
}

function join(resource: Resource, as: string, on: string): string {
  return `left join imports.staged_${resource} as ${as}
    on ${as}.tenant_id = item.tenant_id and ${as}.import_id = item.import_id
    and ${as}.source_id = ${on} and ${as}.outcome is distinct from 'failed'`
}

const OF_CLIENT = { code: 'currency.code', decimals: 'currency.decimals' }

const CURRENCY_OF = {
  client: {
    ...OF_CLIENT,
    joins: `${join('clients', 'client', 'item.client')}
      ${join('currencies', 'currency', 'client.currency')}`,
  },
  affiliate: {
    ...OF_CLIENT,
    joins: `${join('affiliates', 'affiliate', 'item.affiliate')}
      ${join('clients', 'client', 'affiliate.client')}
      ${join('currencies', 'currency', 'client.currency')}`,
  },
  referral: {
    ...OF_CLIENT,
    joins: `${join('referrals', 'referral', 'item.referral')}
      ${join('affiliates', 'affiliate', 'referral.affiliate')}
      ${join('clients', 'client', 'affiliate.client')}
      ${join('currencies', 'currency', 'client.currency')}`,
  },
  /** The currency that a row names itself, else that of its client. */
  own: {
    ...OF_CLIENT,
    joins: `${join('clients', 'client', 'item.client')}
      ${join('currencies', 'currency', 'coalesce(nullif(item.currency, 0), client.currency)')}`,
  },
  line: {
    ...OF_CLIENT,
    joins: `${join('invoices', 'invoice', 'item.invoice')}
      ${join('clients', 'client', 'coalesce(invoice.client, item.client)')}
      ${join('currencies', 'currency', 'coalesce(invoice.currency, client.currency)')}`,
  },
} as const

/** The credit of clients by currency. The credit of a merged client goes to the client that stays. */
export function sumCredit(db: Db, key: ImportKey): Promise<Sum[]> {
  return read(
    db,
    `select coalesce(currency.code, 'UNKNOWN') as currency,
       max(currency.decimals)::integer as decimals,
       case when item.survivor is null then 'skipped' else 'imported' end as outcome,
       '{}'::text[] as statuses, count(*)::integer as count,
       coalesce(sum(item.credit), 0)::text as "balanceCents"
     from imports.staged_clients as item ${join('currencies', 'currency', 'item.currency')}
     where item.tenant_id = $1 and item.import_id = $2 group by 1, 3 order by 1, 3`,
    [key.tenantId, key.id],
  )
}

/**
 * The prices that the catalogue will have: pairs of product and cycle, and the number of prices. Free
 * plans count without a price.
 */
export function countPlans(
  db: Db,
  key: ImportKey,
): Promise<{ months: number | null; pays: string; plans: number; prices: number }[]> {
  return read(
    db,
    `select months::integer as months, pays, count(distinct product)::integer as plans,
       count(*)::integer as prices
     from (
       select cycle.months, coalesce(item.pays, product.pays) as pays, product.source_id as product
       from imports.staged_prices as item
       ${join('products', 'product', 'item.product')}
       cross join lateral (
         select case coalesce(item.pays, product.pays) when 'recurring' then given.months
                                                       when 'one_time' then 0 end as months
         from unnest(item.months, item.amounts) with ordinality as given (months, amount, place)
         where case coalesce(item.pays, product.pays) when 'recurring' then given.amount >= 0
           when 'one_time' then given.place = 1 and given.amount >= 0 else given.place = 1 end
       ) as cycle
       where item.tenant_id = $1 and item.import_id = $2 and item.outcome is null
         and item.kind = 'product'
       union all
       select null, 'free', product from (${FREE_PLANS}) as free
     ) as price
     group by 1, 2 order by 2, 1`,
    [key.tenantId, key.id],
  )
}

/** Products with a free plan that has no price, unless they were imported before. */
const FREE_PLANS = `
  select distinct plan.product from imports.staged_plans as plan
  join imports.staged_products as product on product.tenant_id = plan.tenant_id
    and product.import_id = plan.import_id and product.source_id = plan.product
    and product.outcome is null
  left join imports.staged_prices as price on price.tenant_id = plan.tenant_id
    and price.import_id = plan.import_id and price.plan = plan.source_id
  where plan.tenant_id = $1 and plan.import_id = $2 and plan.kind = 'product'
    and plan.pays = 'free' and price.source_id is null`

/** How the passwords of the imported clients are stored, by their form. */
export function countPasswords(db: Db, key: ImportKey): Promise<{ form: string; count: number }[]> {
  return read(
    db,
    `select ${PASSWORD_FORM} as form, count(*)::integer as count
     from imports.staged_clients where tenant_id = $1 and import_id = $2 and outcome is null
     group by 1 order by 1`,
    [key.tenantId, key.id],
  )
}

/** As PHP writes it, with at most 256 MB and 9 passes: a hash from a file determines the cost of a sign-in. */
const ARGON2 = String.raw`^\$argon2id?\$v=19\$m=([1-9]\d{0,4}|1\d{5}|2[0-5]\d{4}),t=[1-9],p=\d\$[\w+/]+\$[\w+/]+$`

/** With a similar limit: each step of the cost doubles it, and 14 takes a second. */
const BCRYPT = String.raw`^\$2[aby]\$(0[4-9]|1[0-4])\$`

/** The forms of passwords of old systems. A hash that is too expensive to compare is not kept. */
export const PASSWORD_FORM = `case when password is null then 'none' when password = '' then 'empty'
  when password ~ '${BCRYPT}' then 'bcrypt' when password ~ '^[0-9a-f]{64}:' then 'hmac-sha256'
  when password ~ '${ARGON2}' then 'argon2'
  when password ~ '^[0-9a-f]{32}:' then 'md5salt' when password ~ '^[0-9a-f]{32}$' then 'md5'
  else 'encrypted' end`

/** Whether the phone number of a row, `item`, is one that users could have typed here. */
export const IS_PHONE = `coalesce(length(btrim(item.phone)) between ${PHONE.minLength} and ${PHONE.maxLength}
  and btrim(item.phone) ~ '${PHONE.pattern}', false)`

/** Stores the rows that were left out, merged or failed, for the list of them. */
export async function storeOutcomes(
  tx: Tx,
  { tenantId, id }: ImportKey,
  resource: Resource,
  table: string,
): Promise<void> {
  await sql`insert into imports.notes (tenant_id, import_id, kind, code, source_table, source_id)
    select tenant_id, import_id, outcome, reason, ${table}, source_id
    from ${sql.raw(`imports.staged_${resource}`)}
    where tenant_id = ${tenantId} and import_id = ${id} and outcome is not null
    order by source_id`.execute(tx)
}
