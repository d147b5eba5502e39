import { CYCLE_OF_PLAN, OTHER_CYCLE, type Resource } from '../staging/resources.ts'

/** Reasons for a failure rather than a decision: the row could not be imported as it was. */
export const FAILURES = [
  ...['fraction_of_unit', 'unknown_currency_code'],
  ...['price_too_high', 'invalid_value', 'unreadable_line'],
  // Lines that cannot be read are staged nevertheless.
  ...['invalid_amount', 'invalid_number', 'expression', 'empty_amount', 'negative_amount'],
]

/** What is decided about the rows of a resource that have no outcome yet. */
export type Judgement = {
  readonly resource: Resource
  /** Joins of the rows, which are `item`. */
  readonly joins?: string
  /** An expression for why a row is left out; null for one that is imported. */
  readonly reason: string
}

/** A row of another resource, by its id in the old system. */
function join(resource: Resource, as: string, on: string): string {
  return `left join imports.staged_${resource} as ${as}
    on ${as}.tenant_id = item.tenant_id and ${as}.import_id = item.import_id
    and ${as}.source_id = ${on} and ${as}.outcome is distinct from 'failed'`
}

const CLIENT = `${join('clients', 'client', 'item.client')}
  ${join('currencies', 'currency', 'client.currency')}`
/** Like `CLIENT`, for rows that may name a currency of their own. */
const PARTY = `${join('clients', 'client', 'item.client')}
  ${join('currencies', 'currency', 'coalesce(nullif(item.currency, 0), client.currency)')}`
const NO_CLIENT = `when client.source_id is null then 'orphan_client'
  when client.survivor is null then 'client_not_imported'`

/** Refuses amounts that the currency cannot represent, and unknown currencies. */
function amounts(...columns: string[]): string {
  const whole = columns.map((column) => `item.${column} % 100 <> 0`).join(' or ')
  return `when currency.decimals is null then 'unknown_currency_code'
    when currency.decimals = 0 and (${whole}) then 'fraction_of_unit'`
}

/** Reasons of rows that exist here because of an earlier import. */
const HERE = `'already_imported', 'updated', 'changed_here', 'owner_changed', 'document_changed'`

const AFFILIATE = `${join('affiliates', 'affiliate', 'item.affiliate')}
  ${join('clients', 'client', 'affiliate.client')}
  ${join('currencies', 'currency', 'client.currency')}`
const NO_AFFILIATE = `when affiliate.source_id is null then 'orphan_affiliate'
  when affiliate.reason = 'changed_here' then 'changed_here'
  when affiliate.outcome is not null and affiliate.reason not in (${HERE})
    then 'affiliate_not_imported'`

export const JUDGEMENTS: readonly Judgement[] = [
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
      when item.amount < 0 then 'negative_amount'
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
