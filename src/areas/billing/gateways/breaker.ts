import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { PaymentGateway } from './contract.ts'
import { GatewayError } from './error.ts'

/** So many calls in a row without an answer, and the provider is left alone for a while. */
const FAILURES = 8
const PAUSE_MS = 30 * SECOND_MS

/**
 * Whether a provider may be asked. After eight unanswered calls in a row it is left alone for 30
 * seconds; then one call tries, and decides for all. One for each gateway and process.
 */
export type Breaker = {
  /** Throws `unavailable` while the provider is left alone: nothing was sent. */
  assertClosed(now: Instant): void
  /** The provider answered, whatever it said. */
  answered(): void
  /** The provider gave no answer. */
  failed(now: Instant): void
}

/** A breaker that lets everything through, until calls fail. */
export function startBreaker(): Breaker {
  let failures = 0
  let openUntil: Instant | null = null
  return {
    assertClosed(now) {
      if (openUntil === null) return
      // A clock that was put back does not make the pause longer.
      if (now < openUntil && openUntil <= later(now, PAUSE_MS)) {
        throw new GatewayError('unavailable', 'The provider has not answered for a while.')
      }
      // This call tries; the others wait for what it finds.
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

/** What a person asks for, and what needs no provider, is never kept waiting. */
const UNGUARDED = new Set<PropertyKey>(['verifyCredentials', 'receiveWebhook'])

/** The same driver, whose calls a breaker may stop and learns from. */
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

/** Whether nobody answered. A refusal, a decline or a full quota is an answer. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  return error.kind === 'unavailable' || error.kind === 'unknown_outcome'
}
