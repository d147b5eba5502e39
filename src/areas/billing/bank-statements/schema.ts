import { type Static, Type } from 'typebox'
import {
  Amount,
  Body,
  Currency,
  DayOn,
  Id,
  Line,
  Nullable,
  OneOf,
  PageQuery,
  Resource,
  Timestamp,
} from '#lib/schema.ts'

const Column = Line(100)

/** How to read a bank's CSV file: by the names in its header. */
export const CsvShape = Body({
  columns: Body({
    bookedOn: Column,
    amount: Column,
    currency: Type.Optional(Column),
    payerName: Type.Optional(Column),
    payerIban: Type.Optional(Column),
    remittance: Type.Optional(Column),
    bankReference: Type.Optional(Column),
  }),
  dateFormat: Type.Optional(OneOf(['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'])),
  decimalSign: Type.Optional(OneOf([',', '.'])),
})
export type CsvShape = Static<typeof CsvShape>

export const LARGEST_STATEMENT = 6_000_000

export const NewStatement = Body({
  gatewayId: Id,
  format: OneOf(['camt.053', 'csv']),
  content: Type.String({
    minLength: 1,
    maxLength: LARGEST_STATEMENT,
    description: 'The file as text, as the bank gave it',
  }),
  fileName: Type.Optional(Line(200)),
  csv: Type.Optional(CsvShape),
})
export type NewStatement = Static<typeof NewStatement>

export const StatementSchema = Resource('BankStatement', {
  id: Id,
  gatewayId: Id,
  format: OneOf(['camt.053', 'csv']),
  fileName: Nullable(Type.String()),
  entryCount: Type.Integer({ description: 'Money that came in, as often as the file says' }),
  newCount: Type.Integer({ description: 'Entries that no earlier file contained' }),
  debitCount: Type.Integer({ description: 'Money that left: nothing is done about it' }),
  createdBy: Id,
  createdAt: Timestamp,
})

export const EntrySchema = Resource('BankEntry', {
  id: Id,
  statementId: Id,
  gatewayId: Id,
  status: OneOf(
    ['new', 'open', 'booked', 'dismissed'],
    'new: about to be matched; open: staff decide which invoice it pays',
  ),
  bookedOn: DayOn,
  amountCents: Amount,
  currency: Currency,
  bankReference: Nullable(Type.String()),
  payerName: Nullable(Type.String()),
  payerIban: Nullable(Type.String()),
  remittance: Nullable(Type.String()),
  paymentId: Nullable(Id),
  userId: Nullable(Id),
  note: Nullable(Type.String()),
  settledBy: Nullable(Id),
  settledAt: Nullable(Timestamp),
  createdAt: Timestamp,
})

const Proposal = Resource('BankEntryProposal', {
  invoiceId: Id,
  number: Nullable(Type.String()),
  userId: Id,
  customerName: Nullable(Type.String()),
  dueCents: Amount,
  reasons: Type.Array(OneOf(['number', 'amount', 'name'])),
})

export const EntryWithProposals = Resource('BankEntryWithProposals', {
  ...EntrySchema.properties,
  proposals: Type.Array(Proposal, { description: 'Invoices it may be for, likeliest first' }),
})

export const EntryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(['new', 'open', 'booked', 'dismissed'])),
  gatewayId: Type.Optional(Id),
  statementId: Type.Optional(Id),
})

export const Assignment = Body({ invoiceId: Id })
export const Dismissal = Body({ note: Line(500) })
