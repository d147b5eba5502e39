declare const unit: unique symbol

/** Whole cents: the smallest unit of a currency. Plain arithmetic results in `number`; use `sumCents` for sums. */
export type Cents = number & { readonly [unit]: 'cents' }

/** Hundredths of a percent: 20 % is 2000. */
export type BasisPoints = number & { readonly [unit]: 'basisPoints' }

/** Prices below a cent are written in micros: 1 cent is 10 000 micros (R1.1). */
export const MICROS_PER_CENT = 10_000

/** The largest unit price, in cents (R1.1). */
export const MAX_UNIT_PRICE_CENTS = 100_000_000
/** The largest quantity of one line (R1.1). */
export const MAX_QUANTITY = 100_000

/** Converts an integer to cents. Throws a RangeError if it is not an integer, or too large to be exact. */
export function cents(value: number | bigint): Cents {
  const amount = Number(value)
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not a whole number of cents: ${value}`)
  return (amount === 0 ? 0 : amount) as Cents
}

/** Converts an integer from 0 to 1 000 000 (10 000 %) to basis points. */
export function basisPoints(value: number): BasisPoints {
  if (!Number.isSafeInteger(value) || value < 0 || value > 1_000_000) {
    throw new RangeError(`Not basis points: ${value}`)
  }
  return value as BasisPoints
}

/** Adds amounts up, exactly. */
export function sumCents(amounts: Iterable<number>): Cents {
  let sum = 0n
  for (const amount of amounts) sum += BigInt(amount)
  return cents(sum)
}

/** The integer nearest to n / d, halves away from zero: the only rounding of this product (R1.2). */
export function roundDiv(n: bigint, d: bigint): bigint {
  if (d === 0n) throw new RangeError('Division by zero')
  const negative = n < 0n !== d < 0n
  const magnitude = n < 0n ? -n : n
  const divisor = d < 0n ? -d : d
  const rounded = (2n * magnitude + divisor) / (2n * divisor)
  return negative ? -rounded : rounded
}

/** `amount · part / whole`, rounded once, halves away from zero. */
export function portion(amount: number, part: number, whole: number): Cents {
  return cents(roundDiv(BigInt(amount) * BigInt(part), BigInt(whole)))
}

/**
 * `rate` of an amount: 20 % of 250 is 50. Call it once per rate, on the sum: the sum of rounded lines would
 * differ (R1.4).
 */
export function rateOf(amount: number, rate: number): Cents {
  return portion(amount, rate, 10_000)
}

/**
 * Splits a total by weights so that the parts add up to it: every share is rounded down, and the missing
 * cents go one by one to the largest fractional parts, ties to the lower index. A negative total mirrors a
 * positive one (R1.5). Throws a RangeError if there is a total and no weight.
 */
export function allocate(total: number, weights: readonly number[]): Cents[] {
  if (weights.some((weight) => weight < 0)) throw new RangeError('Negative weight')
  const whole = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (whole === 0n) {
    if (total !== 0) throw new RangeError('Nothing to allocate over')
    return weights.map(() => cents(0))
  }
  const magnitude = BigInt(Math.abs(total))
  const exact = weights.map((weight) => magnitude * BigInt(weight))
  const shares = exact.map((share) => share / whole)
  let missing = Number(magnitude - shares.reduce((sum, share) => sum + share, 0n))
  const byFraction = exact
    .map((share, index) => ({ index, fraction: share % whole }))
    .sort((a, b) =>
      a.fraction === b.fraction ? a.index - b.index : a.fraction > b.fraction ? -1 : 1,
    )
  for (const { index } of byFraction) {
    if (missing === 0) break
    shares[index] = (shares[index] ?? 0n) + 1n
    missing -= 1
  }
  return shares.map((share) => cents(total < 0 ? -share : share))
}
