import { type Detail, detailIn, Problem } from '#lib/problem.ts'
import { type ProblemLanguage, problemMessage } from '#lib/problem-messages/index.ts'
import type { Instant } from '#lib/time.ts'
import type { PanelDeps, RoomWord } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { environmentFaults } from '../carts/environment.ts'
import type { CartCouponRow, ItemRow } from '../carts/queries.ts'
import {
  environmentFault,
  isOnSale,
  itemView,
  linesOf,
  optionFault,
  totalsView,
  usableCoupons,
  usableCouponsAnd,
} from '../carts/rules.ts'
import { withBuilds, withSelections } from '../components/selection.ts'
import { documentOf, withDecisions } from '../documents.ts'
import { buildKey, roomFor } from '../locations/room.ts'
import { locationFaultText } from '../locations/rules.ts'
import { couponCodeOf } from '../pricing/coupons.ts'
import { withAmounts } from '../pricing/lines.ts'
import { taxContextOf, taxHomeOf } from '../tax.ts'
import type { TaxCustomer } from '../tax-rates/decision.ts'
import { listQuotedCoupons, listQuotedPlans } from './queries.ts'
import type { Quote, QuoteRequest } from './schema.ts'

/**
 * Prices a selection for a visitor without an account, with the functions that price carts, as if a consumer who is
 * new to the shop bought it now. What prevents an order is returned as a fault, never thrown. Throws 422 for a
 * country that does not exist, or a tax rate that is not known. Asks the panels for room in the locations: not in a
 * transaction.
 */
export async function quote(
  deps: PanelDeps,
  db: Db,
  { tenantId, customer }: { tenantId: string; customer: TaxCustomer | null },
  { items: wanted, coupons: typed = [], currency: asked }: QuoteRequest,
  now: Instant,
): Promise<Omit<Quote, 'vat'>> {
  const home = await taxHomeOf(db, tenantId)
  const currency = asked ?? home.seller.currency
  const codes = typed.map(couponCodeOf)
  const [plans, known] = await Promise.all([
    listQuotedPlans(db, { tenantId, currency, planIds: wanted.map(({ planId }) => planId) }),
    listQuotedCoupons(db, tenantId, codes),
  ])
  const byId = new Map(plans.map((plan) => [plan.planId, plan]))
  const items = await withSelections(
    db,
    { tenantId, currency },
    wanted.flatMap((item, index) => {
      const plan = byId.get(item.planId)
      return plan ? [{ ...plan, ...wishOf(item, index) }] : []
    }),
  )
  const servers = await withBuilds(db, tenantId, items)
  const values = await environmentFaults(db, tenantId, servers)
  const taxRateIds = items.map(({ taxRateId }) => taxRateId)
  const context = await taxContextOf(db, { tenantId, customer, taxRateIds, at: now, home })
  const lines = withDecisions(context, linesOf(items.filter(isOnSale)))
  const amounted = withAmounts(lines, context.seller.priceMode)
  const use = { lines: amounted, currency, newCustomer: true, now }
  const document = documentOf(context, currency, lines, usableCoupons(known, use))
  const placed = servers
    .filter(({ locationFault }) => !locationFault)
    .map(({ location, ...it }) => ({ ...it, locationId: location?.id ?? null }))
  const room = await roomFor(deps, db, { tenantId, wanted: placed }, now)
  const roomOf = ({ productId, location, locationFault, components }: ItemRow) =>
    locationFault
      ? null
      : (room.get(buildKey({ productId, locationId: location?.id ?? null, components })) ?? null)
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
      ...items.flatMap(({ id, optionFaults }) =>
        optionFaults.map((it) => optionFault({ ...it, path: `items.${id}.${it.path}` })),
      ),
      ...[...values].flatMap(([index, faults]) =>
        faults.map((it) => environmentFault({ ...it, path: `items.${index}.${it.path}` })),
      ),
      ...codes.flatMap((code, index) => couponFault(code, index, known, use)),
    ],
  }
}

/** An item of a request as it would be in the cart of a new customer. */
function wishOf(item: QuoteRequest['items'][number], index: number) {
  const { quantity = 1, name = null, locationId = null, options = {}, environment = {} } = item
  const own = { id: String(index), quantity, name, options, environment, locationId }
  return { ...own, tried: false, trial: true }
}

/** A fault in the language of its reader. */
export function faultIn(language: ProblemLanguage, fault: Fault & Pick<Detail, 'fault'>): Fault {
  if (fault.fault) return { ...fault, ...detailIn(language, fault) }
  return { ...fault, message: problemMessage(fault.code, language, fault.message) }
}

type Fault = Quote['faults'][number]
type Use = Parameters<typeof usableCoupons>[1]

function itemFault(row: ItemRow | null, index: number, room: RoomWord | null): Fault[] {
  const path = `items.${index}`
  if (row?.locationFault && !row.gone && row.priceCents !== null) {
    const { locationFault: code } = row
    return [{ path: `${path}.locationId`, code, message: locationFaultText(code) }]
  }
  if (row && !row.gone && row.priceCents !== null && row.optionFaults.length > 0) return []
  if (!row || !isOnSale(row)) {
    return [{ path, code: 'plan_not_for_sale', message: 'This plan is no longer for sale.' }]
  }
  if (row.stock !== null && row.quantity > row.stock) {
    return [{ path, code: 'out_of_stock', message: `Only ${row.stock} of this product are left.` }]
  }
  if (room === 'full') {
    const message = 'There is no room for this server at the moment.'
    return [{ path: row.location ? `${path}.locationId` : path, code: 'no_capacity', message }]
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
