import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A panel connection was deleted: services on it stay, but are not managed any more. */
export const nodeDeleted = event('panel.node-deleted', Type.Object({ tenantId: Id, nodeId: Id }))
