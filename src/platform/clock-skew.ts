import type { Database } from './database/index.ts'

/** Above this a clock is called wrong. What came of a correct clock is mostly within one second. */
const WRONG_SECONDS = 30

/** How the clock of this machine stands to the database's, which all processes have in common. */
export type ClockCheck = {
  readonly status: 'right' | 'wrong' | 'unknown'
  /** Above zero: this machine is ahead. Null while the database does not say. */
  readonly skewSeconds: number | null
}

/**
 * How many seconds this machine's clock is ahead of the database's, half the way there and back taken
 * off. The machine's, not the movable one: that stands elsewhere because somebody wanted it to. The
 * embedded database has no other clock. Throws when the database does not answer.
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

/** What to say of a clock that is so far off; null where the database did not answer. */
export function clockCheck(skewSeconds: number | null): ClockCheck {
  if (skewSeconds === null) return { status: 'unknown', skewSeconds }
  return { status: Math.abs(skewSeconds) > WRONG_SECONDS ? 'wrong' : 'right', skewSeconds }
}
