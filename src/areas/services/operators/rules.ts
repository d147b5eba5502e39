import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { TroubledService } from './schema.ts'

/** After so many tries that failed, work on a service is for operators to see. */
export const STUCK_AFTER_TRIES = 3
const STUCK_AFTER_MS = HOUR_MS

/** What was begun by then and is not done is stuck. */
export function stuckBefore(now: Instant): Instant {
  return later(now, -STUCK_AFTER_MS)
}

type Begun = {
  startedAt: Instant
  alertedAt: Instant | null
  attempt: number
  /** Null while it waits for a task of staff. */
  nextAt: Instant | null
}

function isStuck({ startedAt, alertedAt, attempt, nextAt }: Begun, now: Instant): boolean {
  const isLate = nextAt !== null && startedAt <= stuckBefore(now)
  return alertedAt !== null || attempt >= STUCK_AFTER_TRIES || isLate
}

type Work = Begun & { lastError: { code: string; detail: string; at: Instant } | null }

export type Facts = {
  failedAt: Instant | null
  activatedAt: Instant | null
  failureCode: string | null
  renewalFailure: string | null
  isUnmanaged: boolean
  provisioning: (Work & { doneAt: Instant | null }) | undefined
  transition: Work | undefined
  upgrade: Work | undefined
  /** What its system has not confirmed in time. */
  delivery: { createdAt: Instant; tries: number } | undefined
  /** Since when nobody takes the notice that it is suspended, or ends. */
  unwarnedSince: Instant | null
}

/** Everything a service waits for an operator with. */
export function troublesOf(it: Facts, now: Instant): TroubledService['troubles'] {
  const troubles: TroubledService['troubles'] = []
  if (it.failedAt && !it.activatedAt) {
    const { attempt: attempts = 0, lastError = null } = it.provisioning ?? {}
    troubles.push({ kind: 'failed', since: it.failedAt, attempts, lastError })
  }
  const works = {
    provisioning: it.provisioning?.doneAt === null ? it.provisioning : undefined,
    transition: it.transition,
    upgrade: it.upgrade,
  }
  for (const kind of ['provisioning', 'transition', 'upgrade'] as const) {
    const work = works[kind]
    if (!work || !isStuck(work, now)) continue
    const { startedAt: since, attempt: attempts, lastError } = work
    troubles.push({ kind, since, attempts, lastError })
  }
  if (it.isUnmanaged) {
    troubles.push({ kind: 'unmanaged', since: null, attempts: 0, lastError: null })
  }
  if (it.renewalFailure) {
    const lastError = { code: 'renewal', detail: it.renewalFailure, at: null }
    troubles.push({ kind: 'renewal', since: null, attempts: 0, lastError })
  }
  if (it.delivery) {
    const { createdAt: since, tries: attempts } = it.delivery
    troubles.push({ kind: 'delivery', since, attempts, lastError: null })
  }
  if (it.unwarnedSince) {
    const at = it.unwarnedSince
    const lastError = { code: 'notice_refused', detail: 'Nobody takes the mail.', at }
    troubles.push({ kind: 'unwarned', since: at, attempts: 0, lastError })
  }
  return troubles
}
