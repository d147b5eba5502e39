import type { Area } from '#platform/area.ts'
import { assertMayLoseMethods } from './allowances/actions.ts'
import { allowanceRoutes } from './allowances/routes.ts'
import { faults } from './faults.ts'
import { customerOrderRoutes } from './for-customers/routes.ts'
import { importedOrderRoutes } from './imported-routes.ts'
import { orderNotServed, orderPaid, orderServed, orderVoided } from './jobs.ts'
import { objectsAmong } from './named.ts'
import { erase, personalData } from './personal-data.ts'
import { requoteOrder } from './requote.ts'
import { adminOrderRoutes, checkoutRoutes, consentRoutes, orderRoutes } from './routes.ts'
import { orderSettings } from './settings.ts'
import { objectTimeline, timeline } from './timeline.ts'

export { ordersCanceled, ordersFulfilled, ordersPlaced } from './events.ts'
export {
  type ImportedOrder,
  importOrders,
  removeImportedOrders,
  sumImportedOrders,
} from './imported.ts'
export { statusOf as orderStatusOf } from './rules.ts'
export { NOTE_LENGTH, OrderStatus } from './schema.ts'

export const orders: Area = {
  name: 'orders',
  objectsAmong,
  routes: [
    checkoutRoutes,
    consentRoutes,
    orderRoutes,
    adminOrderRoutes,
    importedOrderRoutes,
    allowanceRoutes,
    customerOrderRoutes,
  ],
  jobs: [orderPaid, orderVoided, orderServed, orderNotServed],
  requote: { checkout: requoteOrder },
  permissions: [
    { key: 'orders:read', description: 'See all orders' },
    { key: 'orders:write', description: 'Place orders for customers' },
    {
      key: 'users:allowance',
      description: 'Set how many services and unpaid orders a person may have before paying',
    },
  ],
  settings: [orderSettings],
  faults,
  personalData,
  assertMayLoseMethods,
  erase,
  purposes: ['orders.orders'],
  timeline,
  objectTimeline,
  timelineNeeds: ['orders:read'],
}
