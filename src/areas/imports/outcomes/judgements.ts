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

/** Whether a row of an option is imported now or was before. */
function isHere(as: string): string {
  return `(${as}.outcome is null or ${as}.reason = 'already_imported')`
}

/**
 * Whether the groups of an earlier import that a new product gets have an option with the same key: the first of them is
 * offered with it.
 */
function sharesKey(): string {
  return `owner.outcome is not null and exists (
        select from imports.staged_option_links as former
        join imports.staged_option_groups as other on other.tenant_id = former.tenant_id
          and other.import_id = former.import_id and other.source_id = former.option_group
          and other.reason = 'already_imported'
        join store.options as theirs on theirs.tenant_id = other.tenant_id
          and theirs.group_id = other.target_id
        join store.options as own on own.tenant_id = theirs.tenant_id and own.key = theirs.key
          and own.group_id = owner.target_id
        where former.tenant_id = item.tenant_id and former.import_id = item.import_id
          and former.product = item.product and former.row_number < item.row_number
          and former.option_group <> item.option_group)`
}

/** The most options of a group, and values of an option: what a product and an option may have here. */
const [MOST_OPTIONS, MOST_VALUES] = [50, 200]
/** The most that a price of an option may be, in cents. */
const MOST_CENTS = 100_000_000

export const JUDGEMENTS: readonly Judgement[] = [
  {
    resource: 'options',
    joins: `${join('option_groups', 'owner', 'item.option_group')} left join (
        select distinct tenant_id, import_id, option from imports.staged_option_values
        where outcome is distinct from 'failed'
      ) as priced on priced.tenant_id = item.tenant_id and priced.import_id = item.import_id
        and priced.option = item.source_id`,
    reason: `case when owner.source_id is null then 'orphan_option_group'
      when priced.option is null then 'option_without_values'
      when row_number() over (partition by item.option_group, priced.option is null
        order by item.position, item.source_id) > ${MOST_OPTIONS} then 'too_many_options' end`,
  },
  {
    resource: 'option_values',
    joins: join('options', 'option', 'item.option'),
    reason: `case when option.source_id is null then 'orphan_option'
      when not ${isHere('option')} then 'option_not_imported'
      -- A toggle and a quantity have one price here.
      when option.kind <> 'select' and (option.outcome is not null or row_number() over (
        partition by item.option order by item.position, item.source_id, item.row_number) > 1)
        then 'unused_option_value'
      when row_number() over (partition by item.option order by item.position, item.source_id)
        > ${MOST_VALUES} then 'too_many_values' end`,
  },
  {
    resource: 'option_links',
    joins: `${join('option_groups', 'owner', 'item.option_group')}
      ${join('products', 'product', 'item.product')}`,
    reason: `case when owner.source_id is null then 'orphan_option_group'
      when product.source_id is null then 'orphan_product'
      when owner.outcome is not null and product.outcome is not null then 'already_imported'
      when row_number() over (partition by item.option_group, item.product
        order by item.row_number) > 1 then 'duplicate_link'
      when ${sharesKey()} then 'option_twice' end`,
  },
  {
    resource: 'prices',
    joins: `${join('products', 'product', 'item.product')}
      ${join('currencies', 'currency', 'item.currency')}
      ${join('option_values', 'value', "case item.kind when 'configoptions' then item.product end")}`,
    reason: `case when item.months = array[${CYCLE_OF_PLAN}]::bigint[] then 'orphan_plan'
      when item.kind = 'configoptions' then case
        when value.source_id is null then 'orphan_option_value'
        when not ${isHere('value')} then 'option_not_imported'
        when currency.source_id is null then 'unknown_currency'
        when currency.decimals is null then 'unknown_currency_code'
        when 0 > any(item.amounts || item.setup_fees) then 'negative_option_price'
        when exists (
          select from unnest(item.amounts || item.setup_fees) as price (cents)
          where price.cents * power(10, currency.decimals - 2) > ${MOST_CENTS}
        ) then 'price_too_high'
        when currency.decimals = 0 and exists (
          select from unnest(item.amounts || item.setup_fees) as price (cents)
          where price.cents % 100 <> 0
        ) then 'fraction_of_unit'
        when row_number() over (partition by item.kind, item.product, item.currency
          order by item.row_number) > 1 then 'duplicate_price'
        when value.reason = 'already_imported' then 'already_imported' end
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
  {
    resource: 'service_options',
    joins: `${join('services', 'service', 'item.service')}
      ${join('options', 'option', 'item.option')}
      ${join('option_values', 'value', "item.value and option.kind = 'select'")}
      left join (
        select distinct tenant_id, import_id, option from imports.staged_option_values as unit
        where ${isHere('unit')}
      ) as priced on priced.tenant_id = item.tenant_id and priced.import_id = item.import_id
        and priced.option = item.option and option.kind <> 'select'
      left join (
        select distinct tenant_id, import_id, option_group, product
        from imports.staged_option_links as link where ${isHere('link')}
      ) as offer on offer.tenant_id = item.tenant_id and offer.import_id = item.import_id
        and offer.option_group = option.option_group and offer.product = service.product`,
    reason: `case when service.source_id is null then 'orphan_service'
      when service.outcome is not null and service.reason not in (${HERE})
        then 'service_not_imported'
      when option.source_id is null then 'orphan_option'
      when not ${isHere('option')} then 'option_not_imported'
      when offer.product is null then 'option_of_other_product'
      when option.kind = 'select' and (value.source_id is null or value.option <> item.option
        or not ${isHere('value')}) then 'orphan_option_value'
      when option.kind <> 'select' and item.quantity = 0 then 'option_not_taken'
      when option.kind <> 'select' and priced.option is null then 'orphan_option_value'
      when option.kind <> 'select' and item.quantity not between 1 and 1000000 then 'invalid_value'
      when row_number() over (partition by item.service, item.option, case option.kind
        when 'select' then value.option = item.option and ${isHere('value')}
        else item.quantity between 1 and 1000000 end order by item.row_number) > 1
        then 'duplicate_option' end`,
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
