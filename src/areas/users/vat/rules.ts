import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { EU_COUNTRIES } from '#lib/vat.ts'
import { isEuVatNumberOf, type VatStatus } from '#lib/vat-number.ts'

/** The pauses after the first times the register was asked in vain; then twice a day. */
const PAUSES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS]
const LONG_PAUSE_MS = DAY_MS / 2
/** About two weeks; the next renewal asks again. */
const MOST_TRIES = 30
/** A process that asks and dies has lost its turn after this. */
const TURN_MS = 10 * MINUTE_MS

/** Whether the EU's register has numbers of this form: it knows no other places. */
export function isInRegister(vatNumber: string): boolean {
  return EU_COUNTRIES.some((country) => isEuVatNumberOf(vatNumber, country))
}

/** When to ask again after so many times in vain; null when that is given up. */
export function askAgainAt(tries: number, now: Instant): Instant | null {
  if (tries >= MOST_TRIES) return null
  return later(now, PAUSES_MS[tries - 1] ?? LONG_PAUSE_MS)
}

/** Until when whoever asks now is left to it. */
export function turnEnd(now: Instant): Instant {
  return later(now, TURN_MS)
}

/** What is known of a number after the register did not answer: what it said before stands (R2.4). */
export function statusWithoutAnswer(before: VatStatus): VatStatus {
  return before === 'unchecked' ? 'unavailable' : before
}
