import { notFound } from '#lib/problem.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import { type Db, json, type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { adminAttention } from '../events.ts'
import { isCredentialsFault, recordGatewayCheck } from '../gateways/actions.ts'
import { type Connection, connect, keyFor } from '../gateways/connection.ts'
import type { NextStep, StartPaymentResult } from '../gateways/contract.ts'
import { GatewayError } from '../gateways/error.ts'
import { findGateway } from '../gateways/queries.ts'
import type { ProviderRef } from '../gateways/snapshots.ts'
import { markMethodGone } from '../methods/queries.ts'
import { applyPayment } from '../payments/apply.ts'
import { emitFailure, failureOf } from '../payments/failure.ts'
import type { PreparedPayment } from './prepare.ts'
import {
  type AttemptRow,
  findAttempt,
  invoiceIdsOf,
  lockAttempt,
  updateAttempt,
} from './queries.ts'
import { requestFor, type SentRequest } from './request.ts'
import { isUnstarted, nextCheck, paymentView } from './rules.ts'
import type { PaymentView } from './schema.ts'

const RECHECK_MS = 10 * SECOND_MS
const RETRY_MS = 30 * SECOND_MS

/**
 * Calls the provider for a committed attempt, and stores the answer. However often it is called, the
 * provider creates one payment: the same row has the same key. A provider that refuses or is
 * unavailable is not an error: the returned view shows the state of the payment.
 */
export async function startPayment(deps: Deps, db: Db, key: PreparedPayment): Promise<PaymentView> {
  const attempt = await findAttempt(db, key)
  if (!attempt) throw notFound('Payment')
  if (!isUnstarted(attempt)) return paymentView(attempt)
  const clientSecret = await startAttempt(deps, db, attempt)
  return paymentView((await findAttempt(db, key)) ?? attempt, clientSecret)
}

/** Starts an attempt that the provider may not know of; returns a client secret if there is one. */
export async function startAttempt(
  deps: Deps,
  db: Db,
  attempt: AttemptRow,
): Promise<string | null> {
  const { tenantId, gatewayId } = attempt
  if (gatewayId === null) return null
  const row = await findGateway(db, { tenantId, gatewayId })
  if (!row) throw notFound('Gateway')
  const connection = await connect(deps, row)
  const now = deps.clock.now()
  let sending = false
  try {
    const request = await requestFor(deps, db, connection, attempt)
    const sent = await markSent(db, attempt, request, now)
    if (!sent) return null
    sending = true
    return await send(db, connection, { attempt: sent, request }, now)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    // A failure before the request for the payment itself has not changed the payment.
    const kind = !sending && error.kind === 'unknown_outcome' ? 'unavailable' : error.kind
    const failed = { attempt, connection, error, kind }
    await transact(db, (tx) => noteFailedStart(tx, failed, deps.clock.now()))
    return null
  }
}

/** Stores what is about to be sent; undefined if another process has started the attempt already. */
async function markSent(
  db: Db,
  { tenantId, id }: AttemptRow,
  request: SentRequest,
  now: Instant,
): Promise<AttemptRow | undefined> {
  return transact(db, async (tx) => {
    const attempt = await lockAttempt(tx, { tenantId, attemptId: id })
    if (!attempt || !isUnstarted(attempt)) return undefined
    const sentAt = attempt.sentAt ?? now
    return updateAttempt(tx, attempt, { request: json(request), sentAt })
  })
}

type Sending = { attempt: AttemptRow; request: SentRequest }

async function send(
  db: Db,
  connection: Connection,
  { attempt, request }: Sending,
  now: Instant,
): Promise<string | null> {
  const { driver, context, row } = connection
  const gateway = { tenantId: row.tenantId, gatewayId: row.id }
  const number = attempt.keyNumber
  if (request.what === 'charge') {
    const idempotencyKey = keyFor(connection, 'charge', attempt.id, number)
    const snapshot = await driver.chargeSaved?.(context, { ...request.input, idempotencyKey })
    if (!snapshot) throw new GatewayError('unsupported', 'This gateway charges no saved methods.')
    await transact(db, (tx) => applyPayment(tx, gateway, snapshot, now))
    return null
  }
  if (request.what === 'setup') {
    const idempotencyKey = keyFor(connection, 'setup', attempt.id, number)
    const started = await driver.startSetup?.(context, { ...request.input, idempotencyKey })
    if (!started) throw new GatewayError('unsupported', 'This gateway saves no methods.')
    const { setupId: checkoutId, next } = started
    await noteStarted(db, connection, attempt, { ref: { checkoutId }, state: 'open', next }, now)
    return next.kind === 'client_secret' ? next.clientSecret : null
  }
  const idempotencyKey = keyFor(connection, 'checkout', attempt.id, number)
  const started = await driver.startPayment(context, { ...request.input, idempotencyKey })
  await noteStarted(db, connection, attempt, started, now)
  return null
}

async function noteStarted(
  db: Db,
  { driver }: Connection,
  { tenantId, id }: AttemptRow,
  { ref, state, next }: StartPaymentResult,
  now: Instant,
): Promise<void> {
  await transact(db, async (tx) => {
    const attempt = await lockAttempt(tx, { tenantId, attemptId: id })
    if (!attempt) return
    const silent = driver.capabilities.checkout === 'instructions'
    const known = { ...refsOf(ref), nextStep: json(withoutSecret(next)) }
    if (!isUnstarted(attempt)) {
      // A webhook was faster: the state it reported stays, only the address of the page is new.
      await updateAttempt(tx, attempt, { ...known })
      return
    }
    await updateAttempt(tx, attempt, {
      ...known,
      state: state === 'paid' ? 'processing' : state,
      nextCheckAt: silent ? null : nextCheck(attempt, now),
    })
  })
}

/** A client secret is returned once and never stored. */
function withoutSecret(next: NextStep): NextStep {
  return next.kind === 'client_secret' ? { ...next, clientSecret: '' } : next
}

function refsOf({ checkoutId, paymentId }: ProviderRef) {
  return { ...(checkoutId && { checkoutId }), ...(paymentId && { providerPaymentId: paymentId }) }
}

type FailedStart = {
  attempt: AttemptRow
  connection: Connection
  error: GatewayError
  kind: GatewayError['kind']
}

async function noteFailedStart(tx: Tx, failed: FailedStart, now: Instant): Promise<void> {
  const { attempt: before, error, kind } = failed
  const { tenantId } = before
  const attempt = await lockAttempt(tx, { tenantId, attemptId: before.id })
  if (!attempt || !isUnstarted(attempt)) return
  if (kind === 'unavailable' || kind === 'rate_limited') {
    const waitMs = Math.max(RETRY_MS, error.retryAfterMs ?? 0)
    await updateAttempt(tx, attempt, { nextCheckAt: later(now, waitMs) })
    return
  }
  if (kind === 'unknown_outcome' || kind === 'in_progress') {
    await updateAttempt(tx, attempt, { state: 'unknown', nextCheckAt: later(now, RECHECK_MS) })
    return
  }
  await fail(tx, attempt, failed, now)
}

/** The provider refused for good. A payment that it created before refusing is to be ended there. */
async function fail(
  tx: Tx,
  attempt: AttemptRow,
  { connection, error, kind }: FailedStart,
  now: Instant,
): Promise<void> {
  const { tenantId, id: attemptId } = attempt
  const refused = REFUSALS.has(kind)
  const paymentId = error.ref?.paymentId
  const failure = error.decline
    ? failureOf(error.decline)
    : { failureCode: kind, failureKey: refused ? kind : 'provider_error', failureRetry: null }
  const changed = await updateAttempt(tx, attempt, {
    ...failure,
    ...{ state: 'failed', nextCheckAt: null, endedAt: now },
    ...(paymentId && { providerPaymentId: paymentId, cancelWantedAt: now, nextCheckAt: now }),
  })
  if (kind === 'method_gone' && attempt.paymentMethodId) {
    await markMethodGone(tx, { tenantId, id: attempt.paymentMethodId }, now)
  }
  await emitFailure(tx, changed, await invoiceIdsOf(tx, attempt))
  if (refused) return
  const key = { tenantId, gatewayId: connection.row.id }
  if (isCredentialsFault(error)) {
    return recordGatewayCheck(tx, key, { account: null, fault: error.message }, now)
  }
  const data = { ...key, attemptId, message: error.message, code: kind }
  await emit(tx, adminAttention, { tenantId, kind: 'payment_not_started', data })
}

const REFUSALS = new Set<GatewayError['kind']>([
  ...(['declined', 'authentication_required', 'method_gone', 'amount_not_allowed'] as const),
])
