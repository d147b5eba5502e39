import type { Instant } from '#lib/time.ts'

/** A tax group of a document, with what was sold in it. */
export type BookedGroup = {
  readonly category: 'S' | 'AE' | 'O' | 'E'
  readonly country: string
  readonly rateBasisPoints: number | null
  readonly netCents: number
  readonly taxCents: number
  /** The first line of it; null on a credit note. */
  readonly product: string | null
  readonly periodStart: Instant | null
}

/** What the accounting of an invoice or a credit note needs; amounts are above 0 on both. */
export type BookedDocument = {
  readonly userId: string
  readonly customer: string
  readonly vatNumber: string | null
  /** Whose VAT law applies to the seller. */
  readonly home: string
  readonly dueAt: Instant | null
  readonly groups: readonly BookedGroup[]
}

/** A transaction of the ledger with its postings, and the document that it books. */
export type Entry = {
  readonly at: Instant
  readonly id: string
  readonly kind: string
  readonly currency: string
  /** Debits above 0, credits below; they add up to 0. */
  readonly postings: readonly { readonly account: string; readonly amountCents: number }[]
  /** The number of the document that it books, pays or refunds. */
  readonly number: string | null
  readonly document: BookedDocument | null
}

/** The customer of a document, or whose receivable or credit an entry moves; null for none. */
export function customerOf({ postings, document }: Entry): string | null {
  if (document) return document.userId
  const owned = postings.find(({ account }) => /^(receivable|credit|heldCredit):/.test(account))
  return owned?.account.split(':')[1] ?? null
}
