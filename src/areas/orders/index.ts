import type { Area } from '#platform/area.ts'
import { ordersOf } from './export.ts'
import { listImportedOrdersOf } from './imported.ts'
import { orderPaid, orderServed, orderVoided } from './jobs.ts'
import { requoteOrder } from './requote.ts'
import { adminOrderRoutes, checkoutRoutes, orderRoutes } from './routes.ts'
import { timeline } from './timeline.ts'

export { ordersCanceled, ordersFulfilled, ordersPlaced } from './events.ts'
export { type ImportedOrder, importOrders, sumImportedOrders } from './imported.ts'
export { statusOf as orderStatusOf } from './rules.ts'
export { OrderStatus } from './schema.ts'

export const orders: Area = {
  name: 'orders',
  routes: [checkoutRoutes, orderRoutes, adminOrderRoutes],
  jobs: [orderPaid, orderVoided, orderServed],
  requote: { checkout: requoteOrder },
  permissions: [{ key: 'orders:read', description: 'See all orders' }],
  personalData: (db, user) => ({
    orders: ordersOf(db, user),
    importedOrders: () => listImportedOrdersOf(db, user),
  }),
  purposes: ['orders.orders'],
  timeline,
}
