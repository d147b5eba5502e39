import { dueCents } from '#billing'
import { type Cents, cents, sumCents } from '#lib/money.ts'
import type { Period } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'
import { documentsFor } from '../renewals/billing.ts'
import { isBilled, nextPlanOf } from '../renewals/terms.ts'
import { leavingFactsOf, type Unpaid } from './facts.ts'
import { leavingOf, type UnpaidEnd, type Way } from './rules.ts'
import type { LeavingDocument, LeavingPreview } from './schema.ts'

type Asked = { readonly way: Way; readonly at: Instant; readonly to: 'payment' | 'credit' }

/**
 * What is owed and returned if a locked service ends in this way, and the documents that are written then. Nothing is
 * changed; the amounts are those of `leave`, because both come from `leavingOf`.
 */
export async function previewOf(
  tx: Tx,
  service: ServiceRow,
  { way, at, to }: Asked,
  now: Instant,
): Promise<LeavingPreview> {
  const facts = await leavingFactsOf(tx, service, { way, at })
  const leaving = leavingOf(facts)
  const hours = await priceHours(tx, service, leaving.hours, now)
  const unpaid = facts.unpaid.flatMap((it) => {
    const end = leaving.unpaid.find(({ id }) => id === it.id)
    return end && it.invoice ? closedAs(it, it.invoice, end) : []
  })
  const returned = leaving.returned.map(({ invoiceId, amountCents }): LeavingDocument => {
    return { kind: 'credit_note', invoiceId, totalCents: amountCents }
  })
  const returnedCents = sumCents(returned.map(({ totalCents }) => totalCents))
  const overpaidCents = sumCents(unpaid.map((it) => it.overpaidCents))
  return {
    ...{ endsAt: at, currency: service.currency },
    owedCents: sumCents([...hours, ...unpaid.map((it) => it.owedCents)]),
    refundCents: to === 'payment' ? returnedCents : cents(0),
    creditCents: sumCents([to === 'credit' ? returnedCents : cents(0), overpaidCents]),
    documents: [
      ...returned,
      ...unpaid.flatMap(({ document }) => document ?? []),
      ...hours.map((totalCents): LeavingDocument => {
        return { kind: 'invoice', invoiceId: null, totalCents }
      }),
    ],
  }
}

type Closed = { document: LeavingDocument | null; owedCents: Cents; overpaidCents: Cents }

/** How an unpaid invoice is closed: by a credit note, or without one if the invoice has no number. */
function closedAs(
  { shareCents, isShared }: Unpaid,
  invoice: NonNullable<Unpaid['invoice']>,
  { keepCents, creditCents, writeOff }: UnpaidEnd,
): Closed {
  const { id: invoiceId, number } = invoice
  if (writeOff) {
    const document = { kind: 'write_off' as const, invoiceId, totalCents: shareCents }
    return { document: isShared ? null : document, owedCents: cents(0), overpaidCents: cents(0) }
  }
  const left = dueCents(invoice) - creditCents
  const kind = number === null && keepCents === 0 ? 'void' : 'credit_note'
  return {
    document: creditCents > 0 ? { kind, invoiceId, totalCents: creditCents } : null,
    owedCents: cents(Math.max(0, Math.min(keepCents, left))),
    overpaidCents: cents(Math.max(0, -left)),
  }
}

async function priceHours(
  tx: Tx,
  service: ServiceRow,
  hours: readonly Period[],
  now: Instant,
): Promise<Cents[]> {
  if (!isBilled(service)) return []
  const plan = nextPlanOf(service, null)
  const toBill = hours.map((period) => ({ service, plan, period, dueAt: now }))
  const documents = await documentsFor(tx, service.tenantId, toBill, now)
  return documents.map(({ totalCents }) => totalCents)
}
