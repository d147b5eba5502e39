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
  optionFault,
  totalsView,
  usableCoupons,
  usableCouponsAnd,
} from '../carts/rules.ts'
import { withBuilds } from '../components/selection.ts'
import { buildKey, roomFor } from '../locations/room.ts'
import { locationFaultText } from '../locations/rules.ts'
import type { Quote } from './schema.ts'
import { priceWishes, type QuoteBuyer, type WantedOrder } from './wishes.ts'

/**
 * Prices a selection with the functions that price carts, as if the buyer ordered it now: a customer, or a visitor
 * without an account, who counts as a consumer who is new to the shop. What prevents an order is returned as a fault,
 * never thrown. Throws 422 for a country that does not exist, or a tax rate that is not known. Asks the panels for
 * room in the locations: not in a transaction.
 */
export async function quote(
  deps: PanelDeps,
  db: Db,
  buyer: QuoteBuyer,
  request: WantedOrder,
  now: Instant,
): Promise<Omit<Quote, 'vat'>> {
  const { tenantId } = buyer
  const { items: wanted } = request
  const priced = await priceWishes(db, buyer, request, { now, choose: usableCoupons })
  const { items, coupons: known, document, codes, use } = priced
  const servers = await withBuilds(db, tenantId, items)
  const values = await environmentFaults(db, tenantId, servers)
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
