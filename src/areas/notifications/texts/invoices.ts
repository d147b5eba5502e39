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
  readonly paidOn: string
  readonly paidBy: (means: string, day: string | null) => string
  readonly means: Readonly<
    Record<'card' | 'sepa_debit' | 'paypal' | 'bank_transfer' | 'credit' | 'other', string>
  >
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

/** What the lines of invoices say. `what` is a product and its plan, a day is such as `2026-05-04`. */
export type LineTexts = {
  readonly setup: (what: string) => string
  readonly trial: (what: string, days: number) => string
  /** The period begins with the payment: its length is all that can be said (R3.11). */
  readonly fromPayment: (what: string, cycle: SoldCycle) => string
  readonly period: (what: string, days: { first: string; last: string }) => string
  readonly unusedTime: (product: string, lastDay: string) => string
  readonly restOfPeriod: (product: string, lastDay: string) => string
  readonly newPeriod: (product: string) => string
  /** What a service has beside its plan, by the name of the option; null for its location. */
  readonly component: (name: string | null, label: string) => string
  readonly topUp: string
}

export type SoldCycle = {
  readonly interval: Exclude<Interval, 'one_time' | 'hour'>
  readonly intervalCount: number
}

/** What the text of each reason to credit or void an invoice is made of; null for nothing. */
export type ReasonFacts = {
  priceExpired: null
  notPaidInTime: null
  serviceEnded: null
  terminated: null
  terminatedUnpaid: null
  notSetUp: null
  soldOut: null
  changeGivenUp: null
  changeFailed: null
  changeCostsNothing: null
  anotherChange: null
  productChanged: null
  changeOfProduct: null
  optionsChanged: null
  canceled: null
  withdrawal: null
  orderCanceled: null
  renewalReplaced: null
  nextPeriodOnAnotherPlan: null
  freeDays: null
  refund: null
  refundedAtProvider: null
  correction: null
  voidedByStaff: null
  duplicate: { number: string }
}

export type ReasonKey = keyof ReasonFacts

/** A reason that the service itself gives. Its text is made in the reader's language. */
export type HouseReason<K extends ReasonKey = ReasonKey> = {
  readonly [Key in K]: { readonly key: Key; readonly facts: ReasonFacts[Key] }
}[K]

/** Why an invoice is credited or voided: a reason of ours, or what a person has written. */
export type Reason = HouseReason | { readonly written: string }

/** The reasons that need no facts. */
export const HOUSE_REASONS = {
  priceExpired: { key: 'priceExpired', facts: null },
  notPaidInTime: { key: 'notPaidInTime', facts: null },
  serviceEnded: { key: 'serviceEnded', facts: null },
  terminated: { key: 'terminated', facts: null },
  terminatedUnpaid: { key: 'terminatedUnpaid', facts: null },
  notSetUp: { key: 'notSetUp', facts: null },
  soldOut: { key: 'soldOut', facts: null },
  changeGivenUp: { key: 'changeGivenUp', facts: null },
  changeFailed: { key: 'changeFailed', facts: null },
  changeCostsNothing: { key: 'changeCostsNothing', facts: null },
  anotherChange: { key: 'anotherChange', facts: null },
  productChanged: { key: 'productChanged', facts: null },
  changeOfProduct: { key: 'changeOfProduct', facts: null },
  optionsChanged: { key: 'optionsChanged', facts: null },
  canceled: { key: 'canceled', facts: null },
  withdrawal: { key: 'withdrawal', facts: null },
  orderCanceled: { key: 'orderCanceled', facts: null },
  renewalReplaced: { key: 'renewalReplaced', facts: null },
  nextPeriodOnAnotherPlan: { key: 'nextPeriodOnAnotherPlan', facts: null },
  freeDays: { key: 'freeDays', facts: null },
  refund: { key: 'refund', facts: null },
  refundedAtProvider: { key: 'refundedAtProvider', facts: null },
  correction: { key: 'correction', facts: null },
  voidedByStaff: { key: 'voidedByStaff', facts: null },
} as const satisfies { [K in Exclude<ReasonKey, 'duplicate'>]: HouseReason<K> }

/** The text of each reason, in one language. */
export type ReasonTexts = { readonly [K in ReasonKey]: (facts: ReasonFacts[K]) => string }

/** Everything that is said on invoices and credit notes, in one language. */
export type InvoiceTexts = {
  readonly printed: PrintedTexts
  readonly lines: LineTexts
  readonly reasons: ReasonTexts
}
