import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue } from '#platform/jobs.ts'
import { lockService, type ServiceRow } from '../queries.ts'
import { recordGoal } from '../states/actions.ts'
import { releaseTransition, type TransitionRow } from '../states/queries.ts'
import { type Goal, goalOf } from '../states/rules.ts'
import { actionFor, restoringAction } from '../tasks/rules.ts'
import { updateUpgrade } from '../upgrades/queries.ts'
import { applyUpgrade, changeState } from '../work.ts'
import { type Hands, handsOf, type Step } from './hands.ts'

/**
 * Brings a service that staff or a system of the host deliver closer to the state it should have: they are asked, or
 * the state is recorded at once if they have nothing to do. Requests for an older goal are canceled; those that were
 * begun may already be done, so they are asked to undo them.
 */
export function moveByHands(
  { transact, clock }: JobContext,
  transition: TransitionRow,
): Promise<void> {
  const { tenantId, serviceId } = transition
  return transact(async (tx) => {
    const now = clock.now()
    const service = await lockService(tx, { tenantId, id: serviceId })
    const goal = service ? goalOf(service, now) : null
    const hands = service && handsOf(service)
    if (!hands) return releaseTransition(tx, transition, { doneAt: now, nextAt: null })
    const canceled = await cancelOther(tx, hands, { service, goal }, now)
    if (!goal) {
      await takeBack(tx, hands, { service, canceled }, now)
      return releaseTransition(tx, transition, { doneAt: now, nextAt: null })
    }
    if (await isForThem(tx, hands, { service, goal, canceled })) {
      await hands.ask(tx, service, { action: actionFor(goal) }, now)
      // Nothing is tried again: the transition continues when they have done it.
      return releaseTransition(tx, transition, { nextAt: null })
    }
    await recordGoal(tx, service, goal, now)
    const after = await lockService(tx, service)
    const arrived = !after || goalOf(after, now) === null
    await releaseTransition(
      tx,
      transition,
      arrived ? { doneAt: now, nextAt: null } : { nextAt: now },
    )
    if (!arrived) await enqueue(tx, changeState, { tenantId, serviceId })
  })
}

/** Cancels pending requests that no longer fit the goal of a service; returns these. */
async function cancelOther(
  tx: Tx,
  hands: Hands,
  { service, goal }: { service: ServiceRow; goal: Goal | null },
  now: Instant,
): Promise<Step[]> {
  // Without a goal, a request that undoes an older action stays.
  const wanted = goal ? actionFor(goal) : restoringAction(service)
  const isEnding = wanted === 'end' || service.endedAt !== null
  const pending = await hands.pending(tx, service)
  const canceled = pending.filter(({ action }) => {
    if (action === wanted) return false
    return action === 'create' || action === 'change' ? isEnding : true
  })
  for (const step of canceled) {
    await step.cancel(tx, now)
    const { tenantId } = service
    const { upgradeId } = step
    if (!upgradeId) continue
    // This job finds that the service ends, and gives back the money of the change.
    await updateUpgrade(tx, { tenantId, id: upgradeId }, { nextAt: now })
    await enqueue(tx, applyUpgrade, { tenantId, upgradeId })
  }
  return canceled
}

async function takeBack(
  tx: Tx,
  hands: Hands,
  { service, canceled }: { service: ServiceRow; canceled: readonly Step[] },
  now: Instant,
): Promise<void> {
  if (service.endedAt) return
  const isBegun = canceled.some(
    (step) => step.isBegun && step.action !== 'create' && step.action !== 'change',
  )
  if (!isBegun && !(await hands.isUnclear(tx, service))) return
  await hands.ask(tx, service, { action: restoringAction(service) }, now)
}

/** Whether they have something to do for an action. To end a service whose delivery was never begun, they have not. */
async function isForThem(
  tx: Tx,
  hands: Hands,
  { service, goal, canceled }: { service: ServiceRow; goal: Goal; canceled: readonly Step[] },
): Promise<boolean> {
  const action = actionFor(goal)
  if (!(await hands.makes(tx, service, action))) return false
  if (service.activatedAt || action !== 'end') return true
  return hands.hasBegun(tx, service, canceled)
}
