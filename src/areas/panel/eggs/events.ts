import { Type } from 'typebox'
import { Id, Nullable } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A sync or a file changed or archived eggs: what is sold on them may ask for other values now. */
export const eggsChanged = event(
  'panel.eggs-changed',
  Type.Object({ tenantId: Id, nodeId: Nullable(Id), eggIds: Type.Array(Id) }),
)
