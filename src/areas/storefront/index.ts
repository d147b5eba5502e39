import type { Area } from '#platform/area.ts'
import { confirmationPages } from './accounts/confirmation-routes.ts'
import { accountPages } from './accounts/routes.ts'
import { movedPages } from './application/moved.ts'
import { applicationRoutes } from './application/routes.ts'
import { assetRoutes } from './assets.ts'
import { cartPages } from './cart/routes.ts'
import { missingRoutes } from './catalogue/missing-routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { checkoutPages } from './checkout/routes.ts'
import { helpPages } from './help/routes.ts'
import { invitationPages } from './invitations/routes.ts'
import { legalPages } from './legal/routes.ts'
import { newsPages } from './news/routes.ts'
import { orderPages } from './orders/routes.ts'
import { payPages } from './pay/routes.ts'
import { setupPages } from './setup/routes.ts'
import { statusPages } from './status/routes.ts'

export const storefront: Area = {
  name: 'storefront',
  routes: [
    ...[assetRoutes, applicationRoutes, movedPages, catalogueRoutes, cartPages],
    ...[accountPages, confirmationPages, invitationPages, checkoutPages, orderPages, payPages],
    ...[legalPages, newsPages, helpPages, statusPages, setupPages, missingRoutes],
  ],
}
