import type { Instant } from '#lib/time.ts'
import type { PanelDeps } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { billingProfileOf } from '#users'
import { documentOf, withDecisions } from '../documents.ts'
import { withLocations } from '../locations/queries.ts'
import { buildKey, roomFor } from '../locations/room.ts'
import type { PricedDocument } from '../pricing/document.ts'
import { type AmountedLine, withAmounts } from '../pricing/lines.ts'
import { isNewCustomer } from '../redemptions/queries.ts'
import { taxContextOf, taxCustomerOf, taxHomeOf } from '../tax.ts'
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
  type UnsurveyedCart,
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
  const items = cart ? await withLocations(db, tenantId, found) : []
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
): Promise<UnsurveyedCart> {
  const { items, coupons, document } = await pricedCart(db, user, { now, choose })
  const codes = coupons.map(({ code }) => code)
  return cartView(document, items, codes)
}

/** A cart with the room that there is for its items where they are to stand. Asks the panels: not in a transaction. */
export async function surveyedCart(
  deps: PanelDeps,
  db: Db,
  user: UserKey,
  { cart, now }: { cart: UnsurveyedCart; now: Instant },
): Promise<Cart> {
  const chosen = cart.items.filter(({ location }) => location !== null)
  if (chosen.length === 0)
    return { ...cart, items: cart.items.map((it) => ({ ...it, room: null })) }
  const servers = await listCartServers(db, user)
  const wanted = chosen.flatMap(({ id, location }) => {
    const server = servers.find((it) => it.id === id)
    return server && location ? [{ ...server, locationId: location.id }] : []
  })
  const room = await roomFor(deps, db, { tenantId: user.tenantId, wanted }, now)
  const items = cart.items.map((it) => {
    const key = buildKey({ productId: it.productId, locationId: it.location?.id ?? null })
    return { ...it, room: it.location && (room.get(key) ?? null) }
  })
  return { ...cart, items }
}

/** What of a cart can be bought now, line by line. */
export async function cartLines(
  db: Db,
  user: UserKey,
  now: Instant,
): Promise<readonly QuoteLine[]> {
  return (await pricedCart(db, user, { now, choose: usableCoupons })).document.lines
}
