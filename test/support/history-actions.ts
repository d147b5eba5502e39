import { createHash } from 'node:crypto'
import { openInvoice } from '#billing'
import type { Caller } from '#lib/caller.ts'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import { Problem } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { type Database, type Tx, transact } from '#platform/database/index.ts'
import { createServices, startServices } from '#services'
import { insertUser } from '#users'
import { applyDispute } from '../../src/areas/billing/disputes/apply.ts'
import type { DisputeSnapshot } from '../../src/areas/billing/gateways/snapshots.ts'
import { bookPayment } from '../../src/areas/billing/payments/booking.ts'
import { refundInvoice } from '../../src/areas/billing/refunds/actions.ts'
import { updateService } from '../../src/areas/services/queries.ts'
import { renewOne } from '../../src/areas/services/renewals/batches.ts'
import { reopenPeriods, settlePeriods } from '../../src/areas/services/renewals/settlement.ts'
import { completeUpgrade, orderUpgrade } from '../../src/areas/services/upgrades/actions.ts'
import { startUpgrade } from '../../src/areas/services/upgrades/payment.ts'
import { documentOf } from './billing-shop.ts'

/**
 * What a history has done, by whichever process: arguments and answers are plain JSON, so that an
 * action whose process died is given to another one. Each is one transaction, and may be repeated.
 */

type Purchase = {
  tenantId: string
  userId: string
  serviceId: string
  orderId: string
  productId: string
  planId: string
  priceCents: Cents
}

type Money = {
  tenantId: string
  userId: string
  gatewayId: string
  providerPaymentId: string
  receivedCents: Cents
  feeCents: Cents
  invoiceId: string
}

type Refund = Parameters<typeof refundInvoice>[1]
type Told = { gateway: { tenantId: string; gatewayId: string }; snapshot: DisputeSnapshot }
type Change = { tenantId: string; userId: string; serviceId: string } & Plan
type Plan = { productId: string; planId: string }
type Key = { tenantId: string; id: string }
type InvoiceKey = { tenantId: string; invoiceId: string }

/** An order of one server that is still to be paid, and its customer. */
async function purchase(tx: Tx, what: Purchase, now: Instant) {
  const { tenantId, userId, serviceId, orderId, productId, planId, priceCents } = what
  const person = { name: 'Ada', country: 'FR', passwordHash: null, emailVerifiedAt: now }
  const email = `${userId}@example.org`
  await insertUser(tx, { tenantId, id: userId, email, createdAt: now, ...person })
  const document = documentOf([{ totalCents: 1200, rate: 2000 }])
  const sold = { ...document, lines: document.lines.map((line) => ({ ...line, serviceId })) }
  const about = { tenantId, userId, kind: 'checkout' as const, reference: orderId }
  const { id } = await openInvoice(tx, { ...about, document: sold, dueAt: now }, now)
  const order = { tenantId, userId, orderId, invoiceId: id, immediateStart: false }
  const service = {
    ...{ productId, planId, id: serviceId, orderItemId: newId(), name: 'Server', environment: {} },
    ...{ priceCents, valueCents: priceCents, currency: 'EUR', interval: 'month' as const },
    ...{ intervalCount: 1, trialDays: 0, priceMicros: null, setupFeeCents: cents(0), coupons: [] },
    locationId: null,
  }
  await createServices(tx, order, [service], now)
  return { invoiceId: id }
}

async function pay(tx: Tx, { invoiceId, ...told }: Money, now: Instant) {
  const method = { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null }
  const money = { ...told, attemptId: null, currency: 'EUR', paidAt: now, method }
  await bookPayment(tx, money, [invoiceId], now)
}

/** The first invoice is paid, and the panel has made the server. */
async function start(
  tx: Tx,
  { orderId, service }: { orderId: string; service: Key },
  now: Instant,
) {
  await startServices(tx, { tenantId: service.tenantId, orderId, paidAt: now, startsAt: null }, now)
  await updateService(tx, service, { activatedAt: now })
}

/** Answers with the invoice of the change; null when there is nothing to pay. */
async function upgrade(tx: Tx, { tenantId, userId, ...wanted }: Change, now: Instant) {
  const caller: Caller = {
    ...{ kind: 'user', tenantId, userId, email: '', permissions: new Set<string>() },
    ...{ via: 'session', credentialId: newId(), readOnly: false, impersonatorId: null },
  }
  const { invoice } = await orderUpgrade(tx, caller, { ...wanted, isStaff: false }, now)
  return invoice && { invoiceId: invoice.id, netCents: invoice.netCents }
}

/** One that is asked for: its repetition is known by a key, as that of a request over HTTP is. */
function asked<W extends { tenantId: string }, A>(
  work: (tx: Tx, what: W, now: Instant) => Promise<A>,
) {
  return async (tx: Tx, { key, ...rest }: W & { key: string }, now: Instant): Promise<A> => {
    const what = rest as unknown as W
    const id = { tenantId: what.tenantId, callerId: CALLER, key }
    const requestHash = createHash('sha256').update(key).digest()
    const made = await tx
      .insertInto('platform.idempotency_keys')
      .values({ ...id, requestHash, createdAt: now, lockedUntil: now, effectAt: now })
      .onConflict((it) => it.doNothing())
      .returning('key')
      .executeTakeFirst()
    const row = { tenantId: id.tenantId, callerId: CALLER, key }
    if (!made) return await answerOf<A>(tx, row)
    const answer = await work(tx, what, now)
    await tx
      .updateTable('platform.idempotency_keys')
      .set({ body: JSON.stringify(answer ?? null) })
      .where('tenantId', '=', id.tenantId)
      .where('callerId', '=', CALLER)
      .where('key', '=', key)
      .execute()
    return answer
  }
}

const CALLER = '00000000-0000-7000-8000-000000000000'

async function answerOf<A>(
  tx: Tx,
  { tenantId, callerId, key }: { tenantId: string; callerId: string; key: string },
): Promise<A> {
  const { body } = await tx
    .selectFrom('platform.idempotency_keys')
    .select('body')
    .where('tenantId', '=', tenantId)
    .where('callerId', '=', callerId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return JSON.parse(body ?? 'null')
}

const ACTIONS = {
  purchase: asked(purchase),
  pay,
  start,
  settle: (tx: Tx, key: InvoiceKey, now: Instant) => settlePeriods(tx, key, now),
  renew: (tx: Tx, key: Key, now: Instant) => renewOne(tx, key, now).then(() => {}),
  upgrade: asked(upgrade),
  startUpgrade: (tx: Tx, key: Key, now: Instant) => startUpgrade(tx, key, now),
  completeUpgrade: (tx: Tx, key: Key, now: Instant) => completeUpgrade(tx, key, now),
  refund: asked((tx: Tx, what: Refund, now: Instant) =>
    refundInvoice(tx, what, now).then(() => {}),
  ),
  dispute: (tx: Tx, { gateway, snapshot }: Told, now: Instant) =>
    applyDispute(tx, gateway, snapshot, now).then(() => {}),
  reopen: (tx: Tx, key: InvoiceKey, now: Instant) => reopenPeriods(tx, key, { suspend: true }, now),
}

type Actions = typeof ACTIONS
export type ActionName = keyof Actions
export type Wanted<N extends ActionName> = Parameters<Actions[N]>[1]
export type AnswerOf<N extends ActionName> = Awaited<ReturnType<Actions[N]>>

/** When the connection to the database is lost in an action. */
export type Cut = 'never' | 'before the commit' | 'after the commit'

export type Action<N extends ActionName = ActionName> = {
  readonly tenantId: string
  readonly name: N
  readonly what: Wanted<N>
  readonly now: Instant
  readonly cut: Cut
}

/** What came of it; `null` when it was refused. */
export type Outcome<N extends ActionName> = { answer: AnswerOf<N> } | null

/** Somebody who does what a history wants done. */
export type Actor = <N extends ActionName>(action: Action<N>) => Promise<Outcome<N>>

class ConnectionLost extends Error {}

/**
 * Does something that may be repeated, with the connection lost at the moment that is wanted: before
 * the commit nothing is left and it is done again, after it whoever waited for an answer repeats it.
 */
export async function perform<N extends ActionName>(
  database: Database,
  { tenantId, name, what, now, cut }: Action<N>,
): Promise<Outcome<N>> {
  const work = ACTIONS[name] as (tx: Tx, what: Wanted<N>, now: Instant) => Promise<AnswerOf<N>>
  const db = database.of(tenantId)
  async function once({ lost }: { lost: boolean }): Promise<Outcome<N>> {
    try {
      return await transact(db, async (tx) => {
        const answer = await work(tx, what, now)
        if (lost) throw new ConnectionLost()
        return { answer }
      })
    } catch (error) {
      if (error instanceof Problem || (lost && error instanceof ConnectionLost)) return null
      throw error
    }
  }
  if (cut === 'before the commit') await once({ lost: true })
  const first = await once({ lost: false })
  return first && cut === 'after the commit' ? await once({ lost: false }) : first
}
