import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

export const ordersPlaced = event(
  'orders.placed',
  Type.Object({ tenantId: Id, orderId: Id, userId: Id, invoiceId: Id }),
)
