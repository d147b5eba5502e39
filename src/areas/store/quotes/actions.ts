import { Problem } from '#lib/problem.ts'
import { type ProblemLanguage, problemMessage } from '#lib/problem-messages/index.ts'
import type { Instant } from '#lib/time.ts'
import type { PanelDeps, RoomWord } from '#panel'
import type { Db } from '#platform/database/index.ts'
import type { CartCouponRow, ItemRow } from '../carts/queries.ts'
import {
  isOnSale,
  itemView,
  linesOf,
  totalsView,
  usableCoupons,
  usableCouponsAnd,
} from '../carts/rules.ts'
import { assertCountry } from '../checks.ts'
import { documentOf, withDecisions } from '../documents.ts'
import { withLocations } from '../locations/queries.ts'
import { buildKey, roomFor } from '../locations/room.ts'
import { locationFaultText } from '../locations/rules.ts'
import { couponCodeOf } from '../pricing/coupons.ts'
import { withAmounts } from '../pricing/lines.ts'
import { taxContextOf, taxHomeOf } from '../tax.ts'
import { listQuotedCoupons, listQuotedPlans } from './queries.ts'
import type { Quote, QuoteRequest } from './schema.ts'

/**
 * Prices a selection for somebody without an account, with the functions that price carts, as if a
 * consumer who is new to the shop bought it now. What stands in the way of an order is a fault, never an
 * error. Throws 422 for a country that does not exist, or a tax rate that is not known. Asks the panels for the room
 * where things are to stand: not in a transaction.
 */
export async function quote(
  deps: PanelDeps,
  db: Db,
  tenantId: string,
  { items: wanted, coupons: typed = [], country, currency: asked }: QuoteRequest,
  now: Instant,
): Promise<Quote> {
  if (country !== undefined) assertCountry(country)
  const home = await taxHomeOf(db, tenantId)
  const currency = asked ?? home.seller.currency
  const codes = typed.map(couponCodeOf)
  const [plans, known] = await Promise.all([
    listQuotedPlans(db, { tenantId, currency, planIds: wanted.map(({ planId }) => planId) }),
    listQuotedCoupons(db, tenantId, codes),
  ])
  const byId = new Map(plans.map((plan) => [plan.planId, plan]))
  const rows = wanted.map(({ planId, quantity = 1, name = null, locationId = null }, index) => {
    const plan = byId.get(planId)
    const own = {
      id: String(index),
      quantity,
      name,
      options: {},
      environment: {},
      locationId,
      tried: false,
      trial: true,
    }
    return plan ? { ...plan, ...own } : null
  })
  const items: ItemRow[] = await withLocations(
    db,
    tenantId,
    rows.filter((row) => row !== null),
  )
  const customer = country
    ? ({ country, postcode: null, vatNumber: null, vatStatus: 'none' } as const)
    : null
  const taxRateIds = items.map(({ taxRateId }) => taxRateId)
  const context = await taxContextOf(db, { tenantId, customer, taxRateIds, at: now, home })
  const lines = withDecisions(context, linesOf(items.filter(isOnSale)))
  const amounted = withAmounts(lines, context.seller.priceMode)
  const use = { lines: amounted, currency, newCustomer: true, now }
  const document = documentOf(context, currency, lines, usableCoupons(known, use))
  const placed = items.flatMap(({ location, ...it }) => {
    return location ? [{ ...it, locationId: location.id }] : []
  })
  const room = await roomFor(deps, db, { tenantId, wanted: placed }, now)
  const roomOf = ({ productId, location }: ItemRow) =>
    location && (room.get(buildKey({ productId, locationId: location.id })) ?? null)
  const byPath = new Map(items.map((item) => [item.id, item]))
  return {
    items: items.map((item) => ({
      path: `items.${item.id}`,
      ...itemView(item, document),
      room: roomOf(item),
    })),
    ...totalsView(
      document,
      known.map(({ code }) => code),
    ),
    country: document.taxCountry,
    faults: [
      ...wanted.flatMap((_, index) => {
        const item = byPath.get(String(index)) ?? null
        return itemFault(item, index, item && roomOf(item))
      }),
      ...codes.flatMap((code, index) => couponFault(code, index, known, use)),
    ],
  }
}

/** A fault as its reader is told of it. */
export function faultIn(language: ProblemLanguage, fault: Fault): Fault {
  const code = fault.code === 'coupon_unknown' ? 'coupon_not_applicable' : fault.code
  return { ...fault, message: problemMessage(code, language, fault.message) }
}

type Fault = Quote['faults'][number]
type Use = Parameters<typeof usableCoupons>[1]

function itemFault(row: ItemRow | null, index: number, room: RoomWord | null): Fault[] {
  const path = `items.${index}`
  if (row?.locationFault && !row.gone && row.priceCents !== null) {
    const { locationFault: code } = row
    return [{ path: `${path}.locationId`, code, message: locationFaultText(code) }]
  }
  if (!row || !isOnSale(row)) {
    return [{ path, code: 'plan_not_for_sale', message: 'This plan is no longer for sale.' }]
  }
  if (row.stock !== null && row.quantity > row.stock) {
    return [{ path, code: 'out_of_stock', message: `Only ${row.stock} of this product are left.` }]
  }
  if (room === 'full') {
    const message = 'There is no room for this server at the moment.'
    return [{ path: `${path}.locationId`, code: 'no_capacity', message }]
  }
  return []
}

function couponFault(
  code: string,
  index: number,
  known: readonly CartCouponRow[],
  use: Use,
): Fault[] {
  const path = `coupons.${index}`
  const coupon = known.find((it) => it.code === code)
  if (!coupon) return [{ path, code: 'coupon_unknown', message: `There is no coupon ${code}.` }]
  try {
    usableCouponsAnd(code)(known, use)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [{ path, code: error.code ?? 'coupon_not_applicable', message: error.message }]
  }
}
