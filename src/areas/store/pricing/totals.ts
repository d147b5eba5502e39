import { type BasisPoints, type Cents, cents, portion, rateOf, sumCents } from '#lib/money.ts'
import type { PriceMode, TaxCategory, TaxTreatment } from '#lib/tax.ts'

/** The amounts of a line, an item or a whole invoice, in cents. */
export type Amounts = {
  /** Before discounts, net or gross by the price mode, like the discount. */
  readonly subtotalCents: Cents
  readonly discountCents: Cents
  readonly netCents: Cents
  readonly taxCents: Cents
  readonly totalCents: Cents
}

/** All lines of an invoice that have one tax category and rate: tax is rounded once for them. */
export type TaxGroup = {
  readonly category: TaxCategory
  readonly rateBasisPoints: BasisPoints | null
  readonly country: string
  readonly netCents: Cents
  readonly taxCents: Cents
}

type Discounted = {
  readonly tax: TaxTreatment
  readonly subtotalCents: Cents
  readonly discountCents: Cents
}

/**
 * Net, tax and total of every line. A line's tax is what its amount adds to the tax of the previous
 * lines with the same category and rate, so the lines always add up to the group (R1.4).
 */
export function withTax<L extends Discounted>(
  lines: readonly L[],
  mode: PriceMode,
): (L & Amounts)[] {
  const running = new Map<string, number>()
  return lines.map((line) => {
    const key = groupKey(line.tax)
    const before = running.get(key) ?? 0
    const amount = line.subtotalCents - line.discountCents
    running.set(key, before + amount)
    const taxCents = cents(taxIn(before + amount, line.tax, mode) - taxIn(before, line.tax, mode))
    const netCents = cents(mode === 'exclusive' ? amount : amount - taxCents)
    return { ...line, netCents, taxCents, totalCents: sumCents([netCents, taxCents]) }
  })
}

/**
 * The tax groups of an invoice, in the order of their first lines (R1.4). Throws a RangeError if lines
 * outside the scope of VAT are mixed with others: no valid invoice contains both.
 */
export function taxGroups(
  lines: readonly (Pick<Amounts, 'netCents' | 'taxCents'> & { readonly tax: TaxTreatment })[],
): TaxGroup[] {
  const groups = new Map<string, TaxGroup>()
  for (const { tax, netCents, taxCents } of lines) {
    const key = groupKey(tax)
    const group = groups.get(key)
    groups.set(key, {
      category: tax.category,
      rateBasisPoints: tax.rateBasisPoints,
      country: group?.country ?? tax.country,
      netCents: sumCents([group?.netCents ?? 0, netCents]),
      taxCents: sumCents([group?.taxCents ?? 0, taxCents]),
    })
  }
  const all = [...groups.values()]
  if (all.length > 1 && all.some(({ category }) => category === 'O')) {
    throw new RangeError('Lines outside the scope of VAT cannot be mixed with others')
  }
  return all
}

/** Adds amounts up: the lines of a cart item, or all lines of an invoice. */
export function sumAmounts(parts: readonly Amounts[]): Amounts {
  return {
    subtotalCents: sumCents(parts.map((part) => part.subtotalCents)),
    discountCents: sumCents(parts.map((part) => part.discountCents)),
    netCents: sumCents(parts.map((part) => part.netCents)),
    taxCents: sumCents(parts.map((part) => part.taxCents)),
    totalCents: sumCents(parts.map((part) => part.totalCents)),
  }
}

/** The tax on a net amount, or inside a gross one, rounded once (R1.4, R1.6). AE, O and E have none. */
function taxIn(amount: number, { category, rateBasisPoints }: TaxTreatment, mode: PriceMode) {
  if (category !== 'S') return cents(0)
  if (rateBasisPoints === null) throw new RangeError('A taxed line needs a rate')
  if (mode === 'exclusive') return rateOf(amount, rateBasisPoints)
  return portion(amount, rateBasisPoints, 10_000 + rateBasisPoints)
}

function groupKey({ category, rateBasisPoints }: TaxTreatment): string {
  return `${category} ${rateBasisPoints}`
}
