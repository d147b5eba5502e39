import { type RawBuilder, sql } from 'kysely'
import type { ImportedCredit, ImportedInvoice, ImportedLine, ImportedPayment } from '#billing'
import { SOURCE_HASH } from '../following/hashes.ts'
import type { Resource } from '../staging/resources.ts'
import {
  BY_PERSON,
  cents,
  idOf,
  inLane,
  isHere,
  joined,
  LAST_LANE,
  laneOf,
  madeAt,
  PARTY,
  type Part,
  PERSON,
  staged,
  type Writing,
  wanted,
} from './rows.ts'

export type TaxMode = 'exclusive' | 'inclusive'

/** Whether money that moved in the old system counts as paid on its invoice. */
const COUNTS = sql`outcome is null or reason = 'already_imported'`
const GROSS = '(item.subtotal + item.tax + item.tax2)'
/** What was paid on an invoice, and what is still due, as the old system computes it. */
const MOVED = 'coalesce(item.paid, coalesce(moved.paid_in, 0) - coalesce(moved.paid_out, 0))'
const DUE = `(item.total - ${MOVED})`
const PAID = `case item.state when 'paid' then greatest(${GROSS}, 0)
  when 'refunded' then greatest(${GROSS}, 0)
  when 'open' then least(greatest(${GROSS}, 0), greatest(${GROSS} - ${DUE}, 0))
  when 'uncollectible' then least(greatest(${GROSS}, 0), greatest(${GROSS} - ${DUE}, 0))
  else 0 end`
const REFUNDED = `case item.state when 'refunded' then greatest(${GROSS}, 0)
  when 'paid' then least(greatest(${GROSS}, 0), greatest(coalesce(moved.paid_out, 0), 0)) else 0 end`

/** Invoices. A number that occurs twice stays with the first invoice; the others get their id instead. */
export function invoiceRows(
  writing: Writing,
  taxMode: TaxMode,
  which: RawBuilder<unknown>,
): RawBuilder<ImportedInvoice> {
  const { tenantId, id } = writing
  return sql<ImportedInvoice>`
    select ${idOf(writing, 'invoices', 'item')} as id, ${idOf(writing, 'clients', 'owner')} as user_id,
      case when item.state = 'open' and bought.invoice is not null then 'top_up' else 'manual' end
        as kind, item.source_id, ${SOURCE_HASH.invoices} as source_fingerprint,
      case item.state when 'refunded' then 'paid' else item.state end as status,
      case when item.state = 'draft' then null
        when item.number = '' or item.row_number > numbered.first then item.source_id::text
        else item.number end as number,
      currency.code as currency, ${taxMode} as price_mode, ${cents('item.subtotal')} as net_cents,
      ${cents('(item.tax + item.tax2)')} as tax_cents, ${cents(GROSS)} as total_cents,
      ${cents(PAID)} as paid_cents, ${cents(REFUNDED)} as refunded_cents,
      nullif(item.note, '') as note, case when item.state <> 'draft' then item.issued_at end
        as issued_at,
      item.due_at, case when item.state in ('paid', 'refunded') then item.paid_at end as paid_at,
      ${madeAt(writing, 'item.issued_at')} as created_at,
      jsonb_build_object('importId', ${id}::text, 'number', item.number, 'status', item.status, 'state', item.state,
        'subtotalCents', ${cents('item.subtotal')}, 'taxCents', ${cents('item.tax')},
        'secondTaxCents', ${cents('item.tax2')}, 'creditCents', ${cents('item.credit')},
        'dueCents', ${cents('item.total')}, 'totalCents', ${cents(GROSS)}) as imported
    from ${staged('invoices', 'item')}
    ${PARTY}
    left join (
      select number, min(row_number) as first from imports.staged_invoices
      where tenant_id = ${tenantId} and import_id = ${id} group by number having count(*) > 1
    ) as numbered on numbered.number = item.number
    left join (
      select invoice, sum(amount_in) filter (where ${COUNTS})::bigint as paid_in,
        sum(amount_out) filter (where ${COUNTS})::bigint as paid_out,
        sum(amount_in) as came, sum(amount_out) as went
      from imports.staged_transactions
      where tenant_id = ${tenantId} and import_id = ${id} and invoice > 0
        and outcome is distinct from 'failed'
      group by invoice
    ) as moved on moved.invoice = item.source_id
    left join (
      select invoice from imports.staged_invoice_items
      where tenant_id = ${tenantId} and import_id = ${id} and invoice > 0
      group by invoice having bool_and(type = 'AddFunds')
    ) as bought on bought.invoice = item.source_id
    where ${which}
    ${BY_PERSON}`
}

export function lineRows(part: Part): RawBuilder<ImportedLine> {
  return sql<ImportedLine>`
    select ${idOf(part, 'invoice_items', 'item')} as id,
      ${idOf(part, 'invoices', 'invoice')} as invoice_id,
      (row_number() over (partition by item.invoice order by item.source_id))::integer as position,
      coalesce(nullif(item.description, ''), nullif(item.type, ''), '-') as description,
      case when service.source_id is not null and ${isHere('service')}
        then ${idOf(part, 'services', 'service')} end as service_id,
      ${cents('item.amount')} as amount_cents
    from ${staged('invoice_items', 'item')}
    ${joined('invoices', 'invoice', 'item.invoice')}
    ${joined('clients', 'client', 'invoice.client')}
    ${joined('currencies', 'currency', 'coalesce(invoice.currency, client.currency)')}
    ${joined('services', 'service', "case when item.type in ('Hosting', 'PromoHosting', 'GroupDiscount') then item.reference end", 'left join')}
    where ${wanted(part, 'item')} and ${inLane(part)}`
}

/**
 * Payments. A payment for an invoice of another client, or the refund of such a payment, refers to a
 * record that may be in another part: these are in the last part.
 */
export function paymentRows(part: Part): RawBuilder<ImportedPayment> {
  return sql<ImportedPayment>`
    select ${idOf(part, 'transactions', 'item')} as id, item.source_id,
      ${idOf(part, 'clients', 'owner')} as user_id, ${invoiceOf(part)} as invoice_id,
      currency.code as currency, item.gateway, item.reference, item.description,
      ${cents('item.amount_in')} as in_cents, ${cents('item.amount_out')} as out_cents,
      ${cents('item.fees')} as fee_cents,
      case when refunded.source_id is not null
        then ${idOf(part, 'transactions', 'refunded')} end as refund_of,
      item.happened_at
    from ${withInvoice('transactions')}
    ${PARTY}
    ${joined('clients', 'debtor', 'invoice.client', 'left join')}
    ${joined('transactions', 'refunded', 'nullif(item.refund_of, 0)', 'left join')}
    where ${wanted(part, 'item')} and case when refunded.source_id is null
      then ${laneWithInvoice()} else ${LAST_LANE} end = ${part.lane}::bigint
      and ${mayBeIn(part, sql`nullif(item.refund_of, 0) is not null`)}
    ${BY_PERSON}`
}

/** Rows, as `item`, with the invoice that each of them names. */
export function withInvoice(resource: Resource) {
  return sql`${staged(resource, 'item')}
    ${joined('invoices', 'invoice', 'item.invoice', 'left join')}`
}

/** The part of a row that names an invoice, whose client is joined as `debtor`. */
export function laneWithInvoice() {
  return sql`case when coalesce(${laneOf('debtor')}, ${laneOf()}) = ${laneOf()}
    then ${laneOf()} else ${LAST_LANE} end`
}

/**
 * A condition on the rows of a part that is checked before all other joins: they belong to a person of
 * that part; in the last part, they are for an invoice of another client or fulfil `tied`.
 */
export function mayBeIn(part: Part, tied: RawBuilder<unknown> = sql`false`) {
  return part.lane === LAST_LANE ? sql`(invoice.client <> item.client or ${tied})` : inLane(part)
}

export function creditRows(part: Part): RawBuilder<ImportedCredit> {
  return sql<ImportedCredit>`
    select ${idOf(part, 'credit_entries', 'item')} as id, item.source_id,
      ${idOf(part, 'clients', 'owner')} as user_id, currency.code as currency,
      ${cents('item.amount')} as amount_cents, item.description, item.happened_at
    from ${staged('credit_entries', 'item')}
    ${PERSON}
    where ${wanted(part, 'item')} and ${inLane(part)}`
}

/** The invoice of a row, if it is imported now or was before. */
export function invoiceOf(writing: Writing) {
  return sql`case when invoice.source_id is not null
    and ${isHere('invoice')}
    then ${idOf(writing, 'invoices', 'invoice')} end`
}
