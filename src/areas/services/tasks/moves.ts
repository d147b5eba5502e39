import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { enqueue } from '#platform/jobs.ts'
import { findProduct } from '#store'
import { lockService, type ServiceRow } from '../queries.ts'
import { recordGoal } from '../states/actions.ts'
import { changeState } from '../states/jobs.ts'
import { releaseTransition, type TransitionRow } from '../states/queries.ts'
import { type Goal, goalOf } from '../states/rules.ts'
import { applyUpgrade } from '../upgrades/jobs.ts'
import { updateUpgrade } from '../upgrades/queries.ts'
import { askStaff } from './asking.ts'
import { lockPendingTasks, updateTask } from './queries.ts'
import { actionFor, isByHand, restoringAction, type TaskRow } from './rules.ts'

/**
 * Brings a service that is delivered by hand on its way to the state it should be in: staff are asked, or it is
 * recorded at once where they have nothing to do. What was asked for an older wish is canceled; what somebody
 * had taken on for it may be made already, and they are asked to take it back.
 */
export function moveByHand(
  { transact, clock }: JobContext,
  transition: TransitionRow,
): Promise<void> {
  const { tenantId, serviceId } = transition
  return transact(async (tx) => {
    const now = clock.now()
    const service = await lockService(tx, { tenantId, id: serviceId })
    const goal = service ? goalOf(service, now) : null
    if (!service) return releaseTransition(tx, transition, { doneAt: now, nextAt: null })
    const canceled = await cancelOther(tx, service, goal, now)
    if (!goal) {
      await takeBack(tx, service, canceled, now)
      return releaseTransition(tx, transition, { doneAt: now, nextAt: null })
    }
    if (await isForStaff(tx, service, { goal, canceled })) {
      await askStaff(tx, service, { action: actionFor(goal) }, now)
      // Nothing is tried again: it goes on when the task is done.
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

/** Cancels pending tasks that no longer fit what is wanted of a service; answers those. */
async function cancelOther(
  tx: Tx,
  service: ServiceRow,
  goal: Goal | null,
  now: Instant,
): Promise<TaskRow[]> {
  // Without a wish, what takes an older move back stays.
  const wanted = goal ? actionFor(goal) : restoringAction(service)
  const isEnding = wanted === 'end' || service.endedAt !== null
  const pending = await lockPendingTasks(tx, service)
  const canceled = pending.filter(({ action }) => {
    if (action === wanted) return false
    return action === 'create' || action === 'change' ? isEnding : true
  })
  for (const task of canceled) {
    await updateTask(tx, task, { canceledAt: now })
    const { tenantId, upgradeId } = task
    if (!upgradeId) continue
    // It finds out that its service ends, and gives its money back.
    await updateUpgrade(tx, { tenantId, id: upgradeId }, { nextAt: now })
    await enqueue(tx, applyUpgrade, { tenantId, upgradeId })
  }
  return canceled
}

async function takeBack(
  tx: Tx,
  service: ServiceRow,
  canceled: readonly TaskRow[],
  now: Instant,
): Promise<void> {
  const isBegun = canceled.some(
    ({ action, claimedAt }) => claimedAt && action !== 'create' && action !== 'change',
  )
  if (!isBegun || service.endedAt) return
  await askStaff(tx, service, { action: restoringAction(service) }, now)
}

/** Whether staff have something to do for a move: nothing was begun of what nobody has taken on. */
async function isForStaff(
  tx: Tx,
  service: ServiceRow,
  { goal, canceled }: { goal: Goal; canceled: readonly TaskRow[] },
): Promise<boolean> {
  const { tenantId, productId } = service
  const action = actionFor(goal)
  const product = await findProduct(tx, { tenantId, id: productId })
  if (!product || !isByHand(action, product.taskActions)) return false
  if (service.activatedAt || action !== 'end') return true
  const asked = (await lockPendingTasks(tx, service)).some((it) => it.action === 'end')
  return asked || canceled.some((it) => it.action === 'create' && it.claimedAt !== null)
}
