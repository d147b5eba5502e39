import type { BasisPoints, Cents } from '#lib/money.ts'
import { badRequest, type Problem } from '#lib/problem.ts'
import type { RateRow } from './queries.ts'

type Wanted = {
  readonly type: RateRow['type']
  readonly percentBasisPoints?: BasisPoints | null
  readonly amountCents?: Cents | null
  readonly currency?: string | null
}

/** A product's rate, with every column. Throws 400 if it is missing, or given both as percentage and amount. */
export function completeRate(
  { type, percentBasisPoints = null, amountCents = null, currency = null }: Wanted,
  ownCurrency: string,
): Pick<RateRow, 'type' | 'percentBasisPoints' | 'amountCents' | 'currency'> {
  assertGiven('percentBasisPoints', percentBasisPoints, type === 'percent')
  assertGiven('amountCents', amountCents, type === 'fixed')
  if (type === 'percent' && currency !== null) throw wrong('currency', 'belongs to a fixed amount')
  const own = type === 'fixed' ? (currency ?? ownCurrency) : null
  return { type, percentBasisPoints, amountCents, currency: own }
}

function assertGiven(path: string, value: number | null, wanted: boolean): void {
  if (wanted && value === null) throw wrong(path, 'is required')
  if (!wanted && value !== null) throw wrong(path, 'does not belong to this type')
}

function wrong(path: string, message: string): Problem {
  return badRequest(`${path} ${message}.`, [{ path, message }])
}
