import type { BasisPoints, Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'

/** The rows of a shop from one instant to another, `to` excluded. */
export type Booked = { readonly tenantId: string; readonly from: Instant; readonly to: Instant }

/** Where a list continues: after the row with this instant and id. */
export type Place = { readonly at: Instant; readonly id: string }

/** A document as it was issued: an invoice, or a credit note with the number of its invoice. */
export type IssuedDocument = {
  readonly at: Instant
  readonly id: string
  readonly number: string
  readonly kind: string
  readonly invoiceNumber: string | null
  readonly reason: string | null
  readonly userId: string
  readonly buyer: Readonly<Record<string, string | null>>
  readonly currency: string
  readonly netCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
}

/** A line of an invoice, or of a credit note, without description, quantity, price and period. */
export type IssuedLine = {
  readonly documentId: string
  readonly position: number
  readonly description: string | null
  readonly quantity: number | null
  readonly unitPriceCents: Cents | null
  readonly discountCents: Cents | null
  readonly category: 'S' | 'AE' | 'O' | 'E'
  readonly country: string
  readonly rateBasisPoints: BasisPoints | null
  readonly netCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
  readonly periodStart: Instant | null
  readonly periodEnd: Instant | null
}

/** A tax group of an invoice: the tax report is the sum of these. */
export type IssuedTax = Pick<
  IssuedLine,
  'documentId' | 'category' | 'country' | 'rateBasisPoints' | 'netCents' | 'taxCents'
>

/** Invoices with a number, in the order in which they were issued. */
export function listIssuedInvoices(
  db: Db,
  { tenantId, from, to }: Booked,
  after: Place | null,
  limit: number,
): Promise<IssuedDocument[]> {
  return read(db, INVOICES, [tenantId, ...placeIn(from, after), to, limit])
}

const INVOICES = `
  select issued_at as "at", id, number, kind, null as "invoiceNumber", null as reason,
    user_id as "userId", buyer, currency, net_cents as "netCents", tax_cents as "taxCents",
    total_cents as "totalCents"
  from billing.invoices
  where tenant_id = $1 and number is not null
    and issued_at >= $2 and (issued_at, id) > ($2, $3::uuid) and issued_at < $4
  order by issued_at, id
  limit $5
`

/** Credit notes, in the order in which they were issued. */
export function listIssuedCreditNotes(
  db: Db,
  { tenantId, from, to }: Booked,
  after: Place | null,
  limit: number,
): Promise<IssuedDocument[]> {
  return read(db, CREDIT_NOTES, [tenantId, ...placeIn(from, after), to, limit])
}

const CREDIT_NOTES = `
  select issued_at as "at", id, number, 'credit_note' as kind, invoice_number as "invoiceNumber",
    reason, user_id as "userId", buyer, currency, net_cents as "netCents", tax_cents as "taxCents",
    total_cents as "totalCents"
  from billing.credit_notes
  where tenant_id = $1
    and issued_at >= $2 and (issued_at, id) > ($2, $3::uuid) and issued_at < $4
  order by issued_at, id
  limit $5
`

/** The lines of these invoices. */
export function listIssuedLines(
  db: Db,
  tenantId: string,
  invoiceIds: readonly string[],
): Promise<IssuedLine[]> {
  return read(db, LINES, [tenantId, [...invoiceIds]])
}

const LINES = `
  select invoice_id as "documentId", position, description, quantity,
    unit_price_cents as "unitPriceCents", discount_cents as "discountCents",
    tax_category as category, tax_country as country, rate_basis_points as "rateBasisPoints",
    net_cents as "netCents", tax_cents as "taxCents", total_cents as "totalCents",
    period_start as "periodStart", period_end as "periodEnd"
  from billing.invoice_lines
  where tenant_id = $1 and invoice_id = any($2::uuid[])
  order by invoice_id, position
`

/** The tax groups of these invoices. */
export function listIssuedTaxes(
  db: Db,
  tenantId: string,
  invoiceIds: readonly string[],
): Promise<IssuedTax[]> {
  return read(db, TAXES, [tenantId, [...invoiceIds]])
}

const TAXES = `
  select invoice_id as "documentId", category, country, rate_basis_points as "rateBasisPoints",
    net_cents as "netCents", tax_cents as "taxCents"
  from billing.invoice_taxes
  where tenant_id = $1 and invoice_id = any($2::uuid[])
  order by invoice_id, category, country, rate_basis_points
`

/** The lines of these credit notes. */
export function listIssuedCreditNoteLines(
  db: Db,
  tenantId: string,
  creditNoteIds: readonly string[],
): Promise<IssuedLine[]> {
  return read(db, CREDIT_NOTE_LINES, [tenantId, [...creditNoteIds]])
}

const CREDIT_NOTE_LINES = `
  select credit_note_id as "documentId", position, null as description, null as quantity,
    null as "unitPriceCents", null as "discountCents", category, country,
    rate_basis_points as "rateBasisPoints", net_cents as "netCents", tax_cents as "taxCents",
    total_cents as "totalCents", null as "periodStart", null as "periodEnd"
  from billing.credit_note_lines
  where tenant_id = $1 and credit_note_id = any($2::uuid[])
  order by credit_note_id, position
`

/** Where the file of a document is stored. */
type IssuedFile = { readonly documentId: string; readonly fileKey: string }

/** The PDF or the e-invoice (CII) of these invoices and credit notes, if it has been made. */
export function listIssuedFiles(
  db: Db,
  tenantId: string,
  { ids, format }: { ids: readonly string[]; format: 'pdf' | 'cii' },
): Promise<IssuedFile[]> {
  return read(db, FILES, [tenantId, [...ids], format])
}

const FILES = `
  select wanted.id as "documentId", file.file_key as "fileKey"
  from unnest($2::uuid[]) as wanted (id)
  join billing.documents as document on document.tenant_id = $1
    and ((document.invoice_id = wanted.id and document.kind = 'invoice')
      or (document.credit_note_id = wanted.id and document.kind = 'credit_note'))
  join billing.document_files as file on file.tenant_id = $1
    and file.document_id = document.id and file.format = $3
`

/** A payment or refund as it was booked. */
export type BookedMoney = {
  readonly at: Instant
  /** The id of the ledger's transaction. */
  readonly id: string
  readonly kind: string
  readonly paymentId: string | null
  readonly refundId: string | null
  readonly userId: string
  readonly gatewayId: string | null
  readonly providerId: string | null
  readonly documents: readonly string[]
  readonly currency: string
  readonly amountCents: Cents
  readonly feeCents: Cents | null
  readonly method: string | null
}

/** Payments in the order in which they were booked, with the numbers of the invoices they paid. */
export function listBookedPayments(
  db: Db,
  { tenantId, from, to }: Booked,
  after: Place | null,
  limit: number,
): Promise<BookedMoney[]> {
  return read(db, PAYMENTS, [tenantId, ...placeIn(from, after), to, limit])
}

const PAYMENTS = `
  select transaction.created_at as "at", transaction.id, transaction.kind,
    payment.id as "paymentId", null as "refundId", payment.user_id as "userId",
    payment.gateway_id as "gatewayId", payment.provider_payment_id as "providerId",
    array(
      select coalesce(invoice.number, invoice.imported->>'number')
      from billing.payment_allocations as part
      join billing.invoices as invoice
        on invoice.tenant_id = part.tenant_id and invoice.id = part.invoice_id
      where part.tenant_id = payment.tenant_id and part.payment_id = payment.id
      order by 1
    ) as documents,
    payment.currency, payment.received_cents as "amountCents", payment.fee_cents as "feeCents",
    payment.method_kind as method
  from ledger.transactions as transaction
  join billing.payments as payment
    on payment.tenant_id = transaction.tenant_id and payment.id = transaction.event_id
  where transaction.tenant_id = $1 and transaction.kind in ('payment_received', 'top_up')
    and transaction.created_at >= $2 and (transaction.created_at, transaction.id) > ($2, $3::uuid)
    and transaction.created_at < $4
  order by transaction.created_at, transaction.id
  limit $5
`

/** Refunds in the order in which they were booked; one that failed later appears again as failed. */
export function listBookedRefunds(
  db: Db,
  { tenantId, from, to }: Booked,
  after: Place | null,
  limit: number,
): Promise<BookedMoney[]> {
  return read(db, REFUNDS, [tenantId, ...placeIn(from, after), to, limit])
}

const REFUNDS = `
  select transaction.created_at as "at", transaction.id, transaction.kind,
    refund.payment_id as "paymentId", refund.id as "refundId", refund.user_id as "userId",
    refund.gateway_id as "gatewayId", refund.provider_refund_id as "providerId",
    array_remove(array[invoice.number, note.number], null) as documents,
    refund.currency, refund.amount_cents as "amountCents", null as "feeCents", null as method
  from ledger.transactions as transaction
  join billing.refunds as refund
    on refund.tenant_id = transaction.tenant_id and refund.id = transaction.event_id
  left join billing.invoices as invoice
    on invoice.tenant_id = refund.tenant_id and invoice.id = refund.invoice_id
  left join billing.credit_notes as note
    on note.tenant_id = refund.tenant_id and note.id = refund.credit_note_id
  where transaction.tenant_id = $1
    and transaction.created_at >= $2 and (transaction.created_at, transaction.id) > ($2, $3::uuid)
    and transaction.created_at < $4
  order by transaction.created_at, transaction.id
  limit $5
`

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

function placeIn(from: Instant, after: Place | null): [Instant, string] {
  return after ? [after.at, after.id] : [from, BEFORE_ALL]
}
