import type { Detail } from '#lib/problem.ts'
import { judgeProvisioning, type LocationRow } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { sellerOf } from '#tenants'
import { targetsOf } from '../delivery-targets/queries.ts'
import type { TargetRow } from '../delivery-targets/rules.ts'
import { locationsOfProducts } from '../locations/queries.ts'
import { offeredAmong } from '../locations/rules.ts'
import { listProductsPricedIn } from '../plans/queries.ts'
import type { ProductRow } from './queries.ts'

export type ProductFaults = {
  /** What keeps servers from being made of the product. */
  readonly provisioning: Detail[]
  /** What keeps a published product from being sold. */
  readonly sale: Detail[]
  /** What keeps a draft from being published. */
  readonly publishing: Detail[]
}

type Judged = Pick<
  ProductRow,
  'id' | 'delivery' | 'provisioning' | 'instructions' | 'promiseHours' | 'locationIds'
>

/**
 * What keeps products from being delivered, sold and published, in their order. An unavailable panel keeps a
 * draft from being published, but takes no published product off sale.
 */
export async function faultsOfProducts(
  db: Db,
  tenantId: string,
  products: readonly Judged[],
): Promise<ProductFaults[]> {
  if (products.length === 0) return []
  const { currency } = await sellerOf(db, tenantId)
  const ids = products.map(({ id }) => id)
  const priced = await listProductsPricedIn(db, { tenantId, currency }, ids)
  const judged = await judgeProvisioning(
    db,
    tenantId,
    products.map(({ provisioning }) => provisioning),
  )
  const known = await locationsOfProducts(db, tenantId, products)
  const called = products.filter(({ delivery }) => delivery === 'webhook')
  const targets = await targetsOf(
    db,
    tenantId,
    called.map(({ id }) => id),
  )
  return products.map((product, index) => {
    const { id, delivery } = product
    const { faults = [], isConnected = false } = judged[index] ?? {}
    const missing = { path: 'plans', message: `must have a plan with a price in ${currency}` }
    const price = priced.has(id) ? [] : [missing]
    if (delivery !== 'server') {
      const found = [...price, ...faultsWithoutServer(product, targets.get(id))]
      return { provisioning: [], sale: found, publishing: found }
    }
    const sale = [...price, ...faults.map(inProduct), ...faultsOfPlaces(product, known)]
    const isUntested = !isConnected && faults.length === 0
    return { provisioning: faults, sale, publishing: isUntested ? [...sale, UNTESTED] : sale }
  })
}

/** A product that is sold in locations needs one that buyers may choose. */
function faultsOfPlaces({ locationIds }: Judged, known: readonly LocationRow[]): Detail[] {
  if (locationIds.length === 0 || offeredAmong(locationIds, known).length > 0) return []
  return [
    { path: 'locations', message: 'must have a location that is neither hidden nor archived' },
  ]
}

function faultsWithoutServer(product: Judged, target: TargetRow | undefined): Detail[] {
  if (product.delivery === 'manual') return faultsByHand(product)
  return product.delivery === 'webhook' ? faultsOfTarget(target) : []
}

/** What a system needs to deliver a product: it is called, and has shown that it answers. */
function faultsOfTarget(target: TargetRow | undefined): Detail[] {
  if (!target) return [{ path: 'webhook.url', message: 'is missing' }]
  if (target.secretEnd === null) return [{ path: 'webhook.secret', message: 'is missing' }]
  if (target.testedAt !== null) return []
  return [{ path: 'webhook.url', message: 'must have accepted a test since it was last changed' }]
}

/** What staff need to deliver a product, and its buyers to know when. */
function faultsByHand({ instructions, promiseHours }: Judged): Detail[] {
  const message = 'is missing'
  return [
    ...(instructions?.trim() ? [] : [{ path: 'instructions', message }]),
    ...(promiseHours === null ? [{ path: 'promiseHours', message }] : []),
  ]
}

const UNTESTED: Detail = {
  path: 'provisioning.nodeIds',
  message: 'must have a panel connection whose last test succeeded',
}

/** A fault of the provisioning, with its path from the product. */
function inProduct({ path, message }: Detail): Detail {
  return { path: path === 'provisioning' ? path : `provisioning.${path}`, message }
}
