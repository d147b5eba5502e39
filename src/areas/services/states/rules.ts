import { conflict } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import { type PanelError, type PanelServer, retryAt, UNCERTAIN_MS } from '#panel'
import type { ServiceRow } from '../queries.ts'
import { statusOf } from '../rules.ts'

/**
 * The next state of a server: suspended or not, suspended for good (`ended`: the data is kept for some
 * days), or deleted.
 */
export type Goal = 'active' | 'suspended' | 'ended' | 'deleted'

type Facts = Pick<
  ServiceRow,
  | 'activatedAt'
  | 'suspendedAt'
  | 'suspendReasons'
  | 'endWantedAt'
  | 'endKeepsData'
  | 'endedAt'
  | 'deleteServerAt'
  | 'serverDeletedAt'
>

/**
 * The next state, from what is requested for a service and what the panel has confirmed; null if they
 * agree.
 */
export function goalOf(service: Facts, now: Instant): Goal | null {
  if (service.endedAt) {
    const due = service.deleteServerAt !== null && service.deleteServerAt <= now
    return due && service.serverDeletedAt === null ? 'deleted' : null
  }
  if (service.endWantedAt) {
    return service.endKeepsData && service.activatedAt ? 'ended' : 'deleted'
  }
  if (!service.activatedAt) return null
  const held = service.suspendReasons.length > 0
  if (held) return service.suspendedAt ? null : 'suspended'
  return service.suspendedAt ? 'active' : null
}

/**
 * The state that the panel should show for a service in transition for which nothing more is requested:
 * a canceled request may already have been carried out, and its answer lost. Null if no server is in
 * use.
 */
export function recordedGoal(service: Facts): Goal | null {
  if (!service.activatedAt || service.endedAt) return null
  return service.suspendedAt ? 'suspended' : 'active'
}

/** What to request from the panel, or what its answer means. */
export type PanelStep =
  | { step: 'suspend' | 'unsuspend' | 'delete'; serverId: number }
  | { step: 'confirmed'; missing: boolean }
  | { step: 'look_again'; at: Instant }
  | { step: 'missing' }

/**
 * The next step after a look at the panel. While a server may still be in creation, its absence proves
 * nothing.
 */
export function stepFor(
  goal: Goal,
  server: PanelServer | undefined,
  { uncertainSince }: { uncertainSince: Instant | null },
  now: Instant,
): PanelStep {
  if (!server) {
    const certainAt = uncertainSince && later(uncertainSince, 2 * UNCERTAIN_MS)
    if (certainAt && now < certainAt) return { step: 'look_again', at: certainAt }
    return goal === 'active' ? { step: 'missing' } : { step: 'confirmed', missing: true }
  }
  if (goal === 'deleted') return { step: 'delete', serverId: server.id }
  const suspended = server.status === 'suspended'
  if (suspended === (goal !== 'active')) return { step: 'confirmed', missing: false }
  return { step: suspended ? 'unsuspend' : 'suspend', serverId: server.id }
}

/**
 * After how many failed tries operators are told; they are told at once of failures that only they can
 * end.
 */
const TRIES_BEFORE_ALERT = 3

/** Whether operators are to be told of a failure. */
export function isForOperators({ kind }: PanelError, attempt: number): boolean {
  const hopeless = kind === 'unauthorized' || kind === 'forbidden' || kind === 'misconfigured'
  return hopeless || attempt >= TRIES_BEFORE_ALERT
}

/** When to try again: with the delays of provisioning, and then every hour without limit. */
export function nextTry(
  { startedAt, attempt }: { startedAt: Instant; attempt: number },
  { retryAfterMs = 0 }: { retryAfterMs?: number | undefined },
  now: Instant,
): Instant {
  const planned = retryAt({ startedAt, attempt }, now, Math.random) ?? later(now, HOUR_MS)
  const earliest = later(now, retryAfterMs)
  return planned < earliest ? earliest : planned
}

/** When the lease of one try ends: later than the panel may take to answer. */
export function leaseEnd(now: Instant): Instant {
  return later(now, 150 * SECOND_MS)
}

/** Throws 409 for a service that has ended, or is about to. */
export function assertNotEnding(service: Pick<ServiceRow, 'endedAt' | 'endWantedAt'>): void {
  if (service.endedAt) throw conflict('This service has ended.', 'service_ended')
  if (service.endWantedAt) throw conflict('This service is being ended.', 'service_ending')
}

/** Throws 409 unless there is a server that can be suspended. */
export function assertSuspendable(service: ServiceRow): void {
  assertNotEnding(service)
  const status = statusOf(service)
  if (status !== 'active' && status !== 'suspended') {
    throw conflict(`A service with the status ${status} cannot be suspended.`, 'wrong_state')
  }
}

/** A failure as it is stored for operators. */
export function failureOf(error: PanelError, at: Instant) {
  const { code, detail } = error.failure
  return { code, detail, at }
}
