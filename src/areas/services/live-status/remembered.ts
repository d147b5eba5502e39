import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbounds } from '#platform/outbound-uses.ts'

/** A user waits for the answer: a panel that takes longer counts as unavailable. */
const WAIT_MS = 4000
const MAX_REMEMBERED = 5000

type Known<T> = { untilMs: number; answer: Promise<T> }
type Asker = { readonly outbound: Outbounds }

/**
 * Caches answers of panels about servers, each for `freshMs`. For each key, only one request to the
 * panel runs at a time, however many callers wait; a caller that has waited too long gets `away`. `ask`
 * never fails.
 */
export function remembered<T>(freshMs: number, away: T) {
  const answers = new WeakMap<Outbounds, Map<string, Known<T>>>()

  function known({ outbound }: Asker, key: string, ask: () => Promise<T>): Promise<T> {
    const all = answers.get(outbound) ?? new Map<string, Known<T>>()
    answers.set(outbound, all)
    const last = all.get(key)
    if (last && last.untilMs > performance.now()) return last.answer
    // A pending answer counts as fresh, so that no other caller asks.
    const fresh: Known<T> = { untilMs: Number.POSITIVE_INFINITY, answer: Promise.resolve(away) }
    fresh.answer = ask().finally(() => {
      fresh.untilMs = performance.now() + freshMs
    })
    all.delete(key)
    all.set(key, fresh)
    const [oldest] = all.keys()
    if (all.size > MAX_REMEMBERED && oldest) all.delete(oldest)
    return fresh.answer
  }

  return {
    async of(asker: Asker, key: string, ask: () => Promise<T>): Promise<T> {
      const late = new AbortController()
      const waited = sleep(WAIT_MS, away, { signal: late.signal }).catch(() => away)
      const answer = await Promise.race([known(asker, key, ask), waited])
      late.abort()
      return answer
    },
    /** Drops a cached answer, after the server was changed. */
    forget({ outbound }: Asker, key: string): void {
      answers.get(outbound)?.delete(key)
    },
  }
}
