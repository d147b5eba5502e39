import { isId, newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { unprocessable } from '#lib/problem.ts'
import { type Instant, later, SECOND_MS } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { spendAttempt } from '../attempts/allowance.ts'
import type { PreparedPayment } from '../attempts/prepare.ts'
import {
  type AttemptRow,
  findAttempt,
  findByRef,
  insertAttempt,
  lockAttempt,
  updateAttempt,
} from '../attempts/queries.ts'
import { isOver, nextCheck } from '../attempts/rules.ts'
import { takesCurrency } from '../gateways/amounts.ts'
import type { GatewayCapabilities } from '../gateways/contract.ts'
import type { GatewayKey, GatewayRow } from '../gateways/queries.ts'
import type { SetupSnapshot } from '../gateways/snapshots.ts'
import { emitFailure, failureOf } from '../payments/failure.ts'
import { checkedReturnUrl } from '../return-url.ts'
import { storeMethod } from './actions.ts'

const FIRST_CHECK_MS = 20 * SECOND_MS

export type NewSetup = {
  readonly gateway: GatewayRow
  readonly currency: string
  readonly embedded: boolean
  readonly returnUrl: string | undefined
}

/** Stores that a customer wants to save a method, before the provider is called. */
export async function prepareSetup(
  tx: Tx,
  payer: { tenantId: string; userId: string },
  { gateway, currency, embedded, ...wanted }: NewSetup,
  now: Instant,
): Promise<PreparedPayment> {
  const returnUrl = await checkedReturnUrl(tx, payer.tenantId, {
    wanted: wanted.returnUrl,
    page: '/payment',
  })
  await spendAttempt(tx, payer, now)
  const { id } = await insertAttempt(
    tx,
    {
      ...{ tenantId: payer.tenantId, userId: payer.userId, id: newId() },
      ...{ gatewayId: gateway.id, purpose: 'setup', amountCents: cents(0), currency },
      ...{ embedded, returnUrl, state: 'created', createdAt: now },
      nextCheckAt: later(now, FIRST_CHECK_MS),
    },
    [],
  )
  return { tenantId: payer.tenantId, attemptId: id }
}

/** Throws 422 if no gateway can save a method in this currency, or only together with a payment. */
export function chooseSetupGateway(
  usable: readonly GatewayRow[],
  savingOf: (row: GatewayRow) => GatewayCapabilities['saveMethod'],
  { gatewayId, currency }: { gatewayId: string | undefined; currency: string },
): GatewayRow {
  const asked = usable.filter(({ id }) => gatewayId === undefined || id === gatewayId)
  const wanted = asked.filter(({ driver }) => takesCurrency(driver, currency))
  if (asked.length > 0 && wanted.length === 0) {
    const message = `No payment method for ${currency} can be saved here.`
    throw unprocessable(message, 'currency_unsupported')
  }
  const chosen = wanted.find((row) => savingOf(row) === 'setup')
  if (!chosen && wanted.some((row) => savingOf(row) === 'with-first-payment')) {
    const how = 'Pay with savePaymentMethod instead: this method is saved while paying.'
    throw unprocessable(how, 'saved_with_payment')
  }
  if (!chosen) throw unprocessable('No payment method can be saved here.', 'gateway_unavailable')
  return chosen
}

/**
 * Applies a provider's report about saving a method: stores the method once it is saved. Returns
 * false if no attempt of this gateway belongs to it.
 */
export async function applySetup(
  tx: Tx,
  gateway: GatewayKey,
  snapshot: SetupSnapshot,
  now: Instant,
): Promise<boolean> {
  const found = await attemptOf(tx, gateway, snapshot)
  if (!found) return false
  const { tenantId, id: attemptId, userId } = found
  const attempt = await lockAttempt(tx, { tenantId, attemptId })
  if (attempt?.purpose !== 'setup') return false
  const { state, method, failure, observedAt } = snapshot
  if (state === 'succeeded') {
    if (method) await storeMethod(tx, { ...gateway, userId }, method, now)
    await updateAttempt(tx, attempt, { state: 'paid', observedAt, nextCheckAt: null, endedAt: now })
    return true
  }
  if (isOver(attempt) || (attempt.observedAt !== null && observedAt < attempt.observedAt))
    return true
  const over = isOver({ state })
  const changed = await updateAttempt(tx, attempt, {
    ...{ state, observedAt },
    ...(over ? { nextCheckAt: null, endedAt: now } : { nextCheckAt: nextCheck(attempt, now) }),
    ...(failure && state === 'failed' && failureOf(failure)),
  })
  if (state === 'failed') await emitFailure(tx, changed, [])
  return true
}

async function attemptOf(
  tx: Tx,
  gateway: GatewayKey,
  { setupId, correlation }: SetupSnapshot,
): Promise<AttemptRow | undefined> {
  const attemptId = correlation?.attemptId
  if (attemptId && isId(attemptId)) {
    const named = await findAttempt(tx, { tenantId: gateway.tenantId, attemptId })
    return named?.gatewayId === gateway.gatewayId ? named : undefined
  }
  return findByRef(tx, gateway, { checkoutId: setupId })
}
