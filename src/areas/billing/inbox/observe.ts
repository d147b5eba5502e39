import { isId, newId } from '#lib/id.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { enqueue } from '#platform/jobs.ts'
import { findUser } from '#users'
import { customerGone } from '../customers/actions.ts'
import { findByProviderCustomer } from '../customers/queries.ts'
import { applyDispute } from '../disputes/apply.ts'
import { adminAttention } from '../events.ts'
import type { GatewayKey } from '../gateways/queries.ts'
import type { Observation, PaymentSnapshot } from '../gateways/snapshots.ts'
import { methodGone, storeMethod } from '../methods/actions.ts'
import { findMethodAtGateway, markDefault } from '../methods/queries.ts'
import { applySetup } from '../methods/setup.ts'
import { applyPayment } from '../payments/apply.ts'
import { insertBreak } from '../reconciliation/queries.ts'
import { applyRefund } from '../refunds/apply.ts'
import { checkAttempt } from '../work.ts'

/**
 * The result of an observation. `unmatched`: it is ours, but its object is unknown, perhaps only for
 * now; `break`: it does not match our books, and is listed for a person.
 */
export type Observed = 'applied' | 'break' | 'unmatched' | 'ignored'

/** Applies one fact learnt from a provider; any number of times, in any order. */
export async function applyObservation(
  tx: Tx,
  gateway: GatewayKey,
  observation: Observation,
  now: Instant,
): Promise<Observed> {
  switch (observation.type) {
    case 'payment': {
      const { payment } = observation
      const applied = await applyPayment(tx, gateway, payment, now)
      if (applied === 'noted' && payment.toSettle) await settleSoon(tx, gateway, payment)
      return applied === 'unmatched' || applied === 'break' ? applied : 'applied'
    }
    case 'setup':
      return matched(await applySetup(tx, gateway, observation.setup, now))
    case 'refund':
      return matched(await applyRefund(tx, gateway, observation.refund, now))
    case 'dispute':
      return matched(await applyDispute(tx, gateway, observation.dispute, now))
    case 'method':
      return applyMethod(tx, gateway, observation, now)
    case 'default_method':
      return applyDefault(tx, gateway, observation)
    case 'customer_gone': {
      const customer = await findByProviderCustomer(tx, gateway, observation.customerId)
      if (customer) await customerGone(tx, customer, now)
      return customer ? 'applied' : 'ignored'
    }
    case 'elsewhere':
      return noteElsewhere(tx, gateway, observation, now)
    case 'ignored':
      return applyIgnored(tx, gateway, observation.why)
  }
}

/** A payment that its customer has agreed to is captured at once: they may never come back. */
async function settleSoon(
  tx: Tx,
  { tenantId }: GatewayKey,
  { correlation }: PaymentSnapshot,
): Promise<void> {
  const attemptId = correlation?.attemptId
  if (!attemptId || !isId(attemptId)) return
  await enqueue(tx, checkAttempt, { tenantId, attemptId }, { key: attemptId })
}

/**
 * Whether an observation is about a person whose account has ended. Their deletion at a provider
 * causes messages that name them in full: those are not stored.
 */
export async function isAboutNobody(
  tx: Tx,
  gateway: GatewayKey,
  observation: Observation,
): Promise<boolean> {
  const userId = await ownerOf(tx, gateway, observation)
  const user = userId && (await findUser(tx, { tenantId: gateway.tenantId, userId }))
  return Boolean(user && user.deletedAt !== null)
}

/** Whose customer or saved method an observation is about. */
async function ownerOf(
  tx: Tx,
  gateway: GatewayKey,
  observation: Observation,
): Promise<string | undefined> {
  const { type } = observation
  if (type !== 'customer_gone' && type !== 'default_method' && type !== 'method') return undefined
  const { customerId } = observation
  const customer = customerId && (await findByProviderCustomer(tx, gateway, customerId))
  if (customer || type !== 'method') return customer ? customer.userId : undefined
  return (await findMethodAtGateway(tx, gateway, observation.method.methodId))?.userId
}

function matched(known: boolean): Observed {
  return known ? 'applied' : 'unmatched'
}

type About<T extends Observation['type']> = Extract<Observation, { type: T }>

async function applyMethod(
  tx: Tx,
  gateway: GatewayKey,
  { customerId, method }: About<'method'>,
  now: Instant,
): Promise<Observed> {
  if (method.state === 'gone') {
    await methodGone(tx, gateway, method.methodId, now)
    return 'applied'
  }
  const customer = customerId && (await findByProviderCustomer(tx, gateway, customerId))
  if (!customer) return 'ignored'
  await storeMethod(tx, { ...gateway, userId: customer.userId }, method, now)
  return 'applied'
}

async function applyDefault(
  tx: Tx,
  gateway: GatewayKey,
  { methodId }: About<'default_method'>,
): Promise<Observed> {
  const method = methodId ? await findMethodAtGateway(tx, gateway, methodId) : undefined
  if (!method || method.goneAt !== null) return 'ignored'
  await markDefault(tx, method, method.id)
  return 'applied'
}

/** Money that came to another account pays nothing here, and a person has to check it. */
async function noteElsewhere(
  tx: Tx,
  { tenantId, gatewayId }: GatewayKey,
  { objectId, accountId }: About<'elsewhere'>,
  now: Instant,
): Promise<Observed> {
  const details = { why: 'account', accountId }
  const kind = 'payment_mismatch'
  const row = { tenantId, id: newId(), gatewayId, kind, objectId, attemptId: null, createdAt: now }
  const isNew = await insertBreak(tx, { ...row, details })
  if (isNew) await emit(tx, adminAttention, { tenantId, kind, data: { ...details, objectId } })
  return 'break'
}

async function applyIgnored(
  tx: Tx,
  { tenantId, gatewayId }: GatewayKey,
  why: About<'ignored'>['why'],
): Promise<Observed> {
  if (why === 'other_mode') {
    const data = { gatewayId }
    await emit(tx, adminAttention, { tenantId, kind: 'event_of_other_mode', data })
  }
  return 'ignored'
}
