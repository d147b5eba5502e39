import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/database/index.ts'
import type { Resource } from '../staging/resources.ts'
import type { ImportKey } from '../staging/writer.ts'
import { cancellationsOf, discountsOf, limitedCouponsOf, subscriptionsOf } from './terms.ts'

/** Values from the settings of a system that its rows lack. */
export type SettledBy = {
  /** The currency of prices and people that name none. */
  readonly mainCurrency?: string | undefined
  /** Whether invoices without a rate of their own show the tax of their client's country. */
  readonly taxByCountry?: boolean
  /** Whether services include the tax of their client's country, and prices of the catalogue do not. */
  readonly taxOnCatalog?: boolean
  /** The language of the shop, for people who have chosen none. */
  readonly language?: string
  /** The minimum number of digits of an invoice number. */
  readonly numberDigits?: number
}

type Settle = (key: ImportKey, by: SettledBy) => RawBuilder<unknown>

/**
 * What follows from several tables of a system and is in no row of its dump: each settlement fills in
 * columns of staged rows, so that all systems are judged and written alike. It computes only numbers that
 * the old system itself computes whenever it shows them, in the same way.
 */
const SETTLEMENTS = {
  cancellations: (key) => cancellationsOf(key),

  subscriptions: (key) => subscriptionsOf(key),

  discounts: (key) => discountsOf(key),

  limitedCoupons: (key, { taxOnCatalog = false }) => limitedCouponsOf(key, taxOnCatalog),

  mainCurrency: (key, { mainCurrency }) => sql`
    update imports.staged_currencies as target set main = code = ${mainCurrency ?? null}
    where ${own(key, 'target')}`,

  /** People without a currency have the currency of the shop. */
  currencyOfClients: (key) => sql`
    update imports.staged_clients as target set currency = main.source_id
    from (${main(key)}) as main
    where ${own(key, 'target')} and target.currency is null`,

  addresses: (key) => sql`
    update imports.staged_clients as target
    set company = said.company, phone = said.phone, address_line1 = said.line1,
      address_line2 = said.line2, city = said.city, region = said.region,
      postcode = said.postcode, country = said.country
    from (
      select client, max(value) filter (where key = 'company') as company,
        max(value) filter (where key = 'phone') as phone,
        max(value) filter (where key = 'line1') as line1,
        max(value) filter (where key = 'line2') as line2,
        max(value) filter (where key = 'city') as city,
        max(value) filter (where key = 'region') as region,
        max(value) filter (where key = 'postcode') as postcode,
        max(value) filter (where key = 'country') as country
      from imports.staged_details as detail where ${own(key, 'detail')} group by client
    ) as said
    where ${own(key, 'target')} and target.source_id = said.client`,

  languages: (key, { language = '' }) => sql`
    update imports.staged_clients as target
    set language = coalesce((
      select max(value) from imports.staged_details as detail
      where ${own(key, 'detail')} and detail.client = target.source_id and detail.key = 'language'
        and value <> ''), ${language})
    where ${own(key, 'target')}`,

  /** A balance is what came in, less what went out. */
  creditByEntries: (key) => sql`
    update imports.staged_clients as target set credit = history.amount
    from (
      select client, sum(amount)::bigint as amount from imports.staged_credit_entries as entry
      where ${own(key, 'entry')} group by client
    ) as history
    where ${own(key, 'target')} and target.source_id = history.client`,

  plansOfPrices: (key) => sql`
    update imports.staged_prices as target
    set product = plan.product, kind = plan.kind, pays = plan.pays, months = array[plan.months]
    from (${first(key, 'plans')}) as plan
    where ${own(key, 'target')} and target.plan = plan.source_id`,

  plansOfServices: (key) => sql`
    update imports.staged_services as target set months = plan.months, cycle = plan.cycle
    from (${first(key, 'plans')}) as plan
    where ${own(key, 'target')} and target.plan = plan.source_id`,

  /** Prices with rows of their own. */
  pricePeriods: (key) => sql`
    update imports.staged_prices as target
    set months = period.months, amounts = period.amounts, setup_fees = period.fees
    from (
      select price, array_agg(months order by source_id) as months,
        array_agg(amount order by source_id) as amounts,
        array_agg(setup_fee order by source_id) as fees
      from imports.staged_price_periods as item where ${own(key, 'item')} group by price
    ) as period
    where ${own(key, 'target')} and target.pays = 'recurring' and target.source_id = period.price`,

  pricesOfProducts: (key) => sql`
    update imports.staged_prices as target
    set product = product.source_id, currency = main.source_id
    from (
      select distinct on (payment) payment, source_id from imports.staged_products as item
      where ${own(key, 'item')} order by payment, source_id
    ) as product cross join (${main(key)}) as main
    where ${own(key, 'target')} and target.source_id = product.payment`,

  /** A coupon that names no products is valid for all products of the old system, and for no others. */
  couponProducts: (key) => sql`
    update imports.staged_coupons as target
    set products = coalesce(named.products, everything.products)
    from imports.staged_coupons as item
    left join (
      select coupon, string_agg(product::text, ',') as products
      from imports.staged_coupon_products as link where ${own(key, 'link')} group by coupon
    ) as named on named.coupon = item.source_id
    cross join (
      select string_agg(source_id::text, ',') as products
      from imports.staged_products as product where ${own(key, 'product')}
    ) as everything
    where ${own(key, 'target')} and ${own(key, 'item')}
      and target.row_number = item.row_number and item.products = ''`,

  couponUses: (key) => sql`
    update imports.staged_coupons as target set uses = used.count
    from (
      select coupon, count(*) as count from imports.staged_services as item
      where ${own(key, 'item')} and coupon > 0 group by coupon
    ) as used
    where ${own(key, 'target')} and target.source_id = used.coupon`,

  orderAmounts: (key) => sql`
    update imports.staged_orders as target set amount = sold.amount
    from (
      select order_ref, sum(amount)::bigint as amount from imports.staged_services as item
      where ${own(key, 'item')} group by order_ref
    ) as sold
    where ${own(key, 'target')} and target.source_id = sold.order_ref`,

  /** The owner of a payment, if only its invoice names one. */
  payers: (key) => sql`
    update imports.staged_transactions as target
    set client = invoice.client, currency = coalesce(target.currency, invoice.currency)
    from (${first(key, 'invoices')}) as invoice
    where ${own(key, 'target')} and target.client is null
      and target.invoice = invoice.source_id`,

  /** Affiliates of a system that stores no balance of theirs have a balance of zero, in the currency of the shop. */
  currencyOfAffiliates: (key) => sql`
    update imports.staged_affiliates as target set currency = main.source_id
    from (
      select source_id from imports.staged_currencies as it
      where ${own(key, 'it')} and decimals is not null
      order by coalesce(main, false) desc, source_id limit 1
    ) as main
    where ${own(key, 'target')}`,

  /** The client of the order was referred; the affiliate earned with the first paid invoice for that order. */
  referralsOfOrders: (key) => sql`
    update imports.staged_referrals as target set client = sale.client, earned_at = sale.paid_at
    from (
      select sale.source_id, sale.client, paid.at as paid_at
      from (${first(key, 'orders')}) as sale
      left join (
        select service.order_ref, min(coalesce(invoice.paid_at, invoice.issued_at)) as at
        from imports.staged_invoice_items as line
        join imports.staged_services as service on ${own(key, 'service')}
          and service.source_id = line.reference
        join imports.staged_invoices as invoice on ${own(key, 'invoice')}
          and invoice.source_id = line.invoice and invoice.state = 'paid'
        where ${own(key, 'line')} and line.type = 'Hosting'
        group by service.order_ref
      ) as paid on paid.order_ref = sale.source_id
    ) as sale
    where ${own(key, 'target')} and target.order_ref = sale.source_id`,

  /** What was paid from credit is not due; the time of the last payment is when the invoice was paid. */
  paymentsOfInvoices: (key) => sql`
    update imports.staged_invoices as target
    set credit = money.credit, paid_at = case target.state when 'paid' then money.last end
    from (
      select invoice, coalesce(sum(amount_in) filter (where state = 'credit'), 0)::bigint as credit,
        max(happened_at) as last
      from imports.staged_transactions as item
      where ${own(key, 'item')} and coalesce(state, 'credit') = 'credit' group by invoice
    ) as money
    where ${own(key, 'target')} and target.source_id = money.invoice`,

  /** The rate with which an invoice was paid, else that of its client's country. */
  ratesOfInvoices: (key, { taxByCountry = false }) => sql`
    update imports.staged_invoices as target
    set rate = coalesce(kept.rate, case when ${taxByCountry} then near.rate end,
      case when ${taxByCountry} then far.rate end, 0)
    from imports.staged_invoices as item
    left join (
      select invoice, max(rate) as rate from imports.staged_invoice_rates as it
      where ${own(key, 'it')} group by invoice
    ) as kept on kept.invoice = item.source_id
    left join (${first(key, 'clients')}) as client on client.source_id = item.client
    left join (${rates(key)}) as near on near.country = client.country and near.country <> ''
    left join (${rates(key)}) as far on far.country = ''
    where ${own(key, 'target')} and ${own(key, 'item')}
      and target.row_number = item.row_number`,

  /** Lines include the tax: it is deducted from their sum. */
  totalsWithTax: (key) =>
    totals(key, {
      tax: sql`lines.gross * greatest(item.rate, 0) / (100000 + greatest(item.rate, 0))`,
      net: (tax) => sql`lines.gross - ${tax}`,
    }),

  /** The tax is added to the lines that are taxed. */
  totalsAndTax: (key) =>
    totals(key, {
      tax: sql`lines.taxed * greatest(item.rate, 0) / 100000`,
      net: () => sql`lines.gross`,
    }),

  invoiceNumbers: (key, { numberDigits = 0 }) => sql`
    update imports.staged_invoices as target
    set number = coalesce(series, '')
      || lpad(number, greatest(length(number), ${numberDigits}::integer), '0')
    where ${own(key, 'target')}`,
} as const satisfies Record<string, Settle>

/** Something that follows from several tables of a system. */
export type Settlement = keyof typeof SETTLEMENTS

/** Runs settlements in their order: some need what others have filled in. */
export async function settle(
  tx: Tx,
  key: ImportKey,
  settlements: readonly Settlement[],
  by: SettledBy,
): Promise<void> {
  for (const settlement of settlements) await SETTLEMENTS[settlement](key, by).execute(tx)
}

function own({ tenantId, id }: ImportKey, as: string): RawBuilder<unknown> {
  const [tenant, of] = [sql.raw(`${as}.tenant_id`), sql.raw(`${as}.import_id`)]
  return sql`${tenant} = ${tenantId} and ${of} = ${id}`
}

/** Rows by their id; the first of those with the same id. */
function first(key: ImportKey, resource: Resource): RawBuilder<unknown> {
  return sql`
    select distinct on (source_id) * from ${sql.raw(`imports.staged_${resource}`)} as it
    where ${own(key, 'it')} order by source_id, row_number`
}

function main(key: ImportKey): RawBuilder<unknown> {
  return sql`
    select source_id from imports.staged_currencies as it
    where ${own(key, 'it')} and main order by source_id limit 1`
}

/** Rates by country; the rate for all countries has an empty one. */
function rates(key: ImportKey): RawBuilder<unknown> {
  return sql`
    select distinct on (country) country, rate from imports.staged_tax_rates as it
    where ${own(key, 'it')} order by country, source_id`
}

type Reckoning = {
  readonly tax: RawBuilder<unknown>
  readonly net: (tax: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Tax is rounded once, to the smallest unit of the currency. */
function totals(key: ImportKey, { tax, net }: Reckoning): RawBuilder<unknown> {
  const unit = sql`(case currency.decimals when 0 then 100 when 1 then 10 else 1 end)`
  const rounded = sql`round(${tax} / ${unit}) * ${unit}`
  return sql`
    update imports.staged_invoices as target
    set subtotal = reckoned.subtotal, tax = reckoned.tax,
      total = reckoned.subtotal + reckoned.tax - target.credit
    from (
      select item.row_number, (${rounded})::bigint as tax, (${net(rounded)})::bigint as subtotal
      from imports.staged_invoices as item
      left join imports.staged_clients as client on ${own(key, 'client')}
        and client.source_id = item.client
      left join imports.staged_currencies as currency on ${own(key, 'currency')}
        and currency.source_id = coalesce(item.currency, client.currency)
      join (
        select invoice, sum(amount) as gross,
          coalesce(sum(amount) filter (where taxed), 0) as taxed
        from imports.staged_invoice_items as line where ${own(key, 'line')} group by invoice
      ) as lines on lines.invoice = item.source_id
      where ${own(key, 'item')}
    ) as reckoned
    where ${own(key, 'target')} and target.row_number = reckoned.row_number`
}
