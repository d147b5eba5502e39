import { type Cents, cents, sumCents } from '#lib/money.ts'
import { type Chosen, isNothing, type OptionTerms, type PriceRow, type Sold } from './terms.ts'

/** What a choice costs for one service, in cents: per period, once, and per hour if hours are metered. */
export type ChoicePrice = {
  /** By the hour: the most that a month costs. */
  readonly priceCents: Cents
  readonly feeCents: Cents
  readonly priceMicros: number | null
}

/**
 * The price of a choice for one service; null if it is not offered in this cycle and currency (S1.2). A choice of
 * nothing costs nothing.
 */
export function priceOfChoice(chosen: Chosen, sold: Sold): ChoicePrice | null {
  if (isNothing(chosen)) return nothing(sold)
  const { option, value, quantity } = chosen
  const rows = rowsFor(option, sold)
  if (option.kind === 'quantity') return priceOfQuantity(option, rows, quantity ?? 0)
  const row = rows.find((it) => it.value === (value?.key ?? null) && it.tier === null)
  return row ? amountsOf([{ row, units: 1 }], row.feeCents) : null
}

/** The price rows of an option for a cycle and currency. */
export function rowsFor(
  { prices }: Pick<OptionTerms, 'prices'>,
  { interval, intervalCount, currency }: Sold,
): PriceRow[] {
  return prices.filter(
    (it) =>
      it.interval === interval && it.intervalCount === intervalCount && it.currency === currency,
  )
}

function nothing({ interval }: Sold): ChoicePrice {
  const free = cents(0)
  return { priceCents: free, feeCents: free, priceMicros: interval === 'hour' ? 0 : null }
}

/** A number of units at the price of a row. */
type Share = { readonly row: PriceRow; readonly units: number }

function priceOfQuantity(
  option: OptionTerms,
  rows: readonly PriceRow[],
  quantity: number,
): ChoicePrice | null {
  const shares = sharesOf(option, rows, quantity)
  const last = shares?.at(-1)
  // The fee is charged once: that of the tier with the quantity.
  return shares && last ? amountsOf(shares, last.row.feeCents) : null
}

/** How many units are charged at the price of which row (S1.3); null if a row is missing. */
function sharesOf(
  { priceMode, tiers }: Pick<OptionTerms, 'priceMode' | 'tiers'>,
  rows: readonly PriceRow[],
  quantity: number,
): Share[] | null {
  const rowOf = (tier: number) => rows.find((it) => it.value === null && it.tier === tier)
  const holding = tiers.findIndex(({ upTo }) => upTo === null || quantity <= upTo)
  if (priceMode !== 'graduated') return complete([[rowOf(holding), quantity]])
  return complete(
    tiers.slice(0, holding + 1).map(({ upTo }, tier) => {
      const from = tiers[tier - 1]?.upTo ?? 0
      return [rowOf(tier), Math.min(quantity, upTo ?? quantity) - from] as const
    }),
  )
}

function complete(shares: readonly (readonly [PriceRow | undefined, number])[]): Share[] | null {
  const found = shares.flatMap(([row, units]) => (row ? [{ row, units }] : []))
  return found.length > 0 && found.length === shares.length ? found : null
}

function amountsOf(shares: readonly Share[], feeCents: Cents): ChoicePrice {
  const micros = shares.map(({ row, units }) => row.priceMicros && row.priceMicros * units)
  return {
    priceCents: sumCents(shares.map(({ row, units }) => row.priceCents * units)),
    feeCents,
    priceMicros: micros.some((it) => it === null)
      ? null
      : micros.reduce<number>((sum, it) => sum + (it ?? 0), 0),
  }
}

/**
 * Whether a larger quantity costs less than a smaller one in any cycle and currency: the first quantity of a tier
 * against the last before it (S1.3).
 */
export function hasTierCliff(option: OptionTerms): boolean {
  const { priceMode, tiers, min, max, step } = option
  if (priceMode !== 'volume' || min === null || max === null || step === null) return false
  return tiers.some(({ upTo }) => {
    if (upTo === null || upTo < min) return false
    const before = min + Math.floor((upTo - min) / step) * step
    const after = before + step
    return after <= max && soldIn(option).some((sold) => isCheaper(option, { before, after }, sold))
  })
}

function isCheaper(
  option: OptionTerms,
  { before, after }: { before: number; after: number },
  sold: Sold,
): boolean {
  const [smaller, larger] = [before, after].map((quantity) =>
    priceOfChoice({ option, value: null, quantity, text: null }, sold),
  )
  if (!smaller || !larger) return false
  return (
    larger.priceCents < smaller.priceCents || (larger.priceMicros ?? 0) < (smaller.priceMicros ?? 0)
  )
}

/** The cycles and currencies that an option has price rows for. */
export function soldIn({ prices }: Pick<OptionTerms, 'prices'>): Sold[] {
  const all = prices.map(({ interval, intervalCount, currency }) => {
    const sold = { interval, intervalCount, currency }
    return [`${interval} ${intervalCount} ${currency}`, sold] as const
  })
  return [...new Map(all).values()]
}
