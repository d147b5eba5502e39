import { isCountry } from '#lib/country.ts'
import { isCurrency } from '#lib/currency.ts'
import { badRequest, conflict, detail, type Problem } from '#lib/problem.ts'
import type { ProblemCode } from '#lib/problem-codes.ts'
import { isUniqueViolation } from '#platform/database/index.ts'

/** 400: a field names something that this tenant does not have. */
export function unknownReference(path: string): Problem {
  return badRequest(`${path} does not exist.`, [{ path, message: 'does not exist' }])
}

/** Throws 400 for a code that is not a currency in use. */
export function assertCurrency(code: string, path = 'currency'): void {
  if (!isCurrency(code)) {
    throw badRequest(`${path} is not a currency.`, [{ path, message: 'is not a currency' }])
  }
}

/** Throws 400 for a code that is not a country. */
export function assertCountry(code: string, path = 'country'): void {
  if (!isCountry(code)) {
    throw badRequest(`${path} is not a country.`, [detail(path, { kind: 'no_country' })])
  }
}

/** Runs a write, and turns the refusal of a duplicate into a 409 with this code: `slug_taken`. */
export async function refusingDouble<T>(
  { constraint, code, message }: { constraint: string; code: ProblemCode; message: string },
  write: Promise<T>,
): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isUniqueViolation(error, constraint)) throw conflict(message, code)
    throw error
  }
}
