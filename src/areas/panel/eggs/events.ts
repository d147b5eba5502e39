import { Type } from 'typebox'
import { Id, Nullable } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A sync or a file changed or archived eggs: products that use them may need other values now. */
export const eggsChanged = event(
  'panel.eggs-changed',
  Type.Object({ tenantId: Id, nodeId: Nullable(Id), eggIds: Type.Array(Id) }),
)
