import type Stripe from 'stripe'
import { invalid, noSuch, refuseParameters } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, randomText, type Sandbox } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { PortalConfiguration, PortalSession } from '../store.ts'
import { findCustomer } from './customers.ts'
import { announce } from './events.ts'

type Wanted = Stripe.BillingPortal.ConfigurationCreateParams.Features
type Features = PortalConfiguration['features']

function createConfiguration(
  sandbox: Sandbox,
  params: Stripe.BillingPortal.ConfigurationCreateParams,
): PortalConfiguration {
  const profile = params.business_profile
  const configuration = resource<PortalConfiguration>('BillingPortal.Configuration', {
    ...born(sandbox),
    id: newId('bpc'),
    active: true,
    business_profile: {
      headline: profile?.headline || null,
      privacy_policy_url: profile?.privacy_policy_url ?? null,
      terms_of_service_url: profile?.terms_of_service_url ?? null,
    },
    default_return_url: params.default_return_url || null,
    features: featuresOf(params.features),
    metadata: mergedMetadata(null, params.metadata),
    name: params.name || null,
    updated: sandbox.clock.seconds(),
  })
  sandbox.store.portalConfigurations.set(configuration.id, configuration)
  announce(sandbox, 'billing_portal.configuration.created', configuration)
  return configuration
}

/** The features the sandbox has; those of subscriptions stay off, as there are none. */
function featuresOf(wanted: Wanted): Features {
  for (const name of [
    'subscription_cancel',
    'subscription_pause',
    'subscription_update',
  ] as const) {
    const param = `features[${name}]`
    if (wanted[name]?.enabled) throw invalid('The sandbox has no subscriptions.', { param })
  }
  return resource<Features>('BillingPortal.Configuration.Features', {
    customer_update: {
      enabled: wanted.customer_update?.enabled ?? false,
      allowed_updates: wanted.customer_update?.allowed_updates || [],
    },
    invoice_history: { enabled: wanted.invoice_history?.enabled ?? false },
    payment_method_update: { enabled: wanted.payment_method_update?.enabled ?? false },
    subscription_cancel: { mode: 'at_period_end', proration_behavior: 'none' },
    subscription_pause: { duration: { type: 'indefinite' } },
    subscription_update: { proration_behavior: 'none', trial_update_behavior: 'end_trial' },
  })
}

function findConfiguration({ store }: Sandbox, id: string, param?: string): PortalConfiguration {
  const configuration = store.portalConfigurations.get(id)
  if (!configuration) throw noSuch('configuration', id, param)
  return configuration
}

function retrieveConfiguration(sandbox: Sandbox, _params: object, id: string): PortalConfiguration {
  return findConfiguration(sandbox, id)
}

function updateConfiguration(
  sandbox: Sandbox,
  params: Stripe.BillingPortal.ConfigurationUpdateParams,
  id: string,
): PortalConfiguration {
  const configuration = findConfiguration(sandbox, id)
  const { features } = configuration
  const { customer_update: customer, payment_method_update: method } = params.features ?? {}
  const { allowed_updates: allowed } = customer ?? {}
  if (customer?.enabled !== undefined) features.customer_update.enabled = customer.enabled
  if (allowed !== undefined) features.customer_update.allowed_updates = allowed || []
  if (method?.enabled !== undefined) features.payment_method_update.enabled = method.enabled
  const history = params.features?.invoice_history
  if (history) features.invoice_history.enabled = history.enabled
  if (params.active !== undefined) configuration.active = params.active
  if (params.default_return_url !== undefined) {
    configuration.default_return_url = params.default_return_url || null
  }
  configuration.metadata = mergedMetadata(configuration.metadata, params.metadata)
  configuration.updated = sandbox.clock.seconds()
  announce(sandbox, 'billing_portal.configuration.updated', configuration)
  return configuration
}

function listConfigurations(
  { store }: Sandbox,
  params: Stripe.BillingPortal.ConfigurationListParams,
): object {
  const { active, is_default: isDefault } = params
  const rows = [...store.portalConfigurations.values()].filter(
    (it) =>
      (active === undefined || it.active === active) &&
      (isDefault === undefined || it.is_default === isDefault),
  )
  return listOf(rows, { url: '/v1/billing_portal/configurations', page: params })
}

function createSession(
  sandbox: Sandbox,
  params: Stripe.BillingPortal.SessionCreateParams,
): PortalSession {
  refuseParameters(params, ['customer_account', 'on_behalf_of'])
  // The page shows the payment methods first, which is where this one flow leads.
  if (params.flow_data && params.flow_data.type !== 'payment_method_update') {
    throw invalid('The sandbox has no such flow.', { param: 'flow_data[type]' })
  }
  if (!params.customer) {
    throw invalid('Missing required param: customer.', {
      param: 'customer',
      code: 'parameter_missing',
    })
  }
  const customer = findCustomer(sandbox, params.customer, 'customer')
  const configuration = configurationFor(sandbox, params.configuration)
  const session = resource<PortalSession>('BillingPortal.Session', {
    ...born(sandbox),
    id: newId('bps'),
    configuration: configuration.id,
    customer: customer.id,
    locale: params.locale ?? null,
    return_url: params.return_url ?? configuration.default_return_url,
    url: `${sandbox.publicUrl}/p/session/${randomText(32)}`,
  })
  sandbox.store.portalSessions.set(session.id, session)
  announce(sandbox, 'billing_portal.session.created', session)
  return session
}

/** The account has no settings saved by hand, so a configuration must be named. */
function configurationFor(sandbox: Sandbox, id: string | undefined): PortalConfiguration {
  if (!id) {
    throw invalid(
      "You can't create a portal session in test mode until you save your customer portal " +
        'settings, or pass a configuration.',
      { param: 'configuration' },
    )
  }
  const configuration = findConfiguration(sandbox, id, 'configuration')
  if (configuration.active) return configuration
  throw invalid('This configuration is not active.', { param: 'configuration' })
}

export const portalOperations: Operations = {
  'POST /v1/billing_portal/sessions': operation(createSession),
  'GET /v1/billing_portal/configurations': operation(listConfigurations),
  'POST /v1/billing_portal/configurations': operation(createConfiguration),
  'GET /v1/billing_portal/configurations/{configuration}': operation(retrieveConfiguration),
  'POST /v1/billing_portal/configurations/{configuration}': operation(updateConfiguration),
}
