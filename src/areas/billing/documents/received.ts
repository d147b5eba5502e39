import { sumCents } from '#lib/money.ts'
import { dayOf } from '#lib/time.ts'
import type { InvoiceRow } from '../invoices/queries.ts'
import type { ReceivedRow } from '../payments/queries.ts'
import type { DocumentFacts } from './queries.ts'

type PrintedPayment = NonNullable<DocumentFacts['payments']>[number]

const MEANS = new Set<string>(['card', 'sepa_debit', 'paypal', 'bank_transfer'])

function isKnown(means: string): means is PrintedPayment['means'] {
  return MEANS.has(means)
}

/**
 * The payments that a document lists: money from outside, oldest first, then customer credit. Empty if a bank
 * took money back, for the rest cannot be assigned to payments.
 */
export function paymentsPrinted(
  {
    totalCents,
    paidCents,
    reversedCents,
    paidAt,
  }: Pick<InvoiceRow, 'totalCents' | 'paidCents' | 'reversedCents' | 'paidAt'>,
  received: readonly ReceivedRow[],
): PrintedPayment[] {
  if (reversedCents > 0 || paidCents > totalCents) return []
  const listed = received.map(paymentOf)
  const creditCents = paidCents - sumCents(received.map(({ amountCents }) => amountCents))
  if (creditCents <= 0) return listed
  const paidOn = paidAt && dayOf(paidAt)
  return [...listed, { paidOn, means: 'credit', detail: null, amountCents: creditCents }]
}

function paymentOf({ methodKind, methodBrand, methodLast4, ...row }: ReceivedRow): PrintedPayment {
  const means = methodKind ?? row.driver
  const account = [methodBrand && capitalized(methodBrand), methodLast4 && `•••• ${methodLast4}`]
  const paid = { paidOn: dayOf(row.paidAt), amountCents: row.amountCents }
  if (!isKnown(means)) return { ...paid, means: 'other', detail: row.gatewayName }
  return { ...paid, means, detail: account.filter(Boolean).join(' ') || null }
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
