import { type ClockCheck, clockCheck, clockSkewSeconds } from './clock-skew.ts'
import type { Deps } from './deps.ts'

const HEALTH_MS = 2000

/** Whether a process can serve, and what prevents it. */
export type Health = {
  /** Degraded: it serves, but what it stores may have a wrong time. */
  readonly status: 'up' | 'degraded' | 'down'
  readonly checks: {
    readonly database: 'up' | 'down'
    readonly jobs: 'up' | 'down'
    readonly rateLimitStore: 'up' | 'local'
    /** While it is down, only documents wait. */
    readonly files: 'up' | 'down'
    readonly clock: ClockCheck
  }
}

/** The health of this process. One that is about to end reports `down`, so that it gets no more requests. */
export async function healthOf(deps: Deps): Promise<Health> {
  const { database, queue, limiter, files } = deps
  const answered = clockSkewSeconds(database).catch(() => null)
  const late = new Promise<null>((resolve) => setTimeout(resolve, HEALTH_MS, null).unref())
  const skewSeconds = await Promise.race([answered, late])
  const isThere = skewSeconds !== null
  const works = queue.healthy && !deps.isEnding()
  const clock = clockCheck(skewSeconds)
  const serving = clock.status === 'wrong' ? 'degraded' : 'up'
  return {
    status: isThere && works ? serving : 'down',
    checks: {
      database: isThere ? 'up' : 'down',
      jobs: works ? 'up' : 'down',
      rateLimitStore: limiter.shared ? 'up' : 'local',
      files: files.isUsable() ? 'up' : 'down',
      clock,
    },
  }
}
