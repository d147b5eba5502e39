import { DAY_MS, HOUR_MS, type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { EU_COUNTRIES } from '#lib/vat.ts'
import { isEuVatNumberOf, type VatStatus } from '#lib/vat-number.ts'

/** The pauses after the register was first asked without an answer; then twice a day. */
const PAUSES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS]
const LONG_PAUSE_MS = DAY_MS / 2
/** About two weeks of tries; the next renewal asks again. */
const MOST_TRIES = 30
/** The time after which a process that asks and dies loses its turn. */
const TURN_MS = 10 * MINUTE_MS

/** Whether the EU's register has numbers of this form: it covers only EU countries. */
export function isInRegister(vatNumber: string): boolean {
  return EU_COUNTRIES.some((country) => isEuVatNumberOf(vatNumber, country))
}

/** When to ask again after this many tries without an answer; null to give up. */
export function askAgainAt(tries: number, now: Instant): Instant | null {
  if (tries >= MOST_TRIES) return null
  return later(now, PAUSES_MS[tries - 1] ?? LONG_PAUSE_MS)
}

/** Until when the number is left to the process that is asking now. */
export function turnEnd(now: Instant): Instant {
  return later(now, TURN_MS)
}

/** The status of a number after the register did not answer: an earlier answer stays valid (R2.4). */
export function statusWithoutAnswer(before: VatStatus): VatStatus {
  return before === 'unchecked' ? 'unavailable' : before
}
