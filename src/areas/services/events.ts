import { Type } from 'typebox'
import { Id, Nullable } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const ServiceEvent = Type.Object({
  tenantId: Id,
  serviceId: Id,
  userId: Id,
  /** Null for a server that was on the panel before it became a service. */
  orderId: Nullable(Id),
})

/** The panel has confirmed the installation: the server can be used. */
export const serviceActivated = event('services.activated', ServiceEvent)
/** It could not be set up; an operator decides what happens next. */
export const serviceFailed = event('services.failed', ServiceEvent)
/** The panel has confirmed that its server is suspended, or no longer. */
export const serviceSuspended = event('services.suspended', ServiceEvent)
export const serviceReactivated = event('services.reactivated', ServiceEvent)
/** It was active, and its server is being created again. */
export const serviceRemade = event('services.remade', ServiceEvent)
/** Staff have a new task. */
export const taskCreated = event(
  'services.task-created',
  Type.Object({ tenantId: Id, id: Id, userId: Id }),
)
/** A system of the host will not do what it was asked for a service. */
export const deliveryFailed = event(
  'services.delivery-failed',
  Type.Object({ tenantId: Id, id: Id, userId: Id }),
)
export const serviceEnded = event('services.ended', ServiceEvent)
/** The next period has begun, and is paid. */
export const serviceRenewed = event('services.renewed', ServiceEvent)
/** It is on another product or plan; if that changes the server, the panel has confirmed it. */
export const serviceUpgraded = event('services.upgraded', ServiceEvent)
