import type { InvoiceDocument } from '../invoices/document.ts'
import type { InvoiceParts, InvoiceRow } from '../invoices/queries.ts'

const AMOUNTS = ['subtotalCents', 'discountCents', 'netCents', 'taxCents', 'totalCents'] as const

type Quoted = Pick<
  InvoiceRow,
  (typeof AMOUNTS)[number] | 'currency' | 'priceMode' | 'status' | 'number' | 'paidCents'
>

/** Whether an invoice is still an offer: open, without a number, and unpaid. */
export function isQuote({ status, number, paidCents }: Quoted): boolean {
  return status === 'open' && number === null && paidCents === 0
}

/**
 * Whether the content of a pro forma equals what it would be today (R3.4): the same amounts in total
 * and for each tax, at the same rates and owed in the same country. Names and descriptions may differ.
 */
export function holds(
  invoice: Quoted,
  { taxes }: Pick<InvoiceParts, 'taxes'>,
  today: InvoiceDocument,
): boolean {
  return (
    AMOUNTS.every((amount) => invoice[amount] === today[amount]) &&
    invoice.currency === today.currency &&
    invoice.priceMode === today.priceMode &&
    taxes.length === today.taxes.length &&
    taxes.every((tax, index) => isSameTax(tax, today.taxes[index]))
  )
}

type Tax = InvoiceDocument['taxes'][number]

function isSameTax(tax: Tax, other: Tax | undefined): boolean {
  return (
    tax.category === other?.category &&
    tax.rateBasisPoints === other.rateBasisPoints &&
    tax.country === other.country &&
    tax.netCents === other.netCents &&
    tax.taxCents === other.taxCents
  )
}
