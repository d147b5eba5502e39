import type { Db } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { post } from '#platform/webhooks/sending.ts'
import { deliveryKeys, findDeliveryTarget, findPlan, findProduct } from '#store'
import { originOf } from '#tenants'
import { namesOf } from '#users'
import { findService, type ServiceRow } from '../queries.ts'
import { statusOf } from '../rules.ts'
import { findUpgrade } from '../upgrades/queries.ts'
import { findReference } from './queries.ts'
import type { DeliveryRow } from './rules.ts'

/** The maximum size of an answer that is read: more than the longest list of details. */
const KEPT_BYTES = 256 * 1024

type Sender = Pick<JobContext, 'outbound' | 'secrets' | 'config' | 'clock'>

/** Sends a delivery to its system once, and returns the answer. */
export async function call(sender: Sender, db: Db, delivery: DeliveryRow) {
  const { tenantId, id, productId } = delivery
  const now = sender.clock.now()
  const target = await findDeliveryTarget(db, { tenantId, productId })
  const data = target && (await dataOf(sender, db, delivery, target.includeCustomer))
  if (!target || !data) return { ...NOTHING, error: 'no_target' }
  const type = `service.${delivery.action}`
  const body = JSON.stringify({ type, version: 1, timestamp: delivery.createdAt, data })
  const keys = () => withSome(deliveryKeys(sender.secrets, target, now))
  const message = { tenantId, url: target.url, id, body, keys, keptBytes: KEPT_BYTES }
  return post(sender, message, now)
}

const NOTHING = { statusCode: null, durationMs: 0, retryAfterMs: null, text: null }

/** Throws if there is no key: nothing is sent without a signature. */
function withSome<T>(keys: readonly T[]): readonly T[] {
  if (keys.length === 0) throw new Error('There is no secret to sign with')
  return keys
}

/** The data about a service that a system gets: as it is to be once the delivery is done. */
async function dataOf(
  { config }: Pick<Sender, 'config'>,
  db: Db,
  delivery: DeliveryRow,
  includeCustomer: boolean,
) {
  const { tenantId, id: deliveryId, serviceId, upgradeId } = delivery
  const service = await findService(db, { tenantId, id: serviceId })
  if (!service) return null
  const upgrade = upgradeId ? await findUpgrade(db, { tenantId, id: upgradeId }) : undefined
  const { productId, planId } = upgrade ?? service
  const [product, plan, reference, origin] = await Promise.all([
    findProduct(db, { tenantId, id: productId }),
    findPlan(db, { tenantId, id: planId }),
    findReference(db, service),
    originOf(db, config, tenantId),
  ])
  return {
    deliveryId,
    callbackUrl: `${origin}/v1/deliveries/${deliveryId}/result`,
    service: {
      ...{ id: serviceId, name: service.name, status: statusOf(service), reference },
      suspendReasons: service.suspendReasons,
    },
    product: product && { id: product.id, slug: product.slug, name: product.name },
    plan: plan && {
      ...{ id: plan.id, name: plan.name },
      ...{ interval: plan.interval, intervalCount: plan.intervalCount },
    },
    previous: upgrade ? { productId: service.productId, planId: service.planId } : null,
    environment: service.environment,
    period: periodOf(service),
    customer: includeCustomer ? await customerOf(db, service) : null,
  }
}

function periodOf({ currentPeriodStart, currentPeriodEnd }: ServiceRow) {
  if (!currentPeriodStart || !currentPeriodEnd) return null
  return { start: currentPeriodStart, end: currentPeriodEnd }
}

async function customerOf(db: Db, { tenantId, userId }: ServiceRow) {
  const person = (await namesOf(db, tenantId, [userId])).get(userId)
  return person ? { id: userId, name: person.name, email: person.email } : null
}
