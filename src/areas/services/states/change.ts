import { type Instant, millis, SECOND_MS } from '#lib/time.ts'
import {
  clientOf,
  mayBegin,
  outcomeOf,
  type PanelClient,
  PanelError,
  type PanelFailure,
} from '#panel'
import type { JobContext } from '#platform/deps.ts'
import { enqueue } from '#platform/jobs.ts'
import { handsOf } from '../fulfilment/hands.ts'
import { moveByHands } from '../fulfilment/moves.ts'
import { findProvisioning } from '../provisioning/queries.ts'
import { findService, lockService, type ServiceRow } from '../queries.ts'
import { changeState } from '../work.ts'
import { notifyOfStuckService, recordGoal } from './actions.ts'
import { releaseTransition, type TransitionRow } from './queries.ts'
import {
  failureOf,
  type Goal,
  goalOf,
  isForOperators,
  nextTry,
  recordedGoal,
  stepFor,
} from './rules.ts'

/** How many requests one try takes. */
const LOOK_ACT_LOOK = 3

type Work = { context: JobContext; transition: TransitionRow; service: ServiceRow; goal: Goal }

/**
 * Tries once to bring a server to the state its service should have. The state is derived from the
 * service's row again each time, so an older request never undoes a newer one.
 */
export async function changeOne(context: JobContext, transition: TransitionRow): Promise<void> {
  const { db, clock, transact } = context
  const { tenantId, serviceId } = transition
  const service = await findService(db, { tenantId, id: serviceId })
  if (service && handsOf(service)) return moveByHands(context, transition)
  const now = clock.now()
  const goal = service && (goalOf(service, now) ?? recordedGoal(service))
  if (!service || !goal) {
    await transact((tx) => releaseTransition(tx, transition, { doneAt: now, nextAt: null }))
    return
  }
  const work = { context, transition, service, goal }
  const provisioning = await findProvisioning(db, { tenantId, serviceId })
  const busyUntil = provisioning?.leaseUntil ?? null
  if (busyUntil && busyUntil > now && !service.activatedAt) return again(work, busyUntil)
  // While a service moves from one panel to another, only the first can have a server.
  const nodeId = provisioning?.leavingNodeId ?? service.nodeId
  if (!nodeId) return confirm(work, service.serverId !== null)
  const client = await outcomeOf(clientOf(context, db, { tenantId, nodeId }))
  if (client instanceof PanelError) return failed(work, client)
  if (!(await mayBegin(context, db, { tenantId, nodeId }, LOOK_ACT_LOOK))) {
    // Still due: the schedule tries it again.
    return transact((tx) => releaseTransition(tx, transition, {}))
  }
  // A server that was found once is no longer being created.
  const uncertainSince = service.serverId === null ? (provisioning?.uncertainSince ?? null) : null
  const outcome = await outcomeOf(act(work, client, uncertainSince))
  if (outcome instanceof PanelError) return failed(work, outcome)
  if (outcome.step === 'confirmed') return confirm(work, outcome.missing && goal !== 'deleted')
  if (outcome.step === 'look_again') return again(work, outcome.at)
  // Nothing is requested beyond what is recorded: a missing server is found by the comparison.
  if (goalOf(service, now) === null) return confirm(work, false)
  const detail = 'The server is not on the panel.'
  return failed(work, new PanelError('not_found', { code: 'server_gone', detail }))
}

/** Looks, requests what is missing, and looks again: only the panel's last answer counts. */
async function act(
  { context, service, goal }: Work,
  client: PanelClient,
  uncertain: Instant | null,
) {
  const state = { uncertainSince: uncertain }
  const look = async () => {
    const server = await client.findServerByExternalId(service.externalId)
    return stepFor(goal, server, state, context.clock.now())
  }
  const first = await look()
  if (first.step === 'suspend') await client.suspend(first.serverId)
  else if (first.step === 'unsuspend') await client.unsuspend(first.serverId)
  else if (first.step === 'delete') await client.deleteServer(first.serverId)
  else return first
  const second = first.step === 'delete' ? await lookForAbsence(client, service) : await look()
  if (second.step === 'confirmed' || second.step === 'missing') return second
  const detail = `The panel did not ${first.step} the server, and said that it had.`
  throw new PanelError('conflict', { code: 'not_done', detail })
}

async function lookForAbsence(client: PanelClient, { externalId }: ServiceRow) {
  const server = await client.findServerByExternalId(externalId)
  return server
    ? { step: 'delete' as const, serverId: server.id }
    : { step: 'confirmed' as const, missing: true }
}

/**
 * The panel agrees, or is not needed: the state is recorded, unless another one is requested by now.
 */
async function confirm({ context, transition, goal }: Work, withoutServer: boolean): Promise<void> {
  const { transact, clock } = context
  const { tenantId, serviceId } = transition
  await transact(async (tx) => {
    const now = clock.now()
    const service = await lockService(tx, { tenantId, id: serviceId })
    if (service && goalOf(service, now) === goal) {
      await recordGoal(tx, service, goal, now)
      if (withoutServer)
        await notifyOfStuckService(tx, service, { goal, failure: withoutPanel(now) }, now)
    }
    const after = service && (await lockService(tx, service))
    const arrived = !after || goalOf(after, now) === null
    const change = arrived ? { doneAt: now, nextAt: null } : { nextAt: now }
    await releaseTransition(tx, transition, change)
    if (!arrived) await enqueue(tx, changeState, { tenantId, serviceId })
  })
}

function withoutPanel(at: Instant): PanelFailure {
  const detail = 'Its server is not on a connected panel. It was recorded all the same.'
  return { code: 'unmanaged', detail, at }
}

async function failed(work: Work, error: PanelError): Promise<void> {
  const { context, transition, service, goal } = work
  const now = context.clock.now()
  const attempt = transition.attempt + (error.kind === 'rate_limited' ? 0 : 1)
  const nextAt = nextTry({ startedAt: transition.startedAt, attempt }, error, now)
  const failure = failureOf(error, now)
  const alert = transition.alertedAt === null && isForOperators(error, attempt)
  await context.transact(async (tx) => {
    if (alert) await notifyOfStuckService(tx, service, { goal, failure }, now)
    const change = { attempt, nextAt, lastError: failure, ...(alert && { alertedAt: now }) }
    await releaseTransition(tx, transition, change)
  })
  await standBy(work, nextAt)
}

async function again(work: Work, at: Instant): Promise<void> {
  await work.context.transact((tx) => releaseTransition(tx, work.transition, { nextAt: at }))
  await standBy(work, at)
}

/** Enqueues a job for the next try; if the job is lost, the schedule finds the row. */
async function standBy({ context, transition }: Work, at: Instant): Promise<void> {
  const { tenantId, serviceId } = transition
  const seconds = Math.max(0, (millis(at) - millis(context.clock.now())) / SECOND_MS)
  const options = { startAfterSeconds: Math.ceil(seconds), key: serviceId }
  await context.transact((tx) => enqueue(tx, changeState, { tenantId, serviceId }, options))
}
