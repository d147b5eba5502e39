import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { PaymentGateway } from './contract.ts'
import { GatewayError } from './error.ts'

/** After this many unanswered calls in a row the provider is not called for a while. */
const FAILURES = 8
const PAUSE_MS = 30 * SECOND_MS

/**
 * Whether a provider may be called. After eight unanswered calls in a row it is not called for 30
 * seconds; then the result of a single call decides for all. One for each gateway and process.
 */
export type Breaker = {
  /** Throws `unavailable` while the provider is not called: nothing was sent. */
  assertClosed(now: Instant): void
  /** Records that the provider answered, even with an error. */
  answered(): void
  /** Records that the provider did not answer. */
  failed(now: Instant): void
}

/** A breaker that lets every call through until calls fail. */
export function startBreaker(): Breaker {
  let failures = 0
  let openUntil: Instant | null = null
  return {
    assertClosed(now) {
      if (openUntil === null) return
      // A clock that was set back does not make the pause longer.
      if (now < openUntil && openUntil <= later(now, PAUSE_MS)) {
        throw new GatewayError('unavailable', 'The provider has not answered for a while.')
      }
      // This call goes through; the others wait for its result.
      openUntil = later(now, PAUSE_MS)
    },
    answered() {
      failures = 0
      openUntil = null
    },
    failed(now) {
      failures += 1
      if (failures >= FAILURES) openUntil = later(now, PAUSE_MS)
    },
  }
}

/** Calls that an administrator waits for, or that need no provider, are never blocked. */
const UNGUARDED = new Set<PropertyKey>(['verifyCredentials', 'receiveWebhook'])

/** The same driver, with calls that the breaker may block and whose results it counts. */
export function guarded(
  driver: PaymentGateway,
  breaker: Breaker,
  now: () => Instant,
): PaymentGateway {
  const watch = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const answer = await work()
      breaker.answered()
      return answer
    } catch (error) {
      if (isSilence(error)) breaker.failed(now())
      else breaker.answered()
      throw error
    }
  }
  return new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      const call = (...parts: unknown[]) => Reflect.apply(member, target, parts)
      if (name === 'listChanges' || name === 'listPayments') return call
      return (...parts: unknown[]) => {
        const work = async () => call(...parts)
        if (UNGUARDED.has(name)) return name === 'verifyCredentials' ? watch(work) : work()
        return watch(async () => {
          breaker.assertClosed(now())
          return work()
        })
      }
    },
  })
}

/** Whether the provider did not answer. A refusal, a decline or a full quota is an answer. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  return error.kind === 'unavailable' || error.kind === 'unknown_outcome'
}
