import type { Database } from './database/index.ts'

/** Above this, a clock counts as wrong. The measured skew of a correct clock is mostly within one second. */
const WRONG_SECONDS = 30

/** How the clock of this machine differs from the database's, which all processes share. */
export type ClockCheck = {
  readonly status: 'right' | 'wrong' | 'unknown'
  /** Above zero: this machine is ahead. Null if the database does not respond. */
  readonly skewSeconds: number | null
}

/**
 * By how many seconds this machine's clock is ahead of the database's, minus half of the round trip.
 * This is the machine's clock, not the movable one, which is ahead on purpose. The embedded database
 * has the same clock. Throws if the database does not respond.
 */
export async function clockSkewSeconds(database: Database): Promise<number> {
  const startMs = performance.now()
  const { rows } = await database.executeTenantless(
    'select extract(epoch from clock_timestamp())::float8 as seconds',
  )
  if (database.embedded) return 0
  const tookMs = performance.now() - startMs
  const ownSeconds = (Date.now() - tookMs / 2) / 1000
  return Math.round((ownSeconds - Number(rows[0]?.seconds)) * 1000) / 1000
}

/** The result for a clock skew; `unknown` if the database did not respond. */
export function clockCheck(skewSeconds: number | null): ClockCheck {
  if (skewSeconds === null) return { status: 'unknown', skewSeconds }
  return { status: Math.abs(skewSeconds) > WRONG_SECONDS ? 'wrong' : 'right', skewSeconds }
}
