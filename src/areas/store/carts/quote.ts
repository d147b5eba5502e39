import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { billingProfileOf } from '#users'
import { documentOf, withDecisions } from '../documents.ts'
import type { PricedDocument } from '../pricing/document.ts'
import { type AmountedLine, withAmounts } from '../pricing/lines.ts'
import { isNewCustomer } from '../redemptions/queries.ts'
import { taxContextOf, taxCustomerOf, taxHomeOf } from '../tax.ts'
import { environmentFaults } from './environment.ts'
import {
  type CartCouponRow,
  findCart,
  type ItemRow,
  listCartCoupons,
  listCartServers,
  listItems,
} from './queries.ts'
import {
  type CouponChoice,
  cartView,
  isOnSale,
  linesOf,
  type QuoteLine,
  usableCoupons,
} from './rules.ts'
import type { Cart } from './schema.ts'

/** A cart as it was read, and priced with the coupons that count. */
export type PricedCart = {
  readonly items: readonly ItemRow[]
  readonly coupons: readonly CartCouponRow[]
  /** Those of the coupons that were taken off. */
  readonly applied: readonly CartCouponRow[]
  readonly document: PricedDocument<QuoteLine>
}

/** Prices what is in a cart now, with the coupons of it that `choose` picks. */
export async function pricedCart(
  db: Db,
  user: UserKey,
  { now, choose }: { now: Instant; choose: CouponChoice },
): Promise<PricedCart> {
  const { tenantId } = user
  const [cart, found, entered, person, home] = await Promise.all([
    findCart(db, user),
    listItems(db, user),
    listCartCoupons(db, user),
    billingProfileOf(db, user),
    taxHomeOf(db, tenantId),
  ])
  // What was put into a cart that has just been made waits for the next look, and so does its currency.
  const items = cart ? found : []
  const coupons = cart ? entered : []
  const taxRateIds = items.map(({ taxRateId }) => taxRateId)
  const customer = taxCustomerOf(person)
  const context = await taxContextOf(db, { tenantId, customer, taxRateIds, at: now, home })
  const { currency } = cart ?? context.seller
  const lines = withDecisions(context, linesOf(items.filter(isOnSale)))
  const amounted: AmountedLine[] = withAmounts(lines, context.seller.priceMode)
  const newCustomer = coupons.length > 0 && (await isNewCustomer(db, user))
  const use = { lines: amounted, currency, newCustomer, now }
  const applied = choose(coupons, use)
  return { items, coupons, applied, document: documentOf(context, currency, lines, applied) }
}

/** The cart as its owner sees it; an empty one for who has none. */
export async function cartOf(
  db: Db,
  user: UserKey,
  now: Instant,
  choose: CouponChoice = usableCoupons,
): Promise<Cart> {
  const { items, coupons, document } = await pricedCart(db, user, { now, choose })
  const codes = coupons.map(({ code }) => code)
  const servers = items.length > 0 ? await listCartServers(db, user) : []
  const faults = await environmentFaults(db, user.tenantId, servers)
  return cartView(document, items, codes, faults)
}

/** What of a cart can be bought now, line by line. */
export async function cartLines(
  db: Db,
  user: UserKey,
  now: Instant,
): Promise<readonly QuoteLine[]> {
  return (await pricedCart(db, user, { now, choose: usableCoupons })).document.lines
}
