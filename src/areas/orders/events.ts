import { Type } from 'typebox'
import { Id } from '#lib/schema.ts'
import { event } from '#platform/events.ts'

const Order = Type.Object({ tenantId: Id, orderId: Id, userId: Id, invoiceId: Id })

export const ordersPlaced = event('orders.placed', Order)
/** All services of a paid order are active. */
export const ordersFulfilled = event('orders.fulfilled', Order)
/** An order was not paid, or was sold out before the payment came. */
export const ordersCanceled = event('orders.canceled', Order)
