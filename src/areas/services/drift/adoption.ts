import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { anchorOf, recurs } from '#lib/periods.ts'
import { conflict, notFound, type Problem, unprocessable } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { listCandidates, type PanelServer } from '#panel'
import type { Db, Tx } from '#platform/database/index.ts'
import { enqueue } from '#platform/jobs.ts'
import { findPlan, findProduct, type PlanRow, priceIn } from '#store'
import { findUser } from '#users'
import { serverFacts } from '../provisioning/actions.ts'
import { updateProvisioning, upsertProvisioning } from '../provisioning/queries.ts'
import { hasService, insertServices, updateService } from '../queries.ts'
import { insertPeriod } from '../renewals/queries.ts'
import { provision } from '../work.ts'
import type { Adoption } from './schema.ts'

type Place = { tenantId: string; nodeId: string; server: PanelServer }

/** The longest time ahead for which a server may be paid already. */
const LONGEST_PAID_MS = 5 * 366 * DAY_MS

/**
 * Creates a service for a server that is on a panel already: nothing is sold, and it renews at its plan's price from
 * the end of the paid time. The job that follows gives the server its external id and its owner; the service is active
 * once the panel has stored them. Returns its id. Throws 404, 409 for a server that is a service already or cannot be
 * used, and 422 for a plan that does not fit the server.
 */
export async function adoptServer(
  tx: Tx,
  { tenantId, nodeId, server }: Place,
  wanted: Adoption,
  now: Instant,
): Promise<string> {
  const { userId } = wanted
  await assertKnown(tx, tenantId, wanted)
  await assertFree(tx, { tenantId, nodeId, server })
  const plan = await planFor(tx, { tenantId, nodeId, server }, wanted)
  const currency = wanted.currency ?? plan.currency
  const price = priceIn(plan, currency)
  if (!price)
    throw unprocessable('This plan has no price in that currency.', 'currency_not_offered')
  const period = periodOf(plan, wanted, now)
  const key = { tenantId, id: newId() }
  const { id } = key
  await insertServices(tx, [
    {
      ...{ ...key, userId, orderId: null, orderItemId: null, invoiceId: null },
      ...{ productId: plan.productId, planId: plan.id, name: wanted.name ?? server.name },
      ...{ environment: {}, priceCents: price.priceCents, valueCents: cents(0), currency },
      ...{ interval: plan.interval, intervalCount: plan.intervalCount, trialDays: 0 },
      ...{ priceMicros: null, setupFeeCents: cents(0), immediateStart: true, coupons: [] },
      locationId: null,
      ...{ externalId: `svc-${newId()}`, createdAt: now },
    },
  ])
  await updateService(tx, key, { nodeId, ...serverFacts(server), paidAt: now, ...period })
  if (period) {
    const { currentPeriodStart: startsAt, currentPeriodEnd: endsAt } = period
    await insertPeriod(tx, {
      ...{ tenantId, id: newId(), serviceId: id, productId: plan.productId, planId: plan.id },
      ...{ invoiceId: null, priceCents: cents(0), valueCents: cents(0) },
      ...{ startsAt, endsAt, dueAt: startsAt, createdAt: now, paidAt: now, dunningAt: null },
    })
  }
  const begun = { now, uncertainSince: null, byStaff: true }
  await upsertProvisioning(tx, { tenantId, serviceId: id }, begun)
  await updateProvisioning(tx, { tenantId, serviceId: id }, { linksServer: true })
  await enqueue(tx, provision, { tenantId, serviceId: id })
  return id
}

/** Throws 404 for a customer or a plan that does not exist. */
export async function assertKnown(
  db: Db,
  tenantId: string,
  { userId, planId }: Pick<Adoption, 'userId' | 'planId'>,
): Promise<void> {
  const user = await findUser(db, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  if (!(await findPlan(db, { tenantId, id: planId }))) throw notFound('Plan')
}

/** The error for adopting a server that belongs to a service already. */
export function serverInUse(): Problem {
  return conflict('This server is a service already.', 'server_in_use')
}

async function assertFree(tx: Tx, { tenantId, nodeId, server }: Place): Promise<void> {
  const { id: serverId, status } = server
  const taken = await hasService(tx, { tenantId, nodeId, serverId })
  if (taken) throw serverInUse()
  if (status === 'installed') return
  throw conflict(`This server is ${status}; only one that can be used is adopted.`, 'server_busy')
}

/** The plan, if its product is made of the server's egg. */
async function planFor(
  tx: Tx,
  { tenantId, nodeId, server }: Place,
  { planId }: Adoption,
): Promise<PlanRow> {
  const plan = await findPlan(tx, { tenantId, id: planId })
  if (!plan) throw notFound('Plan')
  if (plan.interval === 'hour') {
    throw unprocessable('Metered plans begin with an order.', 'plan_not_adoptable')
  }
  const product = await findProduct(tx, { tenantId, id: plan.productId })
  const eggId = product?.provisioning?.eggId
  const nodeIds = [nodeId]
  const candidates = eggId ? await listCandidates(tx, { tenantId, eggId, nodeIds }) : []
  if (candidates.some(({ egg }) => egg.remoteId === server.eggId)) return plan
  throw unprocessable('The server is of another egg than this plan’s product.', 'egg_differs', [
    { path: 'planId', message: 'is of a product with another egg' },
  ])
}

/** The paid time, as a first period that was not sold by this shop; null for a plan without periods. */
function periodOf(plan: PlanRow, { currentPeriodEnd: end }: Adoption, now: Instant) {
  if (!recurs(plan)) {
    if (end === undefined) return null
    throw unprocessable('This plan has no periods.', 'no_period')
  }
  if (end === undefined || end <= now || end > later(now, LONGEST_PAID_MS)) {
    const details = [{ path: 'currentPeriodEnd', message: 'is to lie ahead, within five years' }]
    throw unprocessable('Say until when the server is paid for.', 'period_end_required', details)
  }
  const anchorAt = anchorOf(end)
  return {
    ...{ anchorAt, currentPeriodStart: anchorOf(now), currentPeriodEnd: anchorAt },
    ...{ invoicedTo: anchorAt, nextInvoiceAt: now },
  }
}
