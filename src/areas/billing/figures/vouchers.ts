import type { Instant } from '#lib/time.ts'
import { type Db, read } from '#platform/database/index.ts'

/** The number of the document that an event in the books is about. */
type EventNumber = { readonly eventId: string; readonly number: string }

/**
 * The numbers of the documents behind events of the ledger, by the event: of the invoice or the credit note itself,
 * of the first invoice that a payment paid, and of the document that a refund belongs to. Others are left out.
 */
export async function numbersBehind(
  db: Db,
  tenantId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await read<EventNumber>(db, NUMBERS, [tenantId, [...eventIds]])
  return new Map(rows.map(({ eventId, number }) => [eventId, number]))
}

const NUMBERS = `
  select * from (
    select id as "eventId", coalesce(number, imported->>'number') as number
    from billing.invoices
    where tenant_id = $1 and id = any($2::uuid[])
    union all
    select id, number from billing.credit_notes where tenant_id = $1 and id = any($2::uuid[])
    union all
    select part.payment_id, min(coalesce(invoice.number, invoice.imported->>'number'))
    from billing.payment_allocations as part
    join billing.invoices as invoice
      on invoice.tenant_id = part.tenant_id and invoice.id = part.invoice_id
    where part.tenant_id = $1 and part.payment_id = any($2::uuid[])
    group by part.payment_id
    union all
    select refund.id, coalesce(note.number, invoice.number)
    from billing.refunds as refund
    left join billing.invoices as invoice
      on invoice.tenant_id = refund.tenant_id and invoice.id = refund.invoice_id
    left join billing.credit_notes as note
      on note.tenant_id = refund.tenant_id and note.id = refund.credit_note_id
    where refund.tenant_id = $1 and refund.id = any($2::uuid[])
  ) as document
  where number is not null
`

/** The parties of an invoice or a credit note as they were frozen, and until when it is to be paid. */
export type DocumentParties = {
  readonly id: string
  readonly userId: string
  readonly dueAt: Instant | null
  readonly seller: Readonly<Record<string, string | boolean | null>>
  readonly buyer: Readonly<Record<string, string | null>>
}

/** The parties of these invoices and credit notes. */
export function listDocumentParties(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<DocumentParties[]> {
  return read(db, PARTIES, [tenantId, [...ids]])
}

const PARTIES = `
  select id, user_id as "userId", due_at as "dueAt", seller, buyer from billing.invoices
  where tenant_id = $1 and id = any($2::uuid[])
  union all
  select id, user_id, null, seller, buyer from billing.credit_notes
  where tenant_id = $1 and id = any($2::uuid[])
`
