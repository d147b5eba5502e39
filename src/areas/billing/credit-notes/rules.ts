import { allocate, type BasisPoints, type Cents, cents, portion, sumCents } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import type { TaxCategory } from '#lib/tax.ts'

/** One tax group of an issued invoice, in cents, and how much of it (gross) is already credited. */
export type CreditableGroup = {
  readonly category: TaxCategory
  readonly rateBasisPoints: BasisPoints | null
  readonly country: string
  readonly netCents: Cents
  readonly taxCents: Cents
  readonly creditedCents: Cents
}

/** One tax group of a credit note; positive amounts in cents. */
export type CreditedGroup = Omit<CreditableGroup, 'creditedCents'> & { readonly totalCents: Cents }

/**
 * Splits a credit note over the tax groups of its invoice, by what each has left (R3.6). Tax is the
 * difference of rounded running sums, so any series of notes adds up to the invoice exactly. Groups
 * that get nothing are left out. Throws 422 for an amount of 0 or less, or above what is left.
 */
export function creditGroups(
  amountCents: Cents,
  groups: readonly CreditableGroup[],
): CreditedGroup[] {
  const left = groups.map((group) => grossOf(group) - group.creditedCents)
  if (amountCents <= 0) {
    throw unprocessable('A credit note needs an amount above 0.', 'credit_note_empty')
  }
  if (amountCents > sumCents(left)) {
    throw unprocessable('This is more than is left to credit.', 'credit_note_too_large')
  }
  const shares = allocate(amountCents, left)
  return groups
    .map((group, index) => creditOn(group, shares[index] ?? cents(0)))
    .filter(({ totalCents }) => totalCents > 0)
}

function creditOn({ creditedCents, ...group }: CreditableGroup, totalCents: Cents): CreditedGroup {
  const taxUpTo = (credited: number) =>
    credited === 0 ? 0 : portion(group.taxCents, credited, grossOf(group))
  const taxCents = cents(taxUpTo(creditedCents + totalCents) - taxUpTo(creditedCents))
  return { ...group, netCents: cents(totalCents - taxCents), taxCents, totalCents }
}

function grossOf({ netCents, taxCents }: Pick<CreditableGroup, 'netCents' | 'taxCents'>): number {
  return netCents + taxCents
}
