import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

/** A link is to be mailed; `send` counts how often for this invitation. */
export const invited = event(
  'services.invited',
  Type.Object({ tenantId: Id, id: Id, send: Type.Integer() }),
)
export const invitationAccepted = event(
  'services.invitation-accepted',
  Type.Object({ tenantId: Id, id: Id, serviceId: Id, userId: Id }),
)
