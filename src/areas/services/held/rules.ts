import { allocate, type Cents, cents, portion, roundDiv } from '#lib/money.ts'
import type { Period } from '#lib/periods.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'

/** What was paid for one span of time of a service, in cents; a change that gave back is negative. */
export type PaidLine = {
  readonly netCents: Cents
  /** How much of it was refunded or credited, other than by a change of plan. */
  readonly refundedCents: Cents
  readonly span: Period
  /** The component that it was paid for; null for the plan, undefined for the plan with all components. */
  readonly component?: string | null | undefined
}

/**
 * The held value of paid lines at a time: the share of each line that was not refunded, by the unused seconds of the
 * line's own span. Rounded once, never below 0 (R4.9).
 */
export function heldValue(lines: readonly PaidLine[], at: Instant): Cents {
  let [numerator, denominator] = [0n, 1n]
  for (const { netCents, refundedCents, span } of lines) {
    const whole = secondsBetween(span.start, span.end)
    if (whole <= 0 || at >= span.end) continue
    const unused = at <= span.start ? whole : secondsBetween(at, span.end)
    const [part, of] = [BigInt(netCents - refundedCents) * BigInt(unused), BigInt(whole)]
    numerator = numerator * of + part * denominator
    denominator *= of
  }
  return cents(numerator <= 0n ? 0 : roundDiv(numerator, denominator))
}

/** The total cost of lines less what was refunded, in cents; never below 0. */
export function keptOf(lines: readonly PaidLine[]): Cents {
  const kept = lines.reduce((sum, line) => sum + line.netCents - line.refundedCents, 0)
  return cents(Math.max(0, kept))
}

/** What was paid for one component; undefined if a line was paid for the plan with all components. */
export function linesOfComponent(
  lines: readonly PaidLine[],
  key: string,
): readonly PaidLine[] | undefined {
  if (lines.some(({ component }) => component === undefined)) return undefined
  return lines.filter(({ component }) => component === key)
}

/** Whether any part of these lines was refunded or credited. */
export function wasRefunded(lines: readonly PaidLine[]): boolean {
  return lines.some(({ refundedCents }) => refundedCents !== 0)
}

/** An amount of an invoice: in the tenant's price mode, and with tax. */
export type Amount = { readonly netCents: Cents; readonly totalCents: Cents }

/** The part of a refund for each invoice line, allocated by the gross amounts of the lines (R1.5). */
export function refundedShares(refundedCents: Cents, lines: readonly Amount[]): Amount[] {
  const weights = lines.map(({ totalCents }) => Math.max(0, totalCents))
  const chargesNothing = weights.every((weight) => weight === 0)
  const shares = allocate(chargesNothing ? 0 : refundedCents, weights)
  return lines.map(({ netCents, totalCents }, index) => {
    const share = shares[index] ?? cents(0)
    const ofNetCents = totalCents > 0 ? portion(netCents, share, totalCents) : cents(0)
    return { netCents: ofNetCents, totalCents: share }
  })
}

/** What a change charged and credited for one period. */
type ChangePart = { readonly creditCents: Cents; readonly chargeCents: Cents }

/**
 * How much of a refund of a change's invoice applies to each of its periods: spread by charge less credit or, if the
 * credit was a separate credit note, by the charge.
 */
export function refundedParts(
  refundedCents: Cents,
  parts: readonly ChangePart[],
  { creditedApart }: { creditedApart: boolean },
): Cents[] {
  const weights = parts.map(({ chargeCents, creditCents }) =>
    Math.max(0, creditedApart ? chargeCents : chargeCents - creditCents),
  )
  if (weights.every((weight) => weight === 0)) return parts.map(() => cents(0))
  return allocate(refundedCents, weights)
}
