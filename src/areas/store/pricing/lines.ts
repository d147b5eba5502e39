import { type Cents, cents, portion } from '#lib/money.ts'
import type { Interval } from '#lib/periods.ts'
import { unprocessable } from '#lib/problem.ts'
import type { PriceMode, TaxTreatment } from '#lib/tax.ts'

/**
 * One line to be priced. `unitPriceCents` is quoted in the tenant's price mode. A setup fee is a
 * line of its own; a credit has a negative quantity, never a negative price.
 */
export type OrderLine = {
  readonly unitPriceCents: Cents
  readonly quantity: number
  readonly setupFee: boolean
  /** Whether the unit price is already adjusted for this customer: home VAT was removed if none is due. */
  readonly asCharged?: boolean
  readonly tax: TaxTreatment
  readonly productId: string | null
  readonly categoryId: string | null
  readonly planId: string | null
  readonly interval: Interval | null
}

/** A line with its amount before any discount, in cents, net or gross by the price mode. */
export type AmountedLine<L extends OrderLine = OrderLine> = L & { readonly subtotalCents: Cents }

/** Quantity times unit price of every line (R1.3), with home VAT deducted if none is due (R1.6). */
export function withAmounts<L extends OrderLine>(
  lines: readonly L[],
  mode: PriceMode,
): AmountedLine<L>[] {
  return lines.map((line) => {
    const unitPriceCents = unitPriceOf(line, mode)
    const subtotalCents = cents(BigInt(unitPriceCents) * BigInt(line.quantity))
    return { ...line, unitPriceCents, subtotalCents }
  })
}

/**
 * The charged price of one unit: the quoted price; for a tax-inclusive price sold without VAT (reverse
 * charge, outside the EU) the price less the VAT of the seller's country (R1.6). Throws 422 if that VAT is
 * unknown: the price would otherwise include a tax that nobody owes.
 */
function unitPriceOf(
  { unitPriceCents, tax, asCharged = false }: OrderLine,
  mode: PriceMode,
): Cents {
  if (asCharged || mode === 'exclusive') return unitPriceCents
  if (tax.category !== 'AE' && tax.category !== 'O') return unitPriceCents
  const rate = tax.homeRateBasisPoints
  if (rate === null) {
    const message = 'The tax inside this price is not known. Add a tax rate for your country.'
    throw unprocessable(message, 'tax_rate_unknown')
  }
  return cents(unitPriceCents - portion(unitPriceCents, rate, 10_000 + rate))
}
