import { type Static, Type } from 'typebox'
import { cents, sumCents } from '#lib/money.ts'
import { Amount, Currency, Id, Nullable, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { listNotesOfInvoice } from '../credit-notes/queries.ts'
import { listReceived, type ReceivedRow } from '../payments/queries.ts'
import { listRefundsOf } from '../refunds/queries.ts'
import { REFUND_STATUSES } from '../refunds/schema.ts'
import { type InvoiceRow, partsOfAll } from './queries.ts'
import { InvoiceSchema } from './schema.ts'
import { invoiceView } from './view.ts'

const Text = Nullable(Type.String())

const Party = Resource('InvoiceParty', {
  ...{ name: Text, company: Text, email: Text, vatNumber: Text, registerNumber: Text },
  address: Type.Object({
    ...{ line1: Text, line2: Text, postcode: Text, city: Text, region: Text, country: Text },
  }),
})

const Received = Type.Object({
  means: OneOf(['payment', 'credit'], 'Money from outside, or credit of the customer'),
  amountCents: Amount,
  paidAt: Nullable(Timestamp),
  gatewayName: Text,
  method: Nullable(Type.Object({ kind: Text, brand: Text, last4: Text })),
})

/** One invoice with its two parties, and the history of its money. */
export const InvoiceDetailsSchema = Resource('InvoiceDetails', {
  ...InvoiceSchema.properties,
  seller: Party,
  buyer: Party,
  payments: Type.Array(Received, { description: 'What came in, oldest first, then credit' }),
  refunds: Type.Array(
    Type.Object({
      id: Id,
      creditNoteId: Nullable(Id),
      to: OneOf(['payment', 'credit']),
      status: OneOf(REFUND_STATUSES),
      ...{ amountCents: Amount, currency: Currency },
      ...{ createdAt: Timestamp, endedAt: Nullable(Timestamp) },
    }),
  ),
  creditNotes: Type.Array(
    Type.Object({
      ...{ id: Id, number: Type.String(), totalCents: Amount, currency: Currency },
      issuedAt: Timestamp,
    }),
  ),
})
type InvoiceDetails = Static<typeof InvoiceDetailsSchema>

/** A single invoice as its customer sees it. `showsMethods`: with the cards and accounts. */
export async function invoiceDetails(
  db: Db,
  row: InvoiceRow,
  { showsMethods }: { showsMethods: boolean },
  now: Instant,
): Promise<InvoiceDetails> {
  const { tenantId, id } = row
  const [parts, received, refunds, notes] = await Promise.all([
    partsOfAll(db, tenantId, [id]),
    listReceived(db, tenantId, id),
    listRefundsOf(db, tenantId, id),
    listNotesOfInvoice(db, tenantId, id),
  ])
  return {
    ...invoiceView(row, parts, now),
    ...{ seller: partyOf(row.seller), buyer: partyOf(row.buyer) },
    payments: paymentsOf(row, received, showsMethods),
    refunds: refunds.map(({ paymentId, state, ...refund }) => ({
      ...{ id: refund.id, creditNoteId: refund.creditNoteId, status: state },
      to: paymentId === null ? ('credit' as const) : ('payment' as const),
      ...{ amountCents: refund.amountCents, currency: refund.currency },
      ...{ createdAt: refund.createdAt, endedAt: refund.endedAt },
    })),
    creditNotes: notes,
  }
}

/** A party of an invoice as it was frozen; fields that are missing there are null. */
function partyOf(said: Readonly<Record<string, string | boolean | null>>) {
  const text = (key: string) => {
    const value = said[key]
    return typeof value === 'string' ? value : null
  }
  return {
    ...{ name: text('name'), company: text('company'), email: text('email') },
    ...{ vatNumber: text('vatNumber'), registerNumber: text('registerNumber') },
    address: {
      ...{ line1: text('line1'), line2: text('line2'), postcode: text('postcode') },
      ...{ city: text('city'), region: text('region'), country: text('country') },
    },
  }
}

function paymentsOf(
  { paidCents, paidAt }: InvoiceRow,
  received: readonly ReceivedRow[],
  showsMethods: boolean,
): InvoiceDetails['payments'] {
  const payments = received.map(({ methodKind, methodBrand, methodLast4, ...payment }) => ({
    ...{ means: 'payment' as const, amountCents: payment.amountCents, paidAt: payment.paidAt },
    gatewayName: payment.gatewayName,
    method:
      showsMethods && methodKind !== null
        ? { kind: methodKind, brand: methodBrand, last4: methodLast4 }
        : null,
  }))
  const creditCents = cents(paidCents - sumCents(received.map(({ amountCents }) => amountCents)))
  if (creditCents <= 0) return payments
  const credit = { means: 'credit' as const, amountCents: creditCents, paidAt }
  return [...payments, { ...credit, gatewayName: null, method: null }]
}
