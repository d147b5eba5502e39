import { type Instant, instant } from '#lib/time.ts'
import { type Database, transact } from './database/index.ts'

/** The one source of the time of day. Timeouts use monotonic timers instead. */
export type Clock = {
  now(): Instant
  /** Moves the clock forward; only where the configuration allows it. */
  advance(ms: number): void
  /** How far the clock stands ahead of the machine's, in milliseconds. */
  readonly offsetMs: number
}

/** A clock that starts `offsetMs` ahead of the machine's. */
export function startClock(offsetMs = 0): Clock {
  let offset = offsetMs
  return {
    now: () => instant(Date.now() + offset),
    advance(ms) {
      offset += ms
    },
    get offsetMs() {
      return offset
    },
  }
}

/** The clock where it stood before a restart. Only a movable one can stand elsewhere. */
export async function restoreClock({ everywhere }: Database): Promise<Clock> {
  const row = await everywhere.selectFrom('platform.clock').select('offsetMs').executeTakeFirst()
  return startClock(row?.offsetMs ?? 0)
}

/** Moves the clock, and keeps where it stands, so that a restart does not travel back. */
export async function moveClock({ everywhere }: Database, clock: Clock, ms: number): Promise<void> {
  clock.advance(ms)
  const { offsetMs } = clock
  await transact(everywhere, (tx) =>
    tx
      .insertInto('platform.clock')
      .values({ id: true, offsetMs })
      .onConflict((it) => it.column('id').doUpdateSet({ offsetMs }))
      .execute(),
  )
}
