import type { Interval } from '#lib/periods.ts'

/** The words on a printed document, in one language. */
export type PrintedTexts = {
  readonly locale: string
  /** How amounts and days are written. */
  readonly region: string
  readonly invoice: string
  readonly proForma: string
  readonly creditNote: string
  readonly topUp: string
  readonly number: string
  readonly issuedOn: string
  readonly madeOn: string
  readonly dueOn: string
  readonly corrects: (number: string, day: string) => string
  readonly reason: string
  readonly seller: string
  readonly buyer: string
  readonly vatNumber: string
  readonly registerNumber: string
  readonly description: string
  readonly quantity: string
  readonly unitPrice: string
  readonly discount: string
  readonly vat: string
  readonly net: string
  readonly base: string
  readonly subtotal: string
  readonly taxTotal: string
  readonly total: string
  readonly paid: string
  readonly due: string
  readonly credited: string
  readonly noTax: string
  readonly proFormaMention: string
  readonly topUpMention: string
  readonly creditTerms: string
  readonly payBy: (iban: string) => string
  readonly bic: (bic: string) => string
  readonly reference: (number: string) => string
  readonly creditOn: (invoiceNumber: string) => string
  readonly discountReason: string
  readonly page: (page: number, pages: number) => string
  readonly notSubject: string
  readonly exempt: string
  readonly reverseCharge: string
}

/** What the lines of invoices say. `what` is a product and its plan, a day is as it is printed. */
export type LineTexts = {
  readonly setup: (what: string) => string
  readonly trial: (what: string, days: number) => string
  /** The period begins with the payment: its length is all that can be said (R3.11). */
  readonly fromPayment: (what: string, cycle: SoldCycle) => string
  readonly period: (what: string, days: string) => string
  readonly unusedTime: (product: string, lastDay: string) => string
  readonly restOfPeriod: (product: string, lastDay: string) => string
  readonly newPeriod: (product: string) => string
  readonly topUp: string
}

export type SoldCycle = {
  readonly interval: Exclude<Interval, 'one_time' | 'hour'>
  readonly intervalCount: number
}

/** Why the service itself credits or voids an invoice, as it is kept; credit notes say it in their language. */
export const HOUSE_REASONS = {
  priceExpired: 'Its price no longer holds',
  serviceEnded: 'The service has ended',
  notSetUp: 'The service could not be set up',
  changeGivenUp: 'The change was given up',
  changeFailed: 'The change could not be made',
  changeCostsNothing: 'The change costs nothing any more',
  productChanged: 'The service has changed to another product',
  changeOfProduct: 'Change of product',
  canceled: 'Canceled',
  withdrawal: 'Withdrawal from the contract',
  nextPeriodOnAnotherPlan: 'The next period is on another plan',
  refund: 'Refund',
  correction: 'Correction',
} as const

/** Everything that is said on invoices and credit notes, in one language. */
export type InvoiceTexts = {
  readonly printed: PrintedTexts
  readonly lines: LineTexts
  readonly reasons: Readonly<Record<keyof typeof HOUSE_REASONS, string>>
}
