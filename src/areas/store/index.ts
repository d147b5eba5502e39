import type { Area } from '#platform/area.ts'
import { cartRoutes } from './carts/routes.ts'
import { catalogRoutes } from './catalog/routes.ts'
import { categoryRoutes } from './categories/routes.ts'
import { componentRoutes } from './components/routes.ts'
import { couponRoutes } from './coupons/routes.ts'
import { targetRoutes } from './delivery-targets/routes.ts'
import { sealedTargets } from './delivery-targets/rules.ts'
import { imageAdminRoutes, imageRoutes } from './images/routes.ts'
import { objectsAmong } from './named.ts'
import { optionGroupRoutes } from './option-groups/routes.ts'
import { optionRoutes } from './options/routes.ts'
import { erase, personalData } from './personal-data.ts'
import { listCurrencies } from './plans/queries.ts'
import { planRoutes } from './plans/routes.ts'
import { reviewOffers, tellOfEggs } from './products/jobs.ts'
import { findProducts } from './products/queries.ts'
import { productRoutes } from './products/routes.ts'
import { reviewProducts } from './products/sellable.ts'
import { quoteRoutes } from './quotes/routes.ts'
import { storeSettings } from './settings.ts'
import { releaseHolds } from './stock/jobs.ts'
import { taxSettings } from './tax.ts'
import { taxRateRoutes } from './tax-rates/routes.ts'
import { forgetTrialMarks, rememberNewAddress } from './trials/jobs.ts'
import { sealedTrialKeys } from './trials/keys.ts'

export { emptyCart, lockAndPriceCart, type Quote } from './carts/checkout.ts'
export { environmentFaults, environmentInvalid } from './carts/environment.ts'
export { countCartUnits } from './carts/queries.ts'
export { cartLines } from './carts/quote.ts'
export { assertOptions, isPlanLine, type QuoteLine, servicePriceOf } from './carts/rules.ts'
export { type Cart, type CartQuote, OrderItemRequest, ShownComponent } from './carts/schema.ts'
export { type CartServer, cartServersOf } from './carts/servers.ts'
export type { CatalogProduct, OrderableProduct, OrderForm } from './catalog/schema.ts'
export {
  type Component,
  type ComponentPrice,
  priceAt,
  type Selected,
  sumOfComponents,
  type Terms,
} from './components/rules.ts'
export { priceSelections, withBuilds } from './components/selection.ts'
export { findTarget as findDeliveryTarget } from './delivery-targets/queries.ts'
export {
  isTokenOf as isDeliveryToken,
  type TargetRow as DeliveryTarget,
  targetKeys as deliveryKeys,
} from './delivery-targets/rules.ts'
export { priceFor, pricesFor, type Sale, taxDecisionFor, type UntaxedLine } from './documents.ts'
export { importCatalogue, removeImportedCatalogue } from './imported/actions.ts'
export type {
  ImportedOption,
  ImportedOptionGroup,
  ImportedOptionLink,
  ImportedOptionPrice,
  ImportedOptionValue,
} from './imported/options.ts'
export { convertImportedPrices } from './imported/prices.ts'
export type {
  CatalogueRows,
  ImportedCategory,
  ImportedCoupon,
  ImportedPrice,
  ImportedProduct,
  ImportedTaxRate,
} from './imported/queries.ts'
export { buildKey, buildsOf, type Somewhere } from './locations/room.ts'
export { type Carried, carryOptions } from './options/carried.ts'
export {
  type ChangedOption,
  changedOptions,
  isAlike,
  wishFor,
} from './options/changes.ts'
export {
  buildWith,
  chosenOptions,
  type OptionComponent,
  type ProductOptions,
  repriced,
  type SelectedOption,
} from './options/components.ts'
export { environmentWith } from './options/effects.ts'
export { brokenIn } from './options/offer.ts'
export { optionsNamed, optionsOf } from './options/queries.ts'
export { FormOption } from './options/schema.ts'
export { serviceFormOf } from './options/service-form.ts'
export { findPlan, findPlans, listPlansOnSale } from './plans/queries.ts'
export { type PlanPrice, type PlanRow, priceIn } from './plans/rules.ts'
export {
  type CouponDiscount,
  type CouponDuration,
  type CouponTerms,
  couponCovers,
  couponIsFor,
} from './pricing/coupons.ts'
export type { PricedDocument } from './pricing/document.ts'
export type { OrderLine } from './pricing/lines.ts'
export { type PricedLine, type Pricing, price } from './pricing/rules.ts'
export { type Amounts, sumAmounts, type TaxGroup, taxGroups } from './pricing/totals.ts'
export {
  findProduct,
  findProducts,
  type ProductRow,
  type ProductWithPlans,
} from './products/queries.ts'
export { faultIn, quote as quoteFor } from './quotes/actions.ts'
export { Quote as StoreQuote, WantedCoupons } from './quotes/schema.ts'
export {
  currencyFor,
  priceOrder,
  quoteBuyerOf,
  type WantedOrder,
  wantedServersOf,
} from './quotes/wishes.ts'
export {
  confirmCoupons,
  markBuyer,
  releaseCoupons,
  reserveCoupons,
  returnCoupons,
} from './redemptions/actions.ts'
export { Options as WishedOptions } from './schema.ts'
export {
  confirmStock,
  releaseOrderStock,
  releaseStock,
  reserveStock,
  returnStock,
  returnValues,
} from './stock/actions.ts'
export type { StockItem } from './stock/rules.ts'
export { taxSettings } from './tax.ts'
export type { TaxDecision, TaxReason } from './tax-rates/decision.ts'
export { readerLocale } from './translations/rules.ts'
export { addressIdentity, forgetTrials, markTrial, startTrials } from './trials/actions.ts'
export type { Identity as TrialIdentity } from './trials/rules.ts'
export { upgradeTargetsOf } from './upgrades.ts'

export const store: Area = {
  name: 'store',
  objectsAmong,
  routes: [
    ...[catalogRoutes, imageRoutes, cartRoutes, quoteRoutes],
    ...[categoryRoutes, productRoutes, planRoutes, taxRateRoutes, couponRoutes],
    ...[targetRoutes, imageAdminRoutes, componentRoutes, optionGroupRoutes, optionRoutes],
  ],
  jobs: [releaseHolds, tellOfEggs, reviewOffers, rememberNewAddress, forgetTrialMarks],
  sealed: [sealedTrialKeys, ...sealedTargets],
  meta: async (db, tenantId) => ({ currencies: await listCurrencies(db, tenantId) }),
  panelsChanged: (tx, tenantId, now) => reviewProducts(tx, { tenantId }, now),
  productsAmong: async (db, tenantId, ids) =>
    new Set((await findProducts(db, tenantId, ids)).map(({ id }) => id)),
  permissions: [
    { key: 'store:read', description: 'See products, plans, prices, coupons and tax rates' },
    { key: 'store:write', description: 'Change products, plans, prices, coupons and tax rates' },
  ],
  settings: [taxSettings, storeSettings],
  personalData,
  purposes: ['store.cart', 'store.offers', 'store.trials'],
  erase,
}
