import type { Detail } from '#lib/problem.ts'
import { judgeProvisioning } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { sellerOf } from '#tenants'
import { targetsOf } from '../delivery-targets/queries.ts'
import type { TargetRow } from '../delivery-targets/rules.ts'
import { locationsOfProducts } from '../locations/queries.ts'
import { offeredAmong, type PricedLocation } from '../locations/rules.ts'
import { offeredFaults } from '../options/offer.ts'
import { listProductsPricedIn } from '../plans/queries.ts'
import type { ProductRow } from './queries.ts'

export type ProductFaults = {
  /** What prevents servers of the product, or servers with a choice of its options. */
  readonly provisioning: Detail[]
  /** What prevents the sale of a published product. */
  readonly sale: Detail[]
  /** What prevents the publication of a draft. */
  readonly publishing: Detail[]
}

type Judged = Pick<
  ProductRow,
  'id' | 'delivery' | 'provisioning' | 'instructions' | 'promiseHours' | 'locationIds'
>

/**
 * What prevents products from being delivered, sold and published, in the order of the products. An
 * unavailable panel prevents the publication of a draft, but takes no published product off sale.
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
  const ofOptions = await offeredFaults(db, tenantId, products)
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
    // A choice that servers cannot have is taken off sale alone; the product stays on sale without it.
    const broken = (ofOptions[index] ?? []).map(({ path, message }) => ({ path, message }))
    return {
      provisioning: [...faults, ...broken],
      sale,
      publishing: isUntested ? [...sale, UNTESTED] : sale,
    }
  })
}

/** A product that is sold in locations needs one that buyers may choose. */
function faultsOfPlaces({ locationIds }: Judged, known: readonly PricedLocation[]): Detail[] {
  if (locationIds.length === 0 || offeredAmong(locationIds, known).length > 0) return []
  return [
    { path: 'locations', message: 'must have a location that is neither hidden nor archived' },
  ]
}

function faultsWithoutServer(product: Judged, target: TargetRow | undefined): Detail[] {
  if (product.delivery === 'manual') return faultsByHand(product)
  return product.delivery === 'webhook' ? faultsOfTarget(target) : []
}

/** What is missing for a system to deliver a product: an address, a secret, or an accepted test. */
function faultsOfTarget(target: TargetRow | undefined): Detail[] {
  if (!target) return [{ path: 'webhook.url', message: 'is missing' }]
  if (target.secretEnd === null) return [{ path: 'webhook.secret', message: 'is missing' }]
  if (target.testedAt !== null) return []
  return [{ path: 'webhook.url', message: 'must have accepted a test since it was last changed' }]
}

/** What is missing for a delivery by staff: their instructions, or the time promised to buyers. */
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

/** A fault of the provisioning, with its path within the product. */
function inProduct({ path, message }: Detail): Detail {
  return { path: path === 'provisioning' ? path : `provisioning.${path}`, message }
}
