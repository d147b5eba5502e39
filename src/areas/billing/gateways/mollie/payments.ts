import { type Instant, instant, later, MINUTE_MS } from '#lib/time.ts'
import type {
  ChargeSavedInput,
  FindByAttemptQuery,
  Keyed,
  StartPaymentInput,
  StartPaymentResult,
} from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { Correlation, PaymentSnapshot, ProviderRef } from '../snapshots.ts'
import { type MollieApi, metadataOf, ownMetadata } from './client.ts'
import { Mandate, Payment } from './schema.ts'
import { amountFor, declineOf, mandateIn, paymentOf } from './snapshots.ts'

// Allowed difference between our clock and Mollie's in a search for what we created.
const CLOCK_SKEW_MS = 10 * MINUTE_MS
const LONGEST_DESCRIPTION = 255

const LOCALES: Readonly<Record<string, string>> = {
  ...{ ca: 'ca_ES', da: 'da_DK', de: 'de_DE', en: 'en_US', es: 'es_ES', fi: 'fi_FI', fr: 'fr_FR' },
  ...{ hu: 'hu_HU', is: 'is_IS', it: 'it_IT', lt: 'lt_LT', lv: 'lv_LV', nb: 'nb_NO', nl: 'nl_NL' },
  ...{ pl: 'pl_PL', pt: 'pt_PT', sv: 'sv_SE' },
}

/** The hosted page's language nearest to a BCP 47 tag. */
export function localeFor(tag: string | undefined): string | undefined {
  return tag && LOCALES[tag.split('-', 1)[0] ?? '']
}

/** Where Mollie reports one payment: only the holder of the token can make us ask. */
function webhookFor({ context }: MollieApi, { attemptId }: Correlation): string {
  const [token] = context.tokenFor(attemptId)
  return `${context.webhookUrl}?${new URLSearchParams({ attempt: attemptId, token })}`
}

/** Opens a hosted page for one amount. A repeated call returns the same page. */
export async function startPayment(
  api: MollieApi,
  input: StartPaymentInput,
): Promise<StartPaymentResult> {
  const { correlation, customerId, saveMethod, idempotencyKey } = input
  if (saveMethod && !customerId) {
    throw new GatewayError('invalid_request', 'A method can only be saved for a customer.')
  }
  const { methods } = api.context.settings
  const locale = localeFor(input.locale)
  const payment = await api.write('POST', 'payments', Payment, {
    idempotencyKey,
    body: {
      amount: amountFor(input.amount),
      description: input.description.slice(0, LONGEST_DESCRIPTION),
      ...{ redirectUrl: input.returnUrl, cancelUrl: input.cancelUrl },
      webhookUrl: webhookFor(api, correlation),
      metadata: metadataOf(correlation),
      ...(locale && { locale }),
      ...(customerId && { customerId }),
      ...(saveMethod && { sequenceType: 'first' }),
      ...(Array.isArray(methods) && { method: methods }),
    },
  })
  const { state, ref } = paymentOf(payment, { observedAt: api.context.now() })
  const url = payment._links.checkout?.href
  if (!url) return { ref, state, next: { kind: 'none' } }
  const { expiresAt } = payment
  const until = expiresAt ? { expiresAt: instant(expiresAt) } : {}
  return { ref, state, next: { kind: 'redirect', url, ...until } }
}

/** A payment with its refunds and chargebacks. Throws `not_found` for ids Mollie does not know. */
export function readPayment(api: MollieApi, id: string): Promise<Payment> {
  return api.read(`payments/${encodeURIComponent(id)}?embed=refunds,chargebacks`, Payment)
}

/** The current state of a payment. */
export async function fetchPayment(api: MollieApi, ref: ProviderRef): Promise<PaymentSnapshot> {
  const observedAt = api.context.now()
  return snapshotOf(api, await readPayment(api, idIn(ref)), observedAt)
}

/** A payment that was read, with the mandate it created. */
export async function snapshotOf(
  api: MollieApi,
  payment: Payment,
  observedAt: Instant,
): Promise<PaymentSnapshot> {
  const { customerId, mandateId, sequenceType } = payment
  const made = sequenceType === 'first' && payment.status === 'paid' && customerId && mandateId
  if (!made) return paymentOf(payment, { observedAt })
  return paymentOf(payment, { mandate: await mandateOf(api, customerId, mandateId), observedAt })
}

async function mandateOf(
  api: MollieApi,
  customerId: string,
  mandateId: string,
): Promise<Mandate | undefined> {
  try {
    return await api.read(`customers/${customerId}/mandates/${mandateId}`, Mandate)
  } catch (error) {
    // The mandate was revoked since, or deleted with its customer: the payment is unchanged.
    if (error instanceof GatewayError && error.kind === 'not_found') return undefined
    throw error
  }
}

/** Mollie's id of a payment, which is the id of its page too. */
export function idIn({ paymentId, checkoutId }: ProviderRef): string {
  const id = paymentId ?? checkoutId
  if (!id) throw new GatewayError('invalid_request', 'Mollie: a payment without an id.')
  return id
}

/** Looks for an attempt's payment among those created since the attempt, newest first. */
export async function findByAttempt(
  api: MollieApi,
  { correlation, customerId, since }: FindByAttemptQuery,
): Promise<PaymentSnapshot | null> {
  const path = customerId ? `customers/${encodeURIComponent(customerId)}/payments` : 'payments'
  const from = later(since, -CLOCK_SKEW_MS)
  let found: Payment | undefined
  for await (const payment of api.list(path, 'payments', Payment)) {
    if (instant(payment.createdAt) < from) break
    if (!isOfAttempt(payment, correlation)) continue
    if (payment.status === 'paid') return fetchPayment(api, { paymentId: payment.id })
    found ??= payment
  }
  return found ? fetchPayment(api, { paymentId: found.id }) : null
}

function isOfAttempt({ metadata }: Payment, { gatewayId, attemptId }: Correlation): boolean {
  const own = ownMetadata(metadata)
  return own.attempt_id === attemptId && own.gateway_id === gatewayId
}

/** Cancels a payment if Mollie allows it, and returns its state: some pages can only expire. */
export async function cancelPayment(
  api: MollieApi,
  ref: ProviderRef,
  { idempotencyKey }: Keyed,
): Promise<PaymentSnapshot> {
  const id = idIn(ref)
  const payment = await readPayment(api, id)
  if (payment.isCancelable) {
    try {
      await api.remove(`payments/${encodeURIComponent(id)}`, idempotencyKey)
    } catch (error) {
      // Paid or ended meanwhile: its state is read below.
      if (!(error instanceof GatewayError) || error.kind !== 'invalid_request') throw error
    }
  }
  return fetchPayment(api, ref)
}

/**
 * Charges a mandate without the customer. Mollie forgets keys after an hour, so first looks for
 * what an earlier call created.
 */
export async function chargeSaved(
  api: MollieApi,
  input: ChargeSavedInput,
): Promise<PaymentSnapshot> {
  const { customerId, mandateId } = mandateIn(input.methodId)
  const { correlation, idempotencyKey } = input
  const earlier = await chargedBefore(api, customerId, correlation)
  if (earlier) return settledOrDeclined(api, earlier)
  const payment = await api.write('POST', 'payments', Payment, {
    idempotencyKey,
    body: {
      amount: amountFor(input.amount),
      description: input.description.slice(0, LONGEST_DESCRIPTION),
      webhookUrl: webhookFor(api, correlation),
      metadata: metadataOf(correlation),
      ...{ sequenceType: 'recurring', customerId, mandateId },
    },
  })
  return settledOrDeclined(api, payment)
}

async function chargedBefore(
  api: MollieApi,
  customerId: string,
  correlation: Correlation,
): Promise<Payment | undefined> {
  const path = `customers/${customerId}/payments`
  for await (const payment of api.list(path, 'payments', Payment)) {
    if (isOfAttempt(payment, correlation)) return payment
  }
  return undefined
}

function settledOrDeclined(api: MollieApi, payment: Payment): PaymentSnapshot {
  const snapshot = paymentOf(payment, { observedAt: api.context.now() })
  if (snapshot.state === 'paid' || snapshot.state === 'processing') return snapshot
  if (snapshot.state === 'open') return { ...snapshot, state: 'processing' }
  const decline = declineOf(payment)
  const kind = decline.retry === 'customer_action' ? 'authentication_required' : 'declined'
  throw new GatewayError(kind, `Mollie: the payment is ${payment.status}.`, {
    decline,
    ref: snapshot.ref,
  })
}
