import { Type } from 'typebox'
import { Id, OneOf } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A daemon says that an installation has ended, or that it started anew in the middle of one. */
export const serverInstalled = event(
  'panel.server-installed',
  Type.Object({
    tenantId: Id,
    nodeId: Id,
    serverUuid: Type.String(),
    outcome: OneOf(['successful', 'failed', 'interrupted']),
  }),
)
