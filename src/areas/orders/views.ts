import { listUnderWay } from '#billing'
import { notFound } from '#lib/problem.ts'
import type { Db } from '#platform/database/index.ts'
import { namesOf } from '#users'
import { listItems, type OrderRow } from './queries.ts'
import { statusOf, viewOf } from './rules.ts'

/** An order as its customer sees it; 404 if there is none. */
export async function oneOf(db: Db, order: OrderRow | undefined) {
  if (!order) throw notFound('Order')
  const [view] = await viewsOf(db, order.tenantId, [order])
  if (!view) throw notFound('Order')
  return view
}

/** Orders as their customers see them. */
export async function viewsOf(db: Db, tenantId: string, orders: readonly OrderRow[]) {
  const ids = orders.map((order) => order.id)
  const pending = orders.filter((order) => statusOf(order) === 'pending')
  const [all, underWay] = await Promise.all([
    listItems(db, tenantId, ids),
    listUnderWay(
      db,
      tenantId,
      pending.map(({ invoiceId }) => invoiceId),
    ),
  ])
  const items = Map.groupBy(all, (item) => item.orderId)
  return orders.map((order) => viewOf(order, items.get(order.id) ?? [], underWay))
}

/** Orders as staff see them. */
export async function adminViewsOf(db: Db, tenantId: string, orders: readonly OrderRow[]) {
  const [views, people] = await Promise.all([
    viewsOf(db, tenantId, orders),
    namesOf(
      db,
      tenantId,
      orders.flatMap(({ userId, placedBy }) => [userId, ...(placedBy ? [placedBy] : [])]),
    ),
  ])
  return orders.flatMap(({ userId, placedBy: staffId }, index) => {
    const view = views[index]
    const { name: customerName = '', email: customerEmail = '' } = people.get(userId) ?? {}
    const placedBy =
      staffId === null ? null : { id: staffId, name: people.get(staffId)?.name ?? '' }
    return view ? [{ ...view, userId, customerName, customerEmail, placedBy }] : []
  })
}
