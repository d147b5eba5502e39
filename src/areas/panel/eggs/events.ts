import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A sync changed or archived eggs: what is sold on them may ask for other values now. */
export const eggsChanged = event(
  'panel.eggs-changed',
  Type.Object({ tenantId: Id, nodeId: Id, eggIds: Type.Array(Id) }),
)
