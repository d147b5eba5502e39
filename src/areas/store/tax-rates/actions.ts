import { newId } from '#lib/id.ts'
import { basisPoints } from '#lib/money.ts'
import { conflict, notFound } from '#lib/problem.ts'
import { type Day, dayOf, type Instant } from '#lib/time.ts'
import { EU_COUNTRIES, standardRatesOf } from '#lib/vat.ts'
import { isConstraintViolation, type Tx } from '#platform/database/index.ts'
import { assertCountry } from '../checks.ts'
import {
  archiveTaxRate,
  insertTaxRate,
  lockTaxRate,
  lockTaxRatesOf,
  replaceVersions,
  type TaxRateKey,
  updateTaxRate,
} from './queries.ts'
import {
  assertExemptIsFree,
  assertSpan,
  type TaxRateRow,
  type Version,
  withKnownRates,
  withRateFrom,
  withSpan,
} from './rules.ts'
import type { NewTaxRate, TaxRateChange } from './schema.ts'

const STANDARD_CLASS = 'standard'

/** Adds a tax rate, valid from today if no day is given. 409 if it overlaps another (R2.6). */
export async function createTaxRate(
  tx: Tx,
  { tenantId }: { tenantId: string },
  rate: NewTaxRate,
  now: Instant,
): Promise<TaxRateRow> {
  assertCountry(rate.country)
  const { name, country, class: taxClass = STANDARD_CLASS, category = 'S' } = rate
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
 * Changes a tax rate in place, except its percentage: a new one ends the current version and applies
 * from `effectiveFrom` (default today), under the same id (R2.7). 404, 409, 422.
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

/** Archives a tax rate; products that had it fall back to the standard rate. 404. */
export async function removeTaxRate(tx: Tx, key: TaxRateKey, now: Instant) {
  if (!(await archiveTaxRate(tx, key, now))) throw notFound('Tax rate')
  return { id: key.id, deleted: true }
}

export type EuImport = { created: number; updated: number; unchanged: number }

/**
 * Copies the built-in standard rates of the EU to the tenant, with their history, for countries
 * without one; an existing rate gets the table's newer change, if there is one (R2.6, R2.7). Running
 * it again changes nothing. 409 if such a rate is added at the same time.
 */
export async function importEuRates(tx: Tx, tenantId: string, now: Instant): Promise<EuImport> {
  const existing = await lockTaxRatesOf(tx, tenantId, STANDARD_CLASS)
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const country of EU_COUNTRIES) {
    const own = existing.filter((rate) => rate.country === country)
    counts[await importCountry(tx, { tenantId, country, own }, now)] += 1
  }
  return counts
}

async function importCountry(
  tx: Tx,
  { tenantId, country, own }: { tenantId: string; country: string; own: readonly TaxRateRow[] },
  now: Instant,
): Promise<keyof EuImport> {
  const known = standardRatesOf(country)
  if (own.length === 0) {
    const name = `VAT ${country}`
    const plain = { tenantId, id: newId(), name, country, class: STANDARD_CLASS, createdAt: now }
    await insertTaxRate(tx, { ...plain, category: 'S' })
    await refusingOverlap(replaceVersions(tx, { ...plain, versions: known }))
    return 'created'
  }
  for (const rate of own) {
    const versions = rate.category === 'S' ? withKnownRates(rate.versions, known) : null
    if (!versions) continue
    await refusingOverlap(replaceVersions(tx, { ...rate, versions }))
    return 'updated'
  }
  return 'unchanged'
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
  // A rate that is not valid yet changes from its first day.
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
