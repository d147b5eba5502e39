import type { Clock } from './clock.ts'
import type { Data } from './data.ts'
import type { Installation, InstallOutcome, Server } from './rows.ts'

export type InstallPlan = { outcome: InstallOutcome; seconds: number }

/**
 * Decides how installations end. Nothing runs in the background: what fell due is settled before
 * the next request is answered, which nobody outside can tell apart.
 */
export class Installs {
  readonly #initial: InstallPlan
  #standing: InstallPlan
  #exceptions: { plan: InstallPlan; left: number }[] = []

  constructor(initial: InstallPlan) {
    this.#initial = initial
    this.#standing = initial
  }

  /** Plans the next `n` installations, or all that follow. */
  plan(plan: Partial<InstallPlan>, n: number | null = null): void {
    const whole = {
      outcome: plan.outcome ?? 'succeed',
      seconds: plan.seconds ?? this.#initial.seconds,
    }
    if (n === null) this.#standing = whole
    else this.#exceptions.push({ plan: whole, left: n })
  }

  begin(
    clock: Clock,
    { reinstall, skipScripts }: { reinstall: boolean; skipScripts: boolean },
  ): Installation {
    const { outcome, seconds } = this.#next()
    if (skipScripts) return { outcome: 'succeed', dueAt: clock.now(), reinstall }
    return { outcome, dueAt: clock.now() + seconds * 1000, reinstall }
  }

  /** Ends what is due. A suspended server stays suspended, so its result is lost. */
  settle(data: Data, now: number): void {
    for (const server of data.servers.where((it) => isDue(it, now))) {
      const { installation } = server
      server.installation = null
      if (!installation || server.status === 'suspended') continue
      server.updatedAt = installation.dueAt
      if (installation.outcome === 'fail') {
        server.status = installation.reinstall ? 'reinstall_failed' : 'install_failed'
        continue
      }
      server.status = null
      if (server.startOnCompletion) server.power = { target: 'running', since: installation.dueAt }
    }
  }

  reset(): void {
    this.#standing = this.#initial
    this.#exceptions = []
  }

  #next(): InstallPlan {
    const exception = this.#exceptions[0]
    if (!exception) return this.#standing
    exception.left -= 1
    if (exception.left <= 0) this.#exceptions.shift()
    return exception.plan
  }
}

function isDue({ installation }: Server, now: number): boolean {
  return installation !== null && installation.outcome !== 'never' && installation.dueAt <= now
}
