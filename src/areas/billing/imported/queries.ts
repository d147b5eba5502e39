import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { type Db, read, type Tx } from '#platform/database/index.ts'
import type { InvoiceRow } from '../invoices/queries.ts'

export type ImportedInvoice = {
  id: string
  source_id: number
  /** A hash of what the other system contains about it. */
  source_fingerprint: string
  user_id: string
  /** The credit that the invoice sells; it is added once the invoice is paid. */
  kind: 'manual' | 'top_up'
  status: InvoiceRow['status']
  number: string | null
  currency: string
  price_mode: InvoiceRow['priceMode']
  net_cents: number
  tax_cents: number
  total_cents: number
  paid_cents: number
  refunded_cents: number
  note: string | null
  issued_at: Instant | null
  due_at: Instant | null
  paid_at: Instant | null
  created_at: Instant
  /** The content from the other system, unchanged. */
  imported: NonNullable<InvoiceRow['imported']>
}

export type ImportedLine = {
  id: string
  invoice_id: string
  position: number
  description: string
  service_id: string | null
  amount_cents: number
}

export type ImportedPayment = {
  id: string
  source_id: number
  user_id: string
  invoice_id: string | null
  currency: string
  gateway: string
  reference: string
  description: string
  in_cents: number
  out_cents: number
  fee_cents: number
  refund_of: string | null
  happened_at: Instant | null
}

export type ImportedCredit = {
  id: string
  source_id: number
  user_id: string
  currency: string
  amount_cents: number
  description: string
  happened_at: Instant | null
}

/** SQL for what is owed on an imported invoice, in cents; `alias` names the invoice's row. */
export function owedOn(alias: string): RawBuilder<unknown> {
  const it = sql.raw(alias)
  return sql`case when ${it}.status = 'open' and ${it}.number is not null and ${it}.kind <> 'top_up'
    then ${it}.total_cents - ${it}.credited_cents
      - (${it}.paid_cents - ${it}.refunded_cents - ${it}.reversed_cents) else 0 end`
}

/**
 * SQL for a hash of everything that may change on an imported invoice after its import; `alias` names the
 * invoice's row.
 */
export function fingerprintOfInvoice(alias: string): RawBuilder<unknown> {
  const it = sql.raw(alias)
  return sql`md5(row(${it}.status, ${it}.number, ${it}.paid_cents, ${it}.credited_cents,
    ${it}.refunded_cents, ${it}.reversed_cents, ${it}.due_at, ${it}.paid_at, ${it}.disputed,
    ${it}.note, ${it}.anonymized_at)::text)`
}

/**
 * Writes invoices as they were: nothing about them is calculated, so nothing has to add up. Records what
 * is owed on them, from the time when the import's opening balances are booked.
 */
export async function insertImportedInvoices(
  tx: Tx,
  { tenantId, system }: Pick<ImportedFrom, 'tenantId' | 'system'>,
  rows: RawBuilder<ImportedInvoice>,
  now: Instant,
): Promise<void> {
  await sql`
    with invoice as (
      insert into billing.invoices as invoice
        (tenant_id, id, user_id, kind, status, number, currency, price_mode, subtotal_cents,
         discount_cents, net_cents, tax_cents, total_cents, paid_cents, credited_cents,
         refunded_cents, seller, buyer, note, created_at, issued_at, due_at, paid_at, voided_at,
         written_off_at, draft_lines, imported, source_system, source_id, source_fingerprint, target_fingerprint)
      select ${tenantId}, id, user_id, kind, status, number, currency, price_mode, net_cents, 0,
        net_cents, tax_cents, total_cents, paid_cents, credited_cents, refunded_cents, '{}', '{}',
        note, created_at, issued_at, due_at, paid_at, case status when 'void' then created_at end,
        case status when 'uncollectible' then created_at end,
        case status when 'draft' then '[]'::jsonb end, imported, ${system}, source_id, source_fingerprint,
        ${fingerprintOfInvoice('given')}
      from (
        select *, refunded_cents as credited_cents, 0 as reversed_cents, false as disputed,
          null::timestamptz as anonymized_at
        from (${rows}) as given
      ) as given
      returning id, ${owedOn('invoice')} as owed
    )
    insert into billing.dues (tenant_id, id, invoice_id, change_cents, created_at)
    select ${tenantId}::uuid, platform.new_id(${now}::timestamptz), id, owed, ${now}
    from invoice where owed <> 0
  `.execute(tx)
}

/** Writes lines of invoices that were written in this transaction. The tax in the lines is not known. */
export async function insertImportedLines(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedLine>,
): Promise<void> {
  await sql`
    insert into billing.invoice_lines
      (tenant_id, id, invoice_id, position, description, service_id, quantity, unit_price_cents,
       subtotal_cents, discount_cents, net_cents, tax_cents, total_cents, tax_category, tax_country)
    select ${tenantId}, id, invoice_id, position, description, service_id, 1, amount_cents,
      amount_cents, 0, amount_cents, 0, amount_cents, 'O', ''
    from (${rows}) as given
  `.execute(tx)
}

/** The import that wrote a row, and its source system; a shop has one of each. */
export type ImportedFrom = {
  readonly tenantId: string
  readonly importId: string
  readonly system: string
}

export async function insertImportedPayments(
  tx: Tx,
  { tenantId, importId, system }: ImportedFrom,
  rows: RawBuilder<ImportedPayment>,
  now: Instant,
): Promise<void> {
  await sql`
    insert into billing.imported_payments
      (tenant_id, id, import_id, system, source_id, user_id, invoice_id, currency, gateway,
       reference, description, in_cents, out_cents, fee_cents, refund_of, happened_at, created_at)
    select ${tenantId}, id, ${importId}::uuid, ${system}, source_id, user_id, invoice_id, currency,
      gateway, reference, description, in_cents, out_cents, fee_cents, refund_of, happened_at, ${now}
    from (${rows}) as given
  `.execute(tx)
}

export async function insertImportedCredit(
  tx: Tx,
  { tenantId, importId, system }: ImportedFrom,
  rows: RawBuilder<ImportedCredit>,
  now: Instant,
): Promise<void> {
  await sql`
    insert into billing.imported_credit
      (tenant_id, id, import_id, system, source_id, user_id, currency, amount_cents, description,
       happened_at, created_at)
    select ${tenantId}, id, ${importId}::uuid, ${system}, source_id, user_id, currency,
      amount_cents, description, happened_at, ${now}
    from (${rows}) as given
  `.execute(tx)
}

/** A sum over what an import wrote, in cents as text: it may exceed what a number can represent. */
export type ImportedSum = {
  readonly what: string
  readonly currency: string
  readonly amount: string
  readonly sum: string
}

/** The totals of the imported documents and credit in our database, by currency. */
export function sumImportedDocuments(
  db: Db,
  { tenantId, importId }: { tenantId: string; importId: string },
): Promise<ImportedSum[]> {
  return read(db, SUMS, [tenantId, importId])
}

const SUMS = `
  with invoices as (
    select id, currency, net_cents, total_cents, imported from billing.invoices
    where tenant_id = $1 and coalesce(imported ->> 'updatedBy', imported ->> 'importId') = $2
  )
  select 'invoices' as what, currency, amount, sum::text from (
    select currency, count(*) as count, sum(net_cents) as subtotal,
      sum((imported ->> 'taxCents')::bigint) as tax,
      sum((imported ->> 'secondTaxCents')::bigint) as second,
      sum((imported ->> 'creditCents')::bigint) as credit,
      sum((imported ->> 'dueCents')::bigint) as due, sum(total_cents) as total
    from invoices group by currency
  ) as summed cross join lateral (values
    ('count', count), ('subtotalCents', subtotal), ('taxCents', tax), ('tax2Cents', second),
    ('creditCents', credit), ('dueCents', due), ('totalCents', total)) as it (amount, sum)
  union all
  select 'invoiceItems', currency, amount, sum::text from (
    select invoice.currency, count(*) as count, sum(line.total_cents) as cents
    from invoices as invoice
    join billing.invoice_lines as line on line.tenant_id = $1 and line.invoice_id = invoice.id
    where invoice.imported ->> 'importId' = $2
    group by invoice.currency
  ) as summed cross join lateral (values ('count', count), ('amountCents', cents)) as it (amount, sum)
  union all
  select 'creditLedger', currency, amount, sum::text from (
    select currency, count(*) as count, sum(amount_cents) as cents
    from billing.imported_credit where tenant_id = $1 and import_id = $2::uuid group by currency
  ) as summed cross join lateral (values ('count', count), ('amountCents', cents)) as it (amount, sum)
`

/** The totals of the imported payments in our database, by currency. */
export function sumImportedPayments(
  db: Db,
  { tenantId, importId }: { tenantId: string; importId: string },
): Promise<ImportedSum[]> {
  return read(db, SUMS_OF_PAYMENTS, [tenantId, importId])
}

const SUMS_OF_PAYMENTS = `
  select 'transactions' as what, currency, amount, sum::text from (
    select currency, count(*) as count, sum(in_cents) as came, sum(out_cents) as went,
      sum(fee_cents) as fees
    from billing.imported_payments where tenant_id = $1 and import_id = $2 group by currency
  ) as summed cross join lateral (values ('count', count), ('amountInCents', came),
    ('amountOutCents', went), ('feesCents', fees)) as it (amount, sum)
`

/** A person's payments in the system they were imported from. */
export function listImportedPaymentsOf(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return db
    .selectFrom('billing.imported_payments')
    .select(['id', 'invoiceId', 'currency', 'gateway', 'reference', 'description'])
    .select(['inCents', 'outCents', 'refundOf', 'happenedAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The refunds of a person's imported payments that staff recorded. */
export function listImportedRefundsOf(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return db
    .selectFrom('billing.imported_refunds')
    .select(['id', 'paymentId', 'amountCents', 'currency', 'reference', 'reason', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The history of a person's credit in the system they were imported from. */
export function listImportedCreditOf(db: Db, { tenantId, userId }: UserKey, limit: number) {
  return db
    .selectFrom('billing.imported_credit')
    .select(['id', 'currency', 'amountCents', 'description', 'happenedAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes the texts written beside a person's payments; that money moved, and when, is kept. */
export async function forgetImportedTexts(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .updateTable('billing.imported_payments')
    .set({ description: '', reference: '' })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  await tx
    .updateTable('billing.imported_refunds')
    .set({ reason: '', reference: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
  await tx
    .updateTable('billing.imported_credit')
    .set({ description: '' })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
