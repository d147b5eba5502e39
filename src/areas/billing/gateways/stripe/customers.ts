import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { CustomerInput, PortalInput } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { MethodSnapshot } from '../snapshots.ts'
import { everyOf, type StripeApi } from './client.ts'
import { localeFor } from './locales.ts'
import { methodOf } from './snapshots.ts'

/**
 * Creates the customer, or updates the known one. A known one that was deleted at Stripe is
 * replaced, so the returned id may differ from the given one.
 */
export async function ensureCustomer(
  api: StripeApi,
  input: CustomerInput,
  idempotencyKey: string,
): Promise<{ customerId: string }> {
  const { existingCustomerId: existing } = input
  const about = aboutOf(api, input)
  if (existing && (await update(api, existing, about))) return { customerId: existing }
  // Another address, or a deleted predecessor, makes another request, which needs a key of its own.
  // At worst an unused customer without payments remains.
  const digest = createHash('sha256')
    .update(JSON.stringify([existing, about]))
    .digest('hex')
  const customer = await api.write('customer', (sdk) =>
    sdk.customers.create(about, { idempotencyKey: `${idempotencyKey}:${digest.slice(0, 16)}` }),
  )
  return { customerId: customer.id }
}

function aboutOf({ context }: StripeApi, input: CustomerInput) {
  const { userId, email, name, locale, country } = input
  return {
    email,
    ...(name && { name }),
    ...(locale && { preferred_locales: [locale] }),
    ...(country && { address: { country } }),
    metadata: {
      installation_id: context.installationId,
      gateway_id: context.gatewayId,
      user_id: userId,
    },
  } satisfies Stripe.CustomerCreateParams
}

/** Without an idempotency key: repeating it is harmless, and a replay would not set the values. */
async function update(api: StripeApi, customerId: string, about: Stripe.CustomerUpdateParams) {
  try {
    await api.write('customer', (sdk) => sdk.customers.update(customerId, about))
    return true
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'not_found') return false
    throw error
  }
}

/**
 * Deletes a customer and every card saved on it. Payments stay, and can still be refunded. Succeeds
 * if the customer is already deleted.
 */
export async function forgetCustomer(api: StripeApi, customerId: string): Promise<void> {
  try {
    await api.write('customer', (sdk) => sdk.customers.del(customerId))
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error
  }
}

/** The customer's saved methods, newest first. Throws `not_found` for a customer who is gone. */
export async function listMethods(
  api: StripeApi,
  customerId: string,
): Promise<readonly MethodSnapshot[]> {
  const methods = api.list('payment_method', (sdk, page) =>
    sdk.customers.listPaymentMethods(customerId, page),
  )
  return (await everyOf(methods)).map(methodOf)
}

/** Removes a saved method. Succeeds if it is already removed. */
export async function detachMethod(api: StripeApi, methodId: string): Promise<void> {
  try {
    await api.write('payment_method', (sdk) => sdk.paymentMethods.detach(methodId))
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.kind === 'not_found') return
    if (error.kind !== 'invalid_request' && error.kind !== 'wrong_state') throw error
    const method = await api.read('payment_method', (sdk) => sdk.paymentMethods.retrieve(methodId))
    if (method.customer !== null) throw error
  }
}

/** Makes a method the default one in Stripe's portal. */
export async function setDefaultMethod(
  api: StripeApi,
  customerId: string,
  methodId: string,
): Promise<void> {
  await api.write('customer', (sdk) =>
    sdk.customers.update(customerId, { invoice_settings: { default_payment_method: methodId } }),
  )
}

/** Opens Stripe's customer portal. The url is a bearer link. */
export async function createPortalSession(
  api: StripeApi,
  { customerId, returnUrl, locale, section }: PortalInput,
): Promise<{ url: string }> {
  const configuration = await portalConfiguration(api)
  const session = await api.write('billing_portal.session', (sdk) =>
    sdk.billingPortal.sessions.create({
      customer: customerId,
      return_url: returnUrl,
      locale: localeFor(locale),
      configuration,
      ...(section && { flow_data: { type: 'payment_method_update' as const } }),
    }),
  )
  return { url: session.url }
}

/**
 * The portal's configuration for this gateway, created once. Stripe's invoices and subscriptions
 * are left out: they are not ours, and empty.
 */
async function portalConfiguration(api: StripeApi): Promise<string> {
  const { installationId, gatewayId } = api.context
  const configurations = api.list('billing_portal.configuration', (sdk, page) =>
    sdk.billingPortal.configurations.list({ ...page, active: true }),
  )
  for await (const { id, metadata } of configurations) {
    if (metadata?.installation_id === installationId && metadata.gateway_id === gatewayId) return id
  }
  const made = await api.write('billing_portal.configuration', (sdk) =>
    sdk.billingPortal.configurations.create(
      {
        features: {
          payment_method_update: { enabled: true },
          customer_update: { enabled: true, allowed_updates: ['address', 'email', 'tax_id'] },
          invoice_history: { enabled: false },
          subscription_cancel: { enabled: false },
          subscription_update: { enabled: false },
        },
        metadata: { installation_id: installationId, gateway_id: gatewayId },
      },
      { idempotencyKey: `${installationId}:portal:${gatewayId}:1` },
    ),
  )
  return made.id
}
