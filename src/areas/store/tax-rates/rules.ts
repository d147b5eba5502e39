import type { BasisPoints } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import type { Day } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'

/**
 * A percentage and the days on which it applies; `validTo` is the first day on which it no longer
 * does.
 */
export type Version = {
  readonly rateBasisPoints: BasisPoints
  readonly validFrom: Day
  readonly validTo: Day | null
}

/** A tax rate and its versions, oldest first. */
export type TaxRateRow = Row<'store.tax_rates'> & { readonly versions: Version[] }

type Versioned = { readonly versions: readonly Version[] }

/**
 * The version that applies on a day; before the first version the first, after the last version the
 * last.
 */
export function versionOn(versions: readonly Version[], on: Day): Version {
  const first = versions.find(({ validTo }) => validTo === null || on < validTo)
  const version = first ?? versions.at(-1)
  if (!version) throw new RangeError('A tax rate has at least one version')
  return version
}

/** A tax rate as it is shown: what applies today, and the whole span in which it is valid. */
export function withCurrentRate<R extends Versioned>(rate: R, today: Day) {
  const { versions } = rate
  return {
    ...rate,
    rateBasisPoints: versionOn(versions, today).rateBasisPoints,
    validFrom: versionOn(versions.slice(0, 1), today).validFrom,
    validTo: versions.at(-1)?.validTo ?? null,
  }
}

/**
 * Another percentage from a day on: it ends the version of that day and applies until the whole rate
 * ends; earlier days stay as they were (R2.7). Throws 422 for a day outside the span in which the
 * rate is valid.
 */
export function withRateFrom(
  versions: readonly Version[],
  rateBasisPoints: BasisPoints,
  from: Day,
): Version[] {
  const end = versions.at(-1)?.validTo ?? null
  const outside = from < versionOn(versions.slice(0, 1), from).validFrom
  if (outside || (end !== null && from >= end)) {
    const message = 'effectiveFrom is outside the days this tax rate is valid.'
    throw unprocessable(message, 'effective_from_outside')
  }
  const before = versions.filter(({ validFrom }) => validFrom < from)
  const last = before.at(-1)
  if (last?.rateBasisPoints === rateBasisPoints) {
    return [...before.slice(0, -1), { ...last, validTo: end }]
  }
  const closed = last ? [...before.slice(0, -1), { ...last, validTo: from }] : []
  return [...closed, { rateBasisPoints, validFrom: from, validTo: end }]
}

/**
 * A rate after the built-in table was imported: if the table's last change is newer than all its
 * versions, that change is added; else the rate stays as it is, because it may have been set on
 * purpose. Null if nothing changes.
 */
export function withKnownRates(
  versions: readonly Version[],
  known: readonly Version[],
): Version[] | null {
  const [last, newest] = [versions.at(-1), known.at(-1)]
  if (!last || !newest || last.validTo !== null) return null
  if (last.validFrom >= newest.validFrom) return null
  if (last.rateBasisPoints === newest.rateBasisPoints) return null
  return withRateFrom(versions, newest.rateBasisPoints, newest.validFrom)
}

/** The versions inside another span; the first and the last one grow with it. Throws 422. */
export function withSpan(
  versions: readonly Version[],
  span: { validFrom: Day; validTo: Day | null },
): Version[] {
  assertSpan(span)
  const { validFrom: start, validTo: end } = span
  const kept = versions.filter(
    ({ validFrom, validTo }, index) =>
      (index === versions.length - 1 || validTo === null || validTo > start) &&
      (index === 0 || end === null || validFrom < end),
  )
  return kept.map((version, index) => ({
    ...version,
    validFrom: index === 0 ? start : version.validFrom,
    validTo: index === kept.length - 1 ? end : version.validTo,
  }))
}

/** Throws 422 if a span ends before it begins. */
export function assertSpan({ validFrom, validTo }: { validFrom: Day; validTo: Day | null }): void {
  if (validTo !== null && validTo <= validFrom) {
    throw unprocessable('validTo must be after validFrom.', 'dates_reversed')
  }
}

/** Throws 422 if an exempt rate would have a percentage. */
export function assertExemptIsFree(category: 'S' | 'E', versions: readonly Version[]): void {
  if (category === 'E' && versions.some(({ rateBasisPoints }) => rateBasisPoints > 0)) {
    throw unprocessable('An exempt rate (category E) has 0 basis points.', 'exempt_rate_not_zero')
  }
}
