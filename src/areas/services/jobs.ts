import { MINUTE_MS } from '#lib/time.ts'
import { nodeDeleted } from '#panel'
import { onEvent } from '#platform/events.ts'
import { schedule } from '#platform/jobs.ts'
import { startWaiting } from './actions.ts'
import { detachFromNode } from './queries.ts'

/** Services whose panel connection was deleted keep their rows: they are unmanaged from then on. */
export const detachServices = onEvent(
  nodeDeleted,
  'services.detach-from-node',
  async ({ transact }, { tenantId, nodeId }) => {
    await transact((tx) => detachFromNode(tx, tenantId, nodeId))
  },
)

const BATCH = 100

/** Starts what customers paid for without asking for an immediate start, once they cannot withdraw. */
export const startDelayed = schedule(
  'services.start-delayed',
  MINUTE_MS,
  async ({ transact, now, signal }) => {
    let started = BATCH
    while (started === BATCH && !signal.aborted) {
      started = await transact((tx) => startWaiting(tx, now, BATCH))
    }
  },
)
