import type { Area } from '#platform/area.ts'
import { accountPages } from './accounts/routes.ts'
import { assetRoutes } from './assets.ts'
import { cartPages } from './cart/routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { checkoutPages } from './checkout/routes.ts'
import { orderPages } from './orders/routes.ts'

export const storefront: Area = {
  name: 'storefront',
  routes: [assetRoutes, catalogueRoutes, cartPages, accountPages, checkoutPages, orderPages],
}
