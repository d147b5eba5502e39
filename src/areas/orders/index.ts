import type { Area, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { orderPaid, orderServed, orderVoided } from './jobs.ts'
import { listOrdersOf } from './queries.ts'
import { adminOrderRoutes, checkoutRoutes, orderRoutes } from './routes.ts'

export { ordersPlaced } from './events.ts'

const PAGE = 100

async function personalData(db: Db, user: UserKey) {
  const all: unknown[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await listOrdersOf(db, user, { limit: PAGE, ...(cursor && { cursor }) })
    for (const { tenantId: _, userId: __, ...order } of page.data) all.push(order)
    cursor = page.nextCursor
  }
  return { orders: all }
}

export const orders: Area = {
  name: 'orders',
  routes: [checkoutRoutes, orderRoutes, adminOrderRoutes],
  jobs: [orderPaid, orderVoided, orderServed],
  permissions: [{ key: 'orders:read', description: 'See all orders' }],
  personalData,
}
