import { allocate, type Cents, cents } from '#lib/money.ts'
import type { OrderItemRow, OrderRow } from './queries.ts'
import type { Order, OrderStatus } from './schema.ts'

type Facts = Pick<OrderRow, 'paidAt' | 'fulfilledAt' | 'canceledAt'>

/** Never stored: the state follows from what happened. */
export function statusOf({ paidAt, fulfilledAt, canceledAt }: Facts): OrderStatus {
  if (fulfilledAt) return 'fulfilled'
  if (canceledAt) return 'canceled'
  return paidAt ? 'paid' : 'pending'
}

type Priced = { quantity: number; subtotalCents: number; discountCents: number }

/** What each unit of a line costs for its first period, in cents; the parts add up to the line. */
export function valuesPerUnit({ quantity, subtotalCents, discountCents }: Priced): Cents[] {
  const value = cents(subtotalCents - discountCents)
  return allocate(value, new Array<number>(quantity).fill(1))
}

/** The longest name that game panels take. */
const MAX_NAME = 191

/** What the units of a line are called: by number where there are several, and never too long. */
export function namesPerUnit({ name, quantity }: { name: string; quantity: number }): string[] {
  return Array.from({ length: quantity }, (_, index) => {
    const suffix = quantity > 1 ? ` ${index + 1}` : ''
    return `${name.slice(0, MAX_NAME - suffix.length)}${suffix}`
  })
}

export type OrderItemView = OrderItemRow & { serviceIds: string[] }

/** An order as its customer sees it. */
export function viewOf(order: OrderRow, items: readonly OrderItemView[]): Order {
  const { id, number, totalCents, currency, invoiceId } = order
  const { createdAt, paidAt, fulfilledAt, canceledAt } = order
  return {
    ...{ id, number, status: statusOf(order), totalCents, currency, invoiceId },
    items: items.map((item) => ({
      ...{ id: item.id, productId: item.productId, planId: item.planId },
      ...{ quantity: item.quantity, serviceIds: item.serviceIds, totalCents: item.totalCents },
    })),
    ...{ createdAt, paidAt, fulfilledAt, canceledAt },
  }
}
