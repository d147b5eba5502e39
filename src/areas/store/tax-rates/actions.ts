import { newId } from '#lib/id.ts'
import { basisPoints } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { type Day, dayOf, type Instant } from '#lib/time.ts'
import { isConstraintViolation, type Tx } from '#platform/database/index.ts'
import { assertCountry } from '../checks.ts'
import {
  archiveTaxRate,
  insertTaxRate,
  lockTaxRate,
  replaceVersions,
  type TaxRateKey,
  updateTaxRate,
} from './queries.ts'
import {
  assertExemptIsFree,
  assertSpan,
  type TaxRateRow,
  type Version,
  withRateFrom,
  withSpan,
} from './rules.ts'
import type { NewTaxRate, TaxRateChange } from './schema.ts'

/** Adds a tax rate, valid from today if nothing else is said. 409 when it overlaps another (R2.6). */
export async function createTaxRate(
  tx: Tx,
  { tenantId }: { tenantId: string },
  rate: NewTaxRate,
  now: Instant,
): Promise<TaxRateRow> {
  assertCountry(rate.country)
  const { name, country, class: taxClass = 'standard', category = 'S' } = rate
  const span = { validFrom: rate.validFrom ?? dayOf(now), validTo: rate.validTo ?? null }
  assertSpan(span)
  const versions: Version[] = [{ ...span, rateBasisPoints: basisPoints(rate.rateBasisPoints) }]
  assertExemptIsFree(category, versions)
  const plain = { tenantId, id: newId(), name, country, class: taxClass, category, createdAt: now }
  await insertTaxRate(tx, plain)
  const row = { ...plain, archivedAt: null, versions }
  await refusingOverlap(replaceVersions(tx, row))
  return row
}

/**
 * Changes a tax rate in place, but for its percentage: a new one closes the running version and
 * counts from `effectiveFrom`, today if not said, under the same id (R2.7). 404, 409, 422.
 */
export async function changeTaxRate(
  tx: Tx,
  key: TaxRateKey,
  change: TaxRateChange,
  now: Instant,
): Promise<TaxRateRow> {
  const rate = await lockTaxRate(tx, key)
  if (!rate) throw notFound('Tax rate')
  if (change.country) assertCountry(change.country)
  const { name, country, category, class: taxClass } = { ...rate, ...change }
  const row = { ...rate, name, country, category, class: taxClass }
  const versions = versionsAfter(rate.versions, change, dayOf(now))
  assertExemptIsFree(category, versions)
  const changed = { ...row, versions }
  await refusingOverlap(updateTaxRate(tx, key, { name, country, category, class: taxClass }))
  if (JSON.stringify(versions) !== JSON.stringify(rate.versions)) {
    await refusingOverlap(replaceVersions(tx, changed))
  }
  return changed
}

/** Takes a tax rate out of use; products that had it fall back to the standard rate. 404. */
export async function removeTaxRate(tx: Tx, key: TaxRateKey, now: Instant) {
  if (!(await archiveTaxRate(tx, key, now))) throw notFound('Tax rate')
  return { id: key.id, deleted: true }
}

function versionsAfter(
  versions: readonly Version[],
  { rateBasisPoints, effectiveFrom, ...dates }: TaxRateChange,
  today: Day,
): Version[] {
  const start = versions[0]?.validFrom ?? today
  const { validFrom = start, validTo = versions.at(-1)?.validTo ?? null } = dates
  const spanned = withSpan(versions, { validFrom, validTo })
  if (rateBasisPoints === undefined) return spanned
  // A rate that has not begun changes from its first day.
  const from = effectiveFrom ?? (today < validFrom ? validFrom : today)
  return withRateFrom(spanned, rateBasisPoints, from)
}

async function refusingOverlap(write: Promise<void>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isConstraintViolation(error, 'tax_rates_overlap')) throw error
    const message = 'Another tax rate of this country and class is valid on some of these days.'
    throw conflict(message, 'tax_rate_overlap')
  }
}
