import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { TroubledService } from './schema.ts'

/** After this many failed tries, work on a service is shown to operators. */
export const STUCK_AFTER_TRIES = 3
const STUCK_AFTER_MS = HOUR_MS

/** Work that was begun before this time and is not done is stuck. */
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
  /** The delivery that its system has not confirmed in time. */
  delivery: { createdAt: Instant; tries: number } | undefined
  /** Since when the notice of its suspension or end cannot be delivered. */
  unwarnedSince: Instant | null
}

/** Every problem for which a service waits for an operator. */
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
    const lastError = { code: 'notice_refused', detail: 'No mail server accepts the mail.', at }
    troubles.push({ kind: 'unwarned', since: at, attempts: 0, lastError })
  }
  return troubles
}
