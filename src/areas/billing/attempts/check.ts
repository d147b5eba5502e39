import { DAY_MS, HOUR_MS, type Instant, later, SECOND_MS } from '#lib/time.ts'
import { type Db, transact } from '#platform/database/index.ts'
import type { Deps, JobContext } from '#platform/deps.ts'
import { onEvent } from '#platform/events.ts'
import { enqueue, job, schedule } from '#platform/jobs.ts'
import { invoicePaid, invoiceVoided } from '../events.ts'
import { type Connection, connect, correlationFor, keyFor } from '../gateways/connection.ts'
import { GatewayError } from '../gateways/error.ts'
import { findGateway } from '../gateways/queries.ts'
import type { PaymentSnapshot } from '../gateways/snapshots.ts'
import { applySetup } from '../methods/setup.ts'
import { applyPayment } from '../payments/apply.ts'
import { checkAttempt } from '../work.ts'
import {
  type AttemptRow,
  findAttempt,
  invoiceIdsOf,
  listUnfinished,
  lockAttempt,
  lockDue,
  updateAttempt,
} from './queries.ts'
import { isOver, isUnstarted, nextCheck } from './rules.ts'
import { startAttempt } from './start.ts'

/**
 * The provider may forget keys after this time: look the payment up before sending an older one.
 */
const KEY_FRESH_MS = 23 * HOUR_MS
/** How often the same key is sent again; an answer that is still the same is a replay. */
const SAME_KEY_TRIES = 2
/** A customer who has been away this long needs no new page. */
const START_WITHIN_MS = HOUR_MS
/** A payment that a provider does not know after this time will never be known to it. */
const FORGOTTEN_MS = DAY_MS
const SWEEP_MS = 30 * SECOND_MS
const BATCH = 200

/**
 * Checks the state of an attempt and does the missing step: starts it, finds out what a call with
 * an unknown outcome did, ends it if it is no longer wanted, or asks the provider. Also completes
 * what a process that died left undone.
 */
export const checkAttemptJob = job(
  checkAttempt,
  async (context, key) => {
    const attempt = await findAttempt(context.db, key)
    if (attempt) await check(context, context.db, attempt)
  },
  { retries: 5, concurrency: 4 },
)

/** Takes attempts whose next check is due, as long as they may still bring money. */
export const sweepAttempts = schedule('billing.sweep-attempts', SWEEP_MS, async (context) => {
  const { now } = context
  await context.transact(async (tx) => {
    for (const attempt of await lockDue(tx, now, BATCH)) {
      const { tenantId, id: attemptId, tries } = attempt
      const nextCheckAt = nextCheck(attempt, now)
      await updateAttempt(tx, attempt, { nextCheckAt, tries: tries + 1 })
      await enqueue(tx, checkAttempt, { tenantId, attemptId }, { key: attemptId })
    }
  })
})

/** Ends the other payment pages of a settled invoice, so that it is not paid twice. */
const endAttempts = async (
  context: JobContext,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
): Promise<void> => {
  await context.transact(async (tx) => {
    for (const attempt of await listUnfinished(tx, tenantId, [invoiceId])) {
      if (attempt.cancelWantedAt !== null) continue
      await updateAttempt(tx, attempt, { cancelWantedAt: context.now, nextCheckAt: context.now })
      await enqueue(tx, checkAttempt, { tenantId, attemptId: attempt.id })
    }
  })
}
export const endAttemptsOfPaid = onEvent(invoicePaid, 'billing.end-attempts-of-paid', endAttempts)
export const endAttemptsOfVoid = onEvent(invoiceVoided, 'billing.end-attempts-of-void', endAttempts)

/**
 * Checks an attempt once. A provider that is unavailable is not a failure, because the next check
 * asks it again; returns whether it could be asked.
 */
export async function check(deps: Deps, db: Db, attempt: AttemptRow): Promise<boolean> {
  const { tenantId, gatewayId } = attempt
  if (gatewayId === null || (isOver(attempt) && attempt.cancelWantedAt === null)) return true
  const row = await findGateway(db, { tenantId, gatewayId })
  if (!row) return true
  const connection = await connect(deps, row)
  try {
    await look(deps, db, connection, attempt)
    return true
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const now = deps.clock.now()
    // Some providers forget payments that were never paid.
    if (error.kind === 'not_found' && now >= later(attempt.createdAt, FORGOTTEN_MS)) {
      await end(db, attempt, 'expired', now)
    }
    deps.log.warn({ attemptId: attempt.id, kind: error.kind }, 'a payment could not be looked at')
    return false
  }
}

async function look(
  deps: Deps,
  db: Db,
  connection: Connection,
  attempt: AttemptRow,
): Promise<void> {
  const now = deps.clock.now()
  if (isUnstarted(attempt)) return lookAtUnstarted(deps, db, connection, attempt, now)
  if (connection.driver.capabilities.checkout === 'instructions') {
    if (attempt.cancelWantedAt !== null) await end(db, attempt, 'canceled', now)
    return
  }
  if (attempt.purpose === 'setup') return lookAtSetup(db, connection, attempt, now)
  const snapshot = await ask(connection, attempt)
  const gateway = { tenantId: attempt.tenantId, gatewayId: connection.row.id }
  await transact(db, async (tx) => {
    await applyPayment(tx, gateway, snapshot, now)
    const after = await updateAttempt(tx, attempt, { cancelWantedAt: null })
    if (isOver(after)) await updateAttempt(tx, attempt, { nextCheckAt: null })
  })
  await giveUp(db, attempt, now)
}

/** Asks for the state of a payment, or ends the payment if it is no longer wanted. */
function ask(connection: Connection, attempt: AttemptRow): Promise<PaymentSnapshot> {
  const { driver, context } = connection
  const { checkoutId, providerPaymentId: paymentId } = attempt
  const ref = { ...(checkoutId && { checkoutId }), ...(paymentId && { paymentId }) }
  const wanted = attempt.cancelWantedAt === null
  const operation = wanted ? 'settle' : 'cancel'
  const key = { idempotencyKey: keyFor(connection, operation, attempt.id, attempt.keyNumber) }
  return wanted ? driver.settlePayment(context, ref, key) : driver.cancelPayment(context, ref, key)
}

async function lookAtUnstarted(
  deps: Deps,
  db: Db,
  connection: Connection,
  attempt: AttemptRow,
  now: Instant,
): Promise<void> {
  const late = now >= later(attempt.createdAt, START_WITHIN_MS)
  const unwanted = attempt.cancelWantedAt !== null || (late && attempt.purpose !== 'renewal')
  if (attempt.sentAt === null) {
    if (unwanted) return end(db, attempt, 'canceled', now)
    await startAttempt(deps, db, attempt)
    return
  }
  const stale = now >= later(attempt.sentAt, KEY_FRESH_MS) || attempt.tries >= SAME_KEY_TRIES
  if (!stale && !unwanted) {
    await startAttempt(deps, db, attempt)
    return
  }
  if (attempt.purpose === 'setup') return end(db, attempt, 'expired', now)
  const found = await findAtProvider(deps, db, connection, attempt)
  if (found) {
    const gateway = { tenantId: attempt.tenantId, gatewayId: connection.row.id }
    await transact(db, (tx) => applyPayment(tx, gateway, found, now))
    return
  }
  if (unwanted) return end(db, attempt, 'canceled', now)
  // The provider certainly has no payment: a new key may succeed where the old one did not.
  await transact(db, (tx) =>
    updateAttempt(tx, attempt, { keyNumber: attempt.keyNumber + 1, sentAt: null, tries: 0 }),
  )
  const fresh = await findAttempt(db, { tenantId: attempt.tenantId, attemptId: attempt.id })
  if (fresh) await startAttempt(deps, db, fresh)
}

async function findAtProvider(
  { clock }: Deps,
  db: Db,
  connection: Connection,
  attempt: AttemptRow,
): Promise<PaymentSnapshot | null> {
  const [invoiceId] = await invoiceIdsOf(db, attempt)
  const correlation = correlationFor(connection, { attemptId: attempt.id, invoiceId })
  // Our clock may have been moved ahead; the provider's clock was not.
  const since = later(attempt.createdAt, -clock.offsetMs)
  const customerId = customerIn(attempt)
  const query = { correlation, since, ...(customerId && { customerId }) }
  return connection.driver.findByAttempt(connection.context, query)
}

function customerIn({ request }: AttemptRow): string | undefined {
  const { input } = (request ?? {}) as { input?: { customerId?: string } }
  return input?.customerId
}

async function lookAtSetup(
  db: Db,
  connection: Connection,
  attempt: AttemptRow,
  now: Instant,
): Promise<void> {
  const { driver, context, row } = connection
  if (!attempt.checkoutId || !driver.fetchSetup) return
  const setup = await driver.fetchSetup(context, attempt.checkoutId)
  const gateway = { tenantId: row.tenantId, gatewayId: row.id }
  await transact(db, (tx) => applySetup(tx, gateway, setup, now))
  await giveUp(db, attempt, now)
}

/** Ends an attempt that has no further checks: no money is expected from it any more. */
async function giveUp(db: Db, { tenantId, id }: AttemptRow, now: Instant): Promise<void> {
  const attempt = await findAttempt(db, { tenantId, attemptId: id })
  if (!attempt || isOver(attempt) || nextCheck(attempt, now) !== null) return
  await end(db, attempt, 'expired', now)
}

async function end(
  db: Db,
  { tenantId, id }: AttemptRow,
  state: 'canceled' | 'expired',
  now: Instant,
): Promise<void> {
  await transact(db, async (tx) => {
    const attempt = await lockAttempt(tx, { tenantId, attemptId: id })
    if (!attempt || isOver(attempt)) return
    await updateAttempt(tx, attempt, {
      ...{ state, endedAt: now, nextCheckAt: null, cancelWantedAt: null },
    })
  })
}
