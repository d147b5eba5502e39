import { HOUR_MS, type Instant, instant, later, MINUTE_MS, millis, SECOND_MS } from '#lib/time.ts'
import type { PanelServer } from '../clients/contract.ts'
import { PanelError, type PanelFailure } from '../clients/panel-error.ts'

/** From 0 up to, not including, 1. */
export type Random = () => number

/** The stored state of a service whose server is being provisioned. */
export type ProvisioningState = {
  startedAt: Instant
  /** Failed attempts since then. */
  attempt: number
  /** Since when a create may be running or done without our knowledge; null: certainly not. */
  uncertainSince: Instant | null
  /** When the panel first answered that there is no server, long enough after `uncertainSince`. */
  absentAt: Instant | null
  /** How often a chosen allocation was taken by another server. */
  placements: number
}

export type Step =
  | { step: 'create' }
  /** The allocation is taken: choose another, then create. */
  | { step: 'place_again' }
  | { step: 'adopt'; server: PanelServer }
  /** Look for the server at the given time; do not create it. */
  | { step: 'look'; at: Instant }
  /** Start again with a look. `alert`: it can only succeed after a person has acted. */
  | { step: 'retry'; at: Instant; failure: PanelFailure; alert: boolean }
  /** For an operator. While a server may exist, money must not be refunded automatically. */
  | { step: 'fail'; failure: PanelFailure; serverMayExist: boolean }

/** What to do, and what to store before doing it. */
export type Next = { state: ProvisioningState; step: Step }

const RETRY_MS = [10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS]
const SLOW_RETRY_MS = [10 * MINUTE_MS, 30 * MINUTE_MS]
const GIVE_UP_AFTER_MS = 72 * HOUR_MS
const JITTER = 0.2
const MAX_PLACEMENTS = 3

/** Twice the longest time a panel may work on a create: "not found" means nothing before that. */
export const UNCERTAIN_MS = 90 * SECOND_MS
const EARLY_LOOKS_MS = [5 * SECOND_MS, 30 * SECOND_MS]

/** The state of a service before its first attempt. */
export function newProvisioning(now: Instant): ProvisioningState {
  return { startedAt: now, attempt: 0, uncertainSince: null, absentAt: null, placements: 0 }
}

/**
 * The time of the next attempt after `attempt` failed ones: 10 s, 30 s, 2, 10, 30 minutes, then
 * every hour, each ±20 %; `slow` begins at 10 minutes. Undefined once 72 hours have passed.
 */
export function retryAt(
  { startedAt, attempt, slow = false }: { startedAt: Instant; attempt: number; slow?: boolean },
  now: Instant,
  random: Random,
): Instant | undefined {
  if (millis(now) - millis(startedAt) >= GIVE_UP_AFTER_MS) return undefined
  const delayMs = (slow ? SLOW_RETRY_MS : RETRY_MS)[Math.max(0, attempt - 1)] ?? HOUR_MS
  return later(now, Math.round(delayMs * (1 + JITTER * (2 * random() - 1))))
}

/** The state to store before a create is sent: if the process dies, the outcome is unknown. */
export function beforeCreate(state: ProvisioningState, now: Instant): ProvisioningState {
  return { ...state, uncertainSince: now, absentAt: null }
}

/** What a server must be like to be ours; the user may not be known yet. */
export type Expectation = { eggId: number; userId?: number }

type Look = { outcome: PanelServer | undefined | PanelError; expected: Expectation }

/**
 * The next step after a look by external id. A server is adopted if it is as expected. If there is
 * none, a create follows; but while the outcome of the last create is unknown, only after two looks
 * that found nothing, at least `UNCERTAIN_MS` after it and apart from each other.
 */
export function afterLook(
  state: ProvisioningState,
  { outcome, expected }: Look,
  now: Instant,
  random: Random,
): Next {
  if (outcome instanceof PanelError) return afterFailure(state, outcome, now, random)
  if (outcome) return afterFind(state, outcome, expected, now)
  const { uncertainSince, absentAt } = state
  if (!uncertainSince) return { state, step: { step: 'create' } }
  const elapsedMs = millis(now) - millis(uncertainSince)
  if (elapsedMs < UNCERTAIN_MS) {
    const nextMs = EARLY_LOOKS_MS.find((ms) => ms > elapsedMs) ?? UNCERTAIN_MS
    return { state, step: { step: 'look', at: later(uncertainSince, nextMs) } }
  }
  if (!absentAt) {
    const step: Step = { step: 'look', at: later(now, UNCERTAIN_MS) }
    return { state: { ...state, absentAt: now }, step }
  }
  const again = later(absentAt, UNCERTAIN_MS)
  if (now < again) return { state, step: { step: 'look', at: again } }
  return { state: certain(state), step: { step: 'create' } }
}

/** The next step after a create, which ran with a state from `beforeCreate`. */
export function afterCreate(
  state: ProvisioningState,
  outcome: PanelServer | PanelError,
  now: Instant,
  random: Random,
): Next {
  if (!(outcome instanceof PanelError)) return adoption(state, outcome, now)
  const { kind } = outcome
  if (kind === 'unknown_outcome' || kind === 'already_exists') {
    const delayMs = kind === 'already_exists' ? 0 : (EARLY_LOOKS_MS[0] ?? 0)
    const next = { ...beforeCreate(state, now), attempt: state.attempt + 1 }
    return { state: next, step: { step: 'look', at: later(now, delayMs) } }
  }
  if (kind === 'invalid') return afterRefusal(certain(state), outcome, now, random)
  return afterFailure(certain(state), outcome, now, random)
}

function afterFind(
  state: ProvisioningState,
  server: PanelServer,
  { eggId, userId }: Expectation,
  now: Instant,
): Next {
  const fits = server.eggId === eggId && (userId === undefined || server.userId === userId)
  if (fits) return adoption(state, server, now)
  const detail = `Server ${server.id} has our external id, but another owner or egg than expected.`
  const failure: PanelFailure = { code: 'unexpected_server', detail, at: now }
  return { state, step: { step: 'fail', failure, serverMayExist: true } }
}

function adoption(state: ProvisioningState, server: PanelServer, now: Instant): Next {
  if (server.allocationId !== null) {
    return { state: certain(state), step: { step: 'adopt', server } }
  }
  const detail = `The panel made server ${server.id} without an address.`
  const failure: PanelFailure = { code: 'no_address', detail, at: now }
  return { state, step: { step: 'fail', failure, serverMayExist: true } }
}

/** Handles wrong data of ours, which stays wrong; only an allocation may simply have been taken. */
function afterRefusal(
  state: ProvisioningState,
  error: PanelError,
  now: Instant,
  random: Random,
): Next {
  if (error.fields.length > 0 && error.fields.every(({ path }) => path.startsWith('allocation'))) {
    const placements = state.placements + 1
    const next = { ...state, placements }
    if (placements <= MAX_PLACEMENTS) return { state: next, step: { step: 'place_again' } }
    return afterFailure({ ...state, placements: 0 }, error, now, random)
  }
  const failure = { ...error.failure, at: now }
  return { state, step: { step: 'fail', failure, serverMayExist: false } }
}

/** Handles temporary failures: another attempt later, at the pace of their kind. */
function afterFailure(
  state: ProvisioningState,
  { kind, failure, retryAfterMs = 0 }: PanelError,
  now: Instant,
  random: Random,
): Next {
  // Waiting for a turn is not a failure, so it must not make the pauses longer.
  const attempt = state.attempt + (kind === 'rate_limited' ? 0 : 1)
  const next = { ...state, attempt }
  const alert = ALERTING.has(kind)
  const seen = { ...failure, at: now }
  const at = retryAt({ startedAt: state.startedAt, attempt, slow: alert }, now, random)
  if (!at) {
    const serverMayExist = state.uncertainSince !== null
    return { state: next, step: { step: 'fail', failure: seen, serverMayExist } }
  }
  const atMs = Math.max(millis(at), millis(now) + retryAfterMs)
  return { state: next, step: { step: 'retry', at: instant(atMs), failure: seen, alert } }
}

const ALERTING: ReadonlySet<string> = new Set([
  'no_capacity',
  'no_allocation',
  'unauthorized',
  'forbidden',
  'misconfigured',
  'invalid',
  'conflict',
] satisfies PanelError['kind'][])

function certain(state: ProvisioningState): ProvisioningState {
  return { ...state, uncertainSince: null, absentAt: null }
}

export type InstallWatch = { since: Instant; polls: number; reinstalls: number }

export type InstallStep =
  | { step: 'ready' }
  | { step: 'poll'; at: Instant }
  | { step: 'reinstall' }
  | { step: 'fail'; code: 'install_failed' | 'install_stuck' }

const POLL_MS = [500, 1000, 2000, 5000, 10_000, 20_000, 40_000, 80_000]
const LAST_POLL_MS = 120_000
const STUCK_AFTER_MS = HOUR_MS

/**
 * The next step after a look at a server being installed: `polls` counts the looks so far,
 * including this one. A failed installation is repeated once; one that never ends fails after an
 * hour.
 */
export function afterPoll(
  { since, polls, reinstalls }: InstallWatch,
  { status }: Pick<PanelServer, 'status'>,
  now: Instant,
): InstallStep {
  if (status === 'installed') return { step: 'ready' }
  if (status === 'install_failed' || status === 'reinstall_failed') {
    return reinstalls > 0 ? { step: 'fail', code: 'install_failed' } : { step: 'reinstall' }
  }
  if (millis(now) - millis(since) >= STUCK_AFTER_MS) return { step: 'fail', code: 'install_stuck' }
  return { step: 'poll', at: pollAt(polls, now) }
}

/** The time of the next look at an installation after this many looks. */
export function pollAt(polls: number, now: Instant): Instant {
  return instant(millis(now) + (POLL_MS[polls] ?? LAST_POLL_MS))
}

export type DesiredState = 'active' | 'suspended' | 'terminated'
export type ReconcileStep = 'nothing' | 'suspend' | 'unsuspend' | 'delete' | 'missing'

/**
 * The step that brings a provisioned server to its desired state. `missing`: it should exist and
 * does not, which an operator has to solve; for a server to be terminated that is already gone,
 * `nothing` is left to do.
 */
export function reconcileStep(
  desired: DesiredState,
  server: Pick<PanelServer, 'status'> | undefined,
): ReconcileStep {
  if (!server) return desired === 'terminated' ? 'nothing' : 'missing'
  if (desired === 'terminated') return 'delete'
  const suspended = server.status === 'suspended'
  if (suspended === (desired === 'suspended')) return 'nothing'
  return suspended ? 'unsuspend' : 'suspend'
}
