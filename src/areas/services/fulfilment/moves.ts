import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue } from '#platform/jobs.ts'
import { lockService, type ServiceRow } from '../queries.ts'
import { recordGoal } from '../states/actions.ts'
import { changeState } from '../states/jobs.ts'
import { releaseTransition, type TransitionRow } from '../states/queries.ts'
import { type Goal, goalOf } from '../states/rules.ts'
import { actionFor, restoringAction } from '../tasks/rules.ts'
import { applyUpgrade } from '../upgrades/jobs.ts'
import { updateUpgrade } from '../upgrades/queries.ts'
import { type Hands, handsOf, type Step } from './hands.ts'

/**
 * Brings a service that staff or a system of the host deliver on its way to the state it should be in: they are
 * asked, or it is recorded at once where they have nothing to do. What was asked for an older wish is canceled; what
 * was begun for it may be made already, and they are asked to take it back.
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
      // Nothing is tried again: it goes on when it is done.
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

/** Cancels pending steps that no longer fit what is wanted of a service; answers those. */
async function cancelOther(
  tx: Tx,
  hands: Hands,
  { service, goal }: { service: ServiceRow; goal: Goal | null },
  now: Instant,
): Promise<Step[]> {
  // Without a wish, what takes an older move back stays.
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
    // It finds out that its service ends, and gives its money back.
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

/** Whether they have something to do for a move: nothing was begun of a delivery that nobody has taken on. */
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
