import type { Area } from '#platform/area.ts'
import { ordersOf } from './export.ts'
import { orderPaid, orderServed, orderVoided } from './jobs.ts'
import { requoteOrder } from './requote.ts'
import { adminOrderRoutes, checkoutRoutes, orderRoutes } from './routes.ts'
import { timeline } from './timeline.ts'

export { ordersPlaced } from './events.ts'

export const orders: Area = {
  name: 'orders',
  routes: [checkoutRoutes, orderRoutes, adminOrderRoutes],
  jobs: [orderPaid, orderVoided, orderServed],
  requote: { checkout: requoteOrder },
  permissions: [{ key: 'orders:read', description: 'See all orders' }],
  personalData: (db, user) => ({ orders: ordersOf(db, user) }),
  purposes: ['orders.orders'],
  timeline,
}
