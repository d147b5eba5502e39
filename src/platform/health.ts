import { type ClockCheck, clockCheck, clockSkewSeconds } from './clock-skew.ts'
import type { Deps } from './deps.ts'

const HEALTH_MS = 2000

/** Whether a process can serve, and what keeps it from it. */
export type Health = {
  /** Degraded: it serves, and what it does may bear the wrong time. */
  readonly status: 'up' | 'degraded' | 'down'
  readonly checks: {
    readonly database: 'up' | 'down'
    readonly jobs: 'up' | 'down'
    readonly rateLimitStore: 'up' | 'local'
    /** Documents wait while it is down, and nothing else does. */
    readonly files: 'up' | 'down'
    readonly clock: ClockCheck
  }
}

/** How this process is. One that is about to end is down, so that nobody sends it anything more. */
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
