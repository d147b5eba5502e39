import { type Instant, instant } from '#lib/time.ts'
import { type Database, transact } from './database/index.ts'

/** The one source of the time of day. Timeouts use monotonic timers instead. */
export type Clock = {
  now(): Instant
  /** Moves the clock forward; only if the configuration allows it. */
  advance(ms: number): void
  /** How far this clock is ahead of the machine's, in milliseconds. */
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

/** Restores the offset of the clock from before a restart. Only a movable clock has one. */
export async function restoreClock({ everywhere }: Database): Promise<Clock> {
  const row = await everywhere.selectFrom('platform.clock').select('offsetMs').executeTakeFirst()
  return startClock(row?.offsetMs ?? 0)
}

/** Moves the clock, and stores its offset, so that time does not jump back after a restart. */
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
