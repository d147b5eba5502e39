import { type RawBuilder, sql } from 'kysely'
import type { ImportedCredit, ImportedInvoice, ImportedLine, ImportedPayment } from '#billing'
import {
  cents,
  idOf,
  isHere,
  joined,
  madeAt,
  PARTY,
  PERSON,
  staged,
  type Which,
  type Writing,
  wanted,
} from './rows.ts'

export type TaxMode = 'exclusive' | 'inclusive'

const GROSS = '(item.subtotal + item.tax + item.tax2)'
/** What was paid on it, and what that leaves to be paid, as that system reckons it. */
const MOVED = 'coalesce(item.paid, coalesce(money.came, 0) - coalesce(money.went, 0))'
const DUE = `(item.total - ${MOVED})`
const PAID = `case item.state when 'paid' then greatest(${GROSS}, 0)
  when 'refunded' then greatest(${GROSS}, 0)
  when 'open' then least(greatest(${GROSS}, 0), greatest(${GROSS} - ${DUE}, 0))
  when 'uncollectible' then least(greatest(${GROSS}, 0), greatest(${GROSS} - ${DUE}, 0))
  else 0 end`
const REFUNDED = `case item.state when 'refunded' then greatest(${GROSS}, 0)
  when 'paid' then least(greatest(${GROSS}, 0), greatest(coalesce(money.went, 0), 0)) else 0 end`

/** Invoices. A number that stood twice stays with the first; the others are called by their id. */
export function invoiceRows(
  writing: Writing,
  taxMode: TaxMode,
  which: Which = wanted,
): RawBuilder<ImportedInvoice> {
  const { tenantId, id } = writing
  return sql<ImportedInvoice>`
    select ${idOf(writing, 'invoices', 'item')} as id, ${idOf(writing, 'clients', 'owner')} as user_id,
      case item.state when 'refunded' then 'paid' else item.state end as status,
      case when item.state = 'draft' then null when item.number = '' or item.copy > 1
        then item.source_id::text else item.number end as number,
      currency.code as currency, ${taxMode} as price_mode, ${cents('item.subtotal')} as net_cents,
      ${cents('(item.tax + item.tax2)')} as tax_cents, ${cents(GROSS)} as total_cents,
      ${cents(PAID)} as paid_cents, ${cents(REFUNDED)} as refunded_cents,
      nullif(item.note, '') as note, case when item.state <> 'draft' then item.issued_at end
        as issued_at,
      item.due_at, case when item.state in ('paid', 'refunded') then item.paid_at end as paid_at,
      ${madeAt(writing, 'item.issued_at')} as created_at,
      jsonb_build_object('importId', ${id}::text, 'number', item.number, 'status', item.status,
        'subtotalCents', ${cents('item.subtotal')}, 'taxCents', ${cents('item.tax')},
        'secondTaxCents', ${cents('item.tax2')}, 'creditCents', ${cents('item.credit')},
        'dueCents', ${cents('item.total')}, 'totalCents', ${cents(GROSS)}) as imported
    from (
      select *, row_number() over (partition by number order by row_number) as copy
      from imports.staged_invoices where tenant_id = ${tenantId} and import_id = ${id}
    ) as item
    ${PARTY}
    left join (
      select invoice, sum(amount_in)::bigint as came, sum(amount_out)::bigint as went
      from imports.staged_transactions
      where tenant_id = ${tenantId} and import_id = ${id} and invoice > 0
        and (outcome is null or reason = 'already_imported')
      group by invoice
    ) as money on money.invoice = item.source_id
    where ${which(writing, 'item')}`
}

export function lineRows(writing: Writing): RawBuilder<ImportedLine> {
  return sql<ImportedLine>`
    select ${idOf(writing, 'invoice_items', 'item')} as id,
      ${idOf(writing, 'invoices', 'invoice')} as invoice_id,
      (row_number() over (partition by item.invoice order by item.source_id))::integer as position,
      coalesce(nullif(item.description, ''), nullif(item.type, ''), '-') as description,
      case when service.source_id is not null and ${isHere('service')}
        then ${idOf(writing, 'services', 'service')} end as service_id,
      ${cents('item.amount')} as amount_cents
    from ${staged('invoice_items', 'item')}
    ${joined('invoices', 'invoice', 'item.invoice')}
    ${joined('clients', 'client', 'invoice.client')}
    ${joined('currencies', 'currency', 'coalesce(invoice.currency, client.currency)')}
    ${joined('services', 'service', "case item.type when 'Hosting' then item.reference end", 'left join')}
    where ${wanted(writing, 'item')}`
}

export function paymentRows(writing: Writing): RawBuilder<ImportedPayment> {
  return sql<ImportedPayment>`
    select ${idOf(writing, 'transactions', 'item')} as id, item.source_id,
      ${idOf(writing, 'clients', 'owner')} as user_id, ${invoiceOf(writing)} as invoice_id,
      currency.code as currency, item.gateway, item.reference, item.description,
      ${cents('item.amount_in')} as in_cents, ${cents('item.amount_out')} as out_cents,
      ${cents('item.fees')} as fee_cents,
      case when refunded.source_id is not null
        then ${idOf(writing, 'transactions', 'refunded')} end as refund_of,
      item.happened_at
    from ${staged('transactions', 'item')}
    ${PARTY}
    ${joined('invoices', 'invoice', 'item.invoice', 'left join')}
    ${joined('transactions', 'refunded', 'nullif(item.refund_of, 0)', 'left join')}
    where ${wanted(writing, 'item')}`
}

export function creditRows(writing: Writing): RawBuilder<ImportedCredit> {
  return sql<ImportedCredit>`
    select ${idOf(writing, 'credit_entries', 'item')} as id, item.source_id,
      ${idOf(writing, 'clients', 'owner')} as user_id, currency.code as currency,
      ${cents('item.amount')} as amount_cents, item.description, item.happened_at
    from ${staged('credit_entries', 'item')}
    ${PERSON}
    where ${wanted(writing, 'item')}`
}

/** The invoice of a row, where it is here now or was before. */
export function invoiceOf(writing: Writing) {
  return sql`case when invoice.source_id is not null
    and ${isHere('invoice')}
    then ${idOf(writing, 'invoices', 'invoice')} end`
}
