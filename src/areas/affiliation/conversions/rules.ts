import { type Cents, cents } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'

/** The smallest conversion, in cents: not a setting (R6.5). */
export const LEAST_CENTS = cents(2000)

/** The amount to convert: all that is available, unless less is requested. Throws 422 below 2000 or above that. */
export function toConvert(availableCents: Cents, wantedCents = availableCents): Cents {
  if (wantedCents < LEAST_CENTS) {
    throw unprocessable('The least that can be converted is 20.00.', 'below_minimum')
  }
  if (wantedCents > availableCents) {
    throw unprocessable('This is more than you have available.', 'above_available')
  }
  return wantedCents
}
