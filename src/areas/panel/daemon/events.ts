import { Type } from 'typebox'
import { Id, OneOf } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A daemon reports that an installation has ended, or that it restarted in the middle of one. */
export const serverInstalled = event(
  'panel.server-installed',
  Type.Object({
    tenantId: Id,
    nodeId: Id,
    serverUuid: Type.String(),
    outcome: OneOf(['successful', 'failed', 'interrupted']),
  }),
)

/** A server has crashed, for the first time in hours. */
export const serverCrashed = event(
  'panel.server-crashed',
  Type.Object({ tenantId: Id, nodeId: Id, serverUuid: Type.String() }),
)
