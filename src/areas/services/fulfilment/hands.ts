import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { findProduct } from '#store'
import { createSystemRequest } from '../deliveries/asking.ts'
import {
  findLastDelivery,
  listCreations,
  lockPendingDeliveries,
  updateDelivery,
} from '../deliveries/queries.ts'
import { mayBeDone } from '../deliveries/rules.ts'
import type { ServiceRow } from '../queries.ts'
import { createStaffTask } from '../tasks/asking.ts'
import { lockPendingTasks, updateTask } from '../tasks/queries.ts'
import { isByHand, restoringAction } from '../tasks/rules.ts'
import type { TaskAction } from '../tasks/schema.ts'

/** A request that is neither done nor given up. */
export type Step = {
  readonly action: TaskAction
  readonly upgradeId: string | null
  /** Whether a part of it may be done already. */
  readonly isBegun: boolean
  cancel(tx: Tx, now: Instant): Promise<void>
}

type Wanted = { readonly action: TaskAction; readonly upgradeId?: string | null }

/** Delivers services without a panel: staff by tasks, or a system of the host by signed calls. */
export type Hands = {
  /** Requests an action for a locked service; an equal pending request stays. */
  ask(tx: Tx, service: ServiceRow, wanted: Wanted, now: Instant): Promise<void>
  /** The pending requests for a locked service, oldest first. */
  pending(tx: Tx, service: ServiceRow): Promise<Step[]>
  /** Whether they have to do an action for a delivered service; other actions are recorded at once. */
  makes(tx: Tx, service: ServiceRow, action: Exclude<TaskAction, 'create'>): Promise<boolean>
  /**
   * Whether they have begun to deliver a service. `canceled` are the requests that were just given up.
   */
  hasBegun(tx: Tx, service: ServiceRow, canceled: readonly Step[]): Promise<boolean>
  /** Whether a service for which nothing is wanted may be in another state than is recorded. */
  isUnclear(tx: Tx, service: ServiceRow): Promise<boolean>
}

const staff: Hands = {
  async ask(tx, service, wanted, now) {
    await createStaffTask(tx, service, wanted, now)
  },
  async pending(tx, service) {
    const tasks = await lockPendingTasks(tx, service)
    return tasks.map((task) => ({
      ...{ action: task.action, upgradeId: task.upgradeId, isBegun: task.claimedAt !== null },
      cancel: (within, canceledAt) => updateTask(within, task, { canceledAt }),
    }))
  },
  async makes(tx, { tenantId, productId }, action) {
    const product = await findProduct(tx, { tenantId, id: productId })
    return product !== undefined && isByHand(action, product.taskActions)
  },
  async hasBegun(tx, service, canceled) {
    const asked = (await lockPendingTasks(tx, service)).some(({ action }) => action === 'end')
    return asked || canceled.some(({ action, isBegun }) => action === 'create' && isBegun)
  },
  isUnclear: async () => false,
}

const system: Hands = {
  async ask(tx, service, { action, upgradeId = null }, now) {
    await createSystemRequest(tx, service, { action, upgradeId }, now)
  },
  async pending(tx, service) {
    const deliveries = await lockPendingDeliveries(tx, service)
    return deliveries.map((delivery) => ({
      ...{ action: delivery.action, upgradeId: delivery.upgradeId },
      isBegun: delivery.sentAt !== null,
      cancel: (within, canceledAt) => updateDelivery(within, delivery, { canceledAt }),
    }))
  },
  makes: async () => true,
  hasBegun: async (tx, service) => (await listCreations(tx, service)).some(mayBeDone),
  async isUnclear(tx, service) {
    const last = await findLastDelivery(tx, service, ['suspend', 'resume'])
    return last?.failureCode === 'unanswered' && last.action !== restoringAction(service)
  },
}

/** Returns who delivers a service without a panel; null if nobody has to. */
export function handsOf({ delivery }: Pick<ServiceRow, 'delivery'>): Hands | null {
  if (delivery === 'manual') return staff
  return delivery === 'webhook' ? system : null
}
