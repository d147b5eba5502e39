import type { Deps } from './deps.ts'

const HEALTH_MS = 2000

/** Whether a process can serve, and what keeps it from it. */
export type Health = {
  readonly status: 'up' | 'down'
  readonly checks: {
    readonly database: 'up' | 'down'
    readonly jobs: 'up' | 'down'
    readonly rateLimitStore: 'up' | 'local'
    /** Documents wait while it is down, and nothing else does. */
    readonly files: 'up' | 'down'
  }
}

/** How this process is. One that is about to end is down, so that nobody sends it anything more. */
export async function healthOf(deps: Deps): Promise<Health> {
  const { database, queue, limiter, files } = deps
  const answered = database.execute('select 1').then(
    () => true,
    () => false,
  )
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, HEALTH_MS, false).unref())
  const isThere = await Promise.race([answered, late])
  const works = queue.healthy && !deps.isEnding()
  return {
    status: isThere && works ? 'up' : 'down',
    checks: {
      database: isThere ? 'up' : 'down',
      jobs: works ? 'up' : 'down',
      rateLimitStore: limiter.shared ? 'up' : 'local',
      files: files.isUsable() ? 'up' : 'down',
    },
  }
}
