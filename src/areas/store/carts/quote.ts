import type { Instant } from '#lib/time.ts'
import type { PanelDeps } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { billingProfileOf } from '#users'
import { withSelections } from '../components/selection.ts'
import { documentOf, withDecisions } from '../documents.ts'
import { buildKey, roomFor } from '../locations/room.ts'
import type { PricedDocument } from '../pricing/document.ts'
import { type AmountedLine, withAmounts } from '../pricing/lines.ts'
import { isNewCustomer } from '../redemptions/queries.ts'
import { taxContextOf, taxCustomerOf, taxHomeOf } from '../tax.ts'
import type { TaxCustomer } from '../tax-rates/decision.ts'
import { environmentFaults } from './environment.ts'
import {
  type CartCouponRow,
  findCart,
  type ItemRow,
  listCartCoupons,
  listItems,
} from './queries.ts'
import {
  assertOptions,
  type CouponChoice,
  cartView,
  isOnSale,
  linesOf,
  type QuoteLine,
  type UnsurveyedCart,
  usableCoupons,
} from './rules.ts'
import type { Cart } from './schema.ts'
import { type CartServer, cartServersOf } from './servers.ts'

/** A priced cart, and the servers that will be created from it. */
export type QuotedCart = UnsurveyedCart & {
  readonly servers: readonly CartServer[]
}

/** A cart as it was read, and priced with the coupons that apply. */
export type PricedCart = {
  readonly items: readonly ItemRow[]
  readonly coupons: readonly CartCouponRow[]
  /** The coupons that were deducted. */
  readonly applied: readonly CartCouponRow[]
  readonly document: PricedDocument<QuoteLine>
}

/** Prices what is in a cart now, with those of its coupons that `choose` picks. */
export async function pricedCart(
  db: Db,
  user: UserKey,
  { now, choose, buyer }: { now: Instant; choose: CouponChoice; buyer?: TaxCustomer | null },
): Promise<PricedCart> {
  const { tenantId } = user
  const [cart, found, entered, person, home] = await Promise.all([
    findCart(db, user),
    listItems(db, user),
    listCartCoupons(db, user),
    billingProfileOf(db, user),
    taxHomeOf(db, tenantId),
  ])
  // If the cart was created during these reads, its items and its currency are ignored until it is read again.
  const { currency } = cart ?? home.seller
  const items = cart ? await withSelections(db, { tenantId, currency }, found) : []
  const coupons = cart ? entered : []
  const taxRateIds = items.map(({ taxRateId }) => taxRateId)
  const customer = buyer ?? taxCustomerOf(person)
  const context = await taxContextOf(db, { tenantId, customer, taxRateIds, at: now, home })
  const lines = withDecisions(context, linesOf(items.filter(isOnSale)))
  const amounted: AmountedLine[] = withAmounts(lines, context.seller.priceMode)
  const newCustomer = coupons.length > 0 && (await isNewCustomer(db, user))
  const use = { lines: amounted, currency, newCustomer, now }
  const applied = choose(coupons, use)
  return { items, coupons, applied, document: documentOf(context, currency, lines, applied) }
}

/**
 * The cart as its owner sees it, taxed for the country of `buyer` if it is given; an empty one if they have none.
 * Throws 422 `options_invalid` for the item that was just written.
 */
export async function cartOf(
  db: Db,
  user: UserKey,
  now: Instant,
  {
    choose = usableCoupons,
    written,
    buyer = null,
  }: { choose?: CouponChoice; written?: string; buyer?: TaxCustomer | null } = {},
): Promise<QuotedCart> {
  const { items, coupons, document } = await pricedCart(db, user, { now, choose, buyer })
  assertOptions(items.find(({ id }) => id === written)?.optionFaults ?? [])
  const codes = coupons.map(({ code }) => code)
  const servers = items.length > 0 ? await cartServersOf(db, user) : []
  const faults = await environmentFaults(db, user.tenantId, servers)
  return { ...cartView(document, items, codes, faults), servers }
}

/** A cart with the room for its items in their locations. Asks the panels: not in a transaction. */
export async function surveyedCart(
  deps: PanelDeps,
  db: Db,
  tenantId: string,
  { cart: { servers, ...cart }, now }: { cart: QuotedCart; now: Instant },
): Promise<Cart> {
  const wanted = servers.filter(({ locationFault }) => !locationFault)
  const room = await roomFor(deps, db, { tenantId, wanted }, now)
  const items = cart.items.map((it) => {
    const server = wanted.find(({ id }) => id === it.id)
    return { ...it, room: (server && room.get(buildKey(server))) ?? null }
  })
  return { ...cart, items }
}

/** The lines of a cart that can be bought now. */
export async function cartLines(
  db: Db,
  user: UserKey,
  now: Instant,
): Promise<readonly QuoteLine[]> {
  return (await pricedCart(db, user, { now, choose: usableCoupons })).document.lines
}
