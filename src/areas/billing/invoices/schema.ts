import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  DayOn,
  Id,
  Line,
  ListQuery,
  Named,
  Nullable,
  OneOf,
  PageQuery,
  PositiveAmount,
  Price,
  Quantity,
  Resource,
  Text,
  Timestamp,
} from '#lib/schema.ts'
import { FormatQuery } from '#platform/http/table.ts'
import { SeriesCode } from '../settings.ts'

export const INVOICE_KINDS = ['checkout', 'upgrade', 'renewal', 'top_up', 'manual'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
const DISPLAYED = [
  ...INVOICE_STATUSES,
  ...(['refunded', 'partially_refunded', 'overdue', 'partially_paid'] as const),
] as const
const TAX_CATEGORIES = ['S', 'AE', 'O', 'E'] as const

const RateOrNone = Nullable(
  Type.Integer({ description: 'Basis points; null where no rate is stated' }),
)

const InvoiceLine = Resource('InvoiceLine', {
  id: Id,
  description: Type.String(),
  serviceId: Nullable(Id),
  quantity: Type.Integer(),
  unitPriceCents: Amount,
  discountCents: Amount,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  rateBasisPoints: RateOrNone,
  taxCategory: OneOf(TAX_CATEGORIES),
  periodStart: Nullable(Timestamp),
  periodEnd: Nullable(Timestamp),
})

export const TaxLine = Resource('TaxLine', {
  category: OneOf(TAX_CATEGORIES),
  rateBasisPoints: RateOrNone,
  netCents: Amount,
  taxCents: Amount,
})

export const InvoiceSchema = Resource('Invoice', {
  id: Id,
  number: Nullable(
    Type.String({ description: 'Null while it is a draft or pro forma, and of a free trial' }),
  ),
  kind: OneOf(INVOICE_KINDS),
  status: OneOf(INVOICE_STATUSES),
  displayStatus: Named('InvoiceDisplayStatus', OneOf(DISPLAYED)),
  overdue: Type.Boolean(),
  disputed: Type.Boolean(),
  currency: Currency,
  subtotalCents: Amount,
  discountCents: Amount,
  netCents: Amount,
  taxCents: Amount,
  totalCents: Amount,
  dueCents: Amount,
  paidCents: Amount,
  creditedCents: Amount,
  refundedCents: Amount,
  lines: Type.Array(InvoiceLine),
  taxes: Type.Array(TaxLine),
  orderId: Nullable(Id),
  replacedBy: {
    ...Nullable(Id),
    description: 'The invoice to pay instead, where its price no longer held',
  },
  createdAt: Timestamp,
  issuedAt: Nullable(Timestamp),
  dueAt: Nullable(Timestamp),
  paidAt: Nullable(Timestamp),
  voidedAt: Nullable(Timestamp),
})
export type InvoiceView = Static<typeof InvoiceSchema>

const Evidence = Resource('TaxEvidence', {
  pieces: Type.Array(
    Type.Object({ kind: OneOf(['billing_address', 'payment']), country: Type.String() }),
  ),
  country: Nullable(Type.String({ description: 'The country that stands' })),
  vatCheck: Type.Optional(
    Type.Object(
      {
        vatNumber: Type.String(),
        status: OneOf(['valid', 'invalid']),
        requester: Nullable(Type.String({ description: 'The VAT number it was asked for with' })),
        consultationNumber: Nullable(Type.String()),
        checkedAt: Type.String({ format: 'date-time' }),
      },
      { description: 'What the EU’s register (VIES) had said when the invoice was numbered' },
    ),
  ),
})

export const AdminInvoiceSchema = Resource('AdminInvoice', {
  ...InvoiceSchema.properties,
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
  reference: Nullable(Id),
  reversedCents: Amount,
  heldCreditCents: Amount,
  series: Nullable(Type.String({ description: 'The series chosen for it; null: its kind’s' })),
  evidence: Nullable(Evidence),
  evidenceConflict: Type.Boolean({
    description: 'The evidence of where the consumer was is to be reviewed',
  }),
  writtenOffAt: Nullable(Timestamp),
  voidReason: Nullable(Type.String()),
})

const InvoiceQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(INVOICE_STATUSES)),
})

/** The filters of customers for their invoices. */
export const OwnInvoiceQuery = Type.Object({
  ...InvoiceQuery.properties,
  serviceId: Type.Optional({ ...Id, description: 'A service that a line of it is for' }),
  from: Type.Optional({
    ...DayOn,
    description: 'The first day (UTC) that it may be issued on, or made on without a number',
  }),
  to: Type.Optional({ ...DayOn, description: 'The last such day' }),
  overdue: Type.Optional(Type.Boolean()),
})

const { serviceId: _service, ...dated } = OwnInvoiceQuery.properties

export const AdminInvoiceQuery = Type.Object({
  ...dated,
  ...ListQuery.properties,
  ...FormatQuery,
  userId: Type.Optional(Id),
  number: Type.Optional(Type.String({ maxLength: 35 })),
  evidenceConflict: Type.Optional(Type.Boolean()),
  kind: Type.Optional(OneOf(INVOICE_KINDS)),
  disputed: Type.Optional(Type.Boolean()),
  gatewayId: Type.Optional({ ...Id, description: 'A gateway that received a payment for it' }),
  q: Type.Optional({
    ...Line(100),
    description: 'Prefix of its number or of a word of its customer’s name or e-mail',
  }),
})

const DraftLine = Body({
  description: Line(500),
  quantity: Type.Optional(Quantity),
  unitPriceCents: Price,
  productId: Type.Optional(Nullable(Id)),
  periodStart: Type.Optional(Nullable(Timestamp)),
  periodEnd: Type.Optional(Nullable(Timestamp)),
})
export type DraftLine = Static<typeof DraftLine>

const DraftFields = {
  currency: Type.Optional(Currency),
  dueAt: Type.Optional(Nullable(Timestamp)),
  series: Type.Optional(Nullable(SeriesCode)),
  lines: Type.Optional(Type.Array(DraftLine, { maxItems: 200 })),
}

export const NewDraft = Body({ userId: Id, ...DraftFields })
export type NewDraft = Static<typeof NewDraft>

export const DraftChange = Body(DraftFields)
export type DraftChange = Static<typeof DraftChange>

export const VoidRequest = Body({ reason: Type.Optional(Text(500)) })

export const MarkPaid = Body({
  gatewayId: Id,
  amountCents: Type.Optional(PositiveAmount),
  reference: {
    ...Line(100),
    description: "The bank's id of the entry, or another that no other payment has",
  },
  paidAt: Type.Optional(Timestamp),
})

export const RefundRequest = Body({
  amountCents: Type.Optional(PositiveAmount),
  to: Type.Optional(OneOf(['payment', 'credit'], 'Where the money goes; payment by default')),
  reason: Type.Optional(Text(500)),
})

export const CreditNoteRequest = Body({
  amountCents: Type.Optional(PositiveAmount),
  reason: Type.Optional(Text(500)),
})
