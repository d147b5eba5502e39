import { isId, newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import {
  type AttemptRow,
  findAttempt,
  findByRef,
  invoiceIdsOf,
  lockAttempt,
  updateAttempt,
} from '../attempts/queries.ts'
import { isOver, nextCheck, stateAfter } from '../attempts/rules.ts'
import { adminAttention } from '../events.ts'
import type { GatewayKey } from '../gateways/queries.ts'
import type { PaymentSnapshot } from '../gateways/snapshots.ts'
import { lockInvoices } from '../invoices/queries.ts'
import { storeMethod } from '../methods/actions.ts'
import { insertBreak } from '../reconciliation/queries.ts'
import { bookPayment } from './booking.ts'
import { emitFailure, failureOf } from './failure.ts'

/**
 * The result of applying a snapshot. `booked`: money was booked now; `known`: it was booked before;
 * `noted`: only the attempt's state was stored; `break`: it does not match our request;
 * `unmatched`: it belongs to no attempt of this gateway.
 */
export type Applied = 'booked' | 'known' | 'noted' | 'break' | 'unmatched'

/**
 * Applies a provider's report about a payment: the only place where its money is booked. The return
 * page, webhooks, the sweeper and administrators all call it, in any order and number. A genuine
 * payment of another amount or currency, or for something else, is never booked as this one: it is
 * stored as a break, and an administrator is told.
 */
export async function applyPayment(
  tx: Tx,
  gateway: GatewayKey,
  snapshot: PaymentSnapshot,
  now: Instant,
): Promise<Applied> {
  const found = await attemptOf(tx, gateway, snapshot)
  if (!found) return 'unmatched'
  const invoiceIds = await invoiceIdsOf(tx, found)
  // Everywhere invoices are locked before their attempts, so that no deadlock can occur.
  if (invoiceIds.length > 0) await lockInvoices(tx, found.tenantId, invoiceIds)
  const attempt = await lockAttempt(tx, { tenantId: found.tenantId, attemptId: found.id })
  if (!attempt) return 'unmatched'
  if (snapshot.state === 'paid') return applyPaid(tx, { attempt, invoiceIds }, snapshot, now)
  await noteState(tx, { attempt, invoiceIds }, snapshot, now)
  return 'noted'
}

type Found = { attempt: AttemptRow; invoiceIds: readonly string[] }

async function attemptOf(
  tx: Tx,
  gateway: GatewayKey,
  { ref, correlation }: PaymentSnapshot,
): Promise<AttemptRow | undefined> {
  const attemptId = correlation?.attemptId
  if (attemptId && isId(attemptId)) {
    const named = await findAttempt(tx, { tenantId: gateway.tenantId, attemptId })
    return named?.gatewayId === gateway.gatewayId ? named : undefined
  }
  return ref.checkoutId || ref.paymentId ? findByRef(tx, gateway, ref) : undefined
}

async function applyPaid(
  tx: Tx,
  { attempt, invoiceIds }: Found,
  snapshot: PaymentSnapshot,
  now: Instant,
): Promise<Applied> {
  const { tenantId, userId, gatewayId } = attempt
  const { ref, received, fee, method } = snapshot
  const providerPaymentId = ref.paymentId ?? ref.checkoutId
  const why = misfit({ attempt, invoiceIds }, snapshot)
  if (why || !providerPaymentId || gatewayId === null) {
    await noteBreak(tx, attempt, snapshot, why ?? 'no payment id', now)
    return 'break'
  }
  const booked = await bookPayment(
    tx,
    {
      ...{ tenantId, userId, gatewayId, attemptId: attempt.id, providerPaymentId },
      ...{ receivedCents: received.amountCents, currency: received.currency },
      feeCents: fee?.currency === received.currency ? fee.amountCents : cents(0),
      paidAt: snapshot.paidAt ?? now,
      method: {
        methodKind: method?.kind ?? null,
        methodBrand: method?.brand ?? null,
        methodLast4: method?.last4 ?? null,
        fingerprint: method?.fingerprint ?? null,
        methodCountry: method?.country ?? null,
      },
    },
    invoiceIds,
    now,
  )
  await updateAttempt(tx, attempt, {
    ...refsOf(snapshot),
    ...{ state: 'paid', observedAt: snapshot.observedAt, nextCheckAt: null, endedAt: now },
    ...{ failureCode: null, failureKey: null, failureRetry: null },
  })
  if (method && attempt.saveMethod) {
    await storeMethod(tx, { tenantId, gatewayId, userId }, method, now)
  }
  return booked ? 'booked' : 'known'
}

/** Why a payment does not match the request; null if it matches. */
function misfit(
  { attempt, invoiceIds }: Found,
  { correlation, requested, received }: PaymentSnapshot,
): string | null {
  const { invoiceId, tenantId } = correlation ?? {}
  if (tenantId !== undefined && tenantId !== attempt.tenantId) return 'tenant'
  if (invoiceId !== undefined && !invoiceIds.includes(invoiceId)) return 'invoice'
  if (requested.currency !== attempt.currency) return 'currency'
  if (received.currency !== attempt.currency) return 'currency'
  if (requested.amountCents !== attempt.amountCents) return 'amount'
  if (received.amountCents <= 0) return 'amount'
  return null
}

async function noteBreak(
  tx: Tx,
  attempt: AttemptRow,
  { ref, requested, received, observedAt }: PaymentSnapshot,
  why: string,
  now: Instant,
): Promise<void> {
  const { tenantId, id: attemptId, gatewayId } = attempt
  await updateAttempt(tx, attempt, { observedAt, nextCheckAt: null })
  if (gatewayId === null) return
  const objectId = ref.paymentId ?? ref.checkoutId ?? attemptId
  const details = {
    why,
    attemptId,
    ...{ askedCents: attempt.amountCents, askedCurrency: attempt.currency },
    ...{ requestedCents: requested.amountCents, requestedCurrency: requested.currency },
    ...{ receivedCents: received.amountCents, receivedCurrency: received.currency },
  }
  const kind = 'payment_mismatch'
  const row = { tenantId, id: newId(), gatewayId, kind, objectId, attemptId, createdAt: now }
  const isNew = await insertBreak(tx, { ...row, details })
  if (isNew) await emit(tx, adminAttention, { tenantId, kind, data: { ...details, objectId } })
}

async function noteState(
  tx: Tx,
  { attempt, invoiceIds }: Found,
  snapshot: PaymentSnapshot,
  now: Instant,
): Promise<void> {
  const state = stateAfter(attempt, snapshot)
  const over = isOver({ state })
  const failure = state === 'failed' ? snapshot.failure : undefined
  const changed = await updateAttempt(tx, attempt, {
    ...refsOf(snapshot),
    state,
    observedAt: snapshot.observedAt,
    ...(over
      ? { nextCheckAt: endingAt(attempt), endedAt: attempt.endedAt ?? now }
      : { nextCheckAt: nextCheck({ ...attempt, state }, now) }),
    ...(failure && failureOf(failure)),
  })
  if (state === 'failed' && !isOver(attempt)) {
    await emitFailure(tx, changed, invoiceIds)
  }
}

/** An ended attempt is not checked any more, unless it is still to be ended at the provider. */
function endingAt({ cancelWantedAt, nextCheckAt }: AttemptRow): Instant | null {
  return cancelWantedAt === null ? null : nextCheckAt
}

function refsOf({ ref: { checkoutId, paymentId } }: PaymentSnapshot) {
  return {
    ...(checkoutId && { checkoutId }),
    ...(paymentId && { providerPaymentId: paymentId }),
  }
}
