import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const incident = { tenantId: Id, incidentId: Id }
const update = { ...incident, updateId: Id }

/** An incident or planned maintenance was published, with its first update. */
export const incidentOpened = event('incidents.incident-opened', Type.Object(update))
/** Something new was said of one that goes on; maintenance may have been canceled. */
export const incidentUpdated = event('incidents.incident-updated', Type.Object(update))
/** An incident was resolved, or maintenance completed; at its planned end, that is without an update. */
export const incidentResolved = event('incidents.incident-resolved', Type.Object(incident))
