import { nodeDeleted } from '#panel'
import { onEvent } from '#platform/events.ts'
import { detachFromNode } from './queries.ts'

/** Services whose panel connection was deleted keep their rows: they are unmanaged from then on. */
export const detachServices = onEvent(
  nodeDeleted,
  'services.detach-from-node',
  async ({ transact }, { tenantId, nodeId }) => {
    await transact((tx) => detachFromNode(tx, tenantId, nodeId))
  },
)
