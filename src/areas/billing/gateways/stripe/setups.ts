import type Stripe from 'stripe'
import type { StartSetupInput, StartSetupResult } from '../contract.ts'
import { GatewayError } from '../error.ts'
import type { SetupSnapshot } from '../snapshots.ts'
import { metadataOf, objectOf, type StripeApi } from './client.ts'
import { localeFor } from './locales.ts'
import { allowedMethodTypes, nextStepOf } from './payments.ts'
import { setupOf, unconfirmedSetupOf } from './snapshots.ts'

/**
 * Starts saving a method: on Stripe's page, or with a client secret for a front end that shows
 * Stripe's form. Throws `unsupported` for the latter if no publishable key is set.
 */
export function startSetup(api: StripeApi, input: StartSetupInput): Promise<StartSetupResult> {
  return input.mode === 'embedded' ? startEmbedded(api, input) : startHosted(api, input)
}

async function startHosted(api: StripeApi, input: StartSetupInput): Promise<StartSetupResult> {
  const { correlation, idempotencyKey } = input
  const metadata = metadataOf(correlation)
  const methodTypes = allowedMethodTypes(api)
  const session = await api.write('checkout.session', (sdk) =>
    sdk.checkout.sessions.create(
      {
        mode: 'setup',
        customer: input.customerId,
        currency: input.currency.toLowerCase(),
        client_reference_id: correlation.attemptId,
        metadata,
        setup_intent_data: { metadata },
        success_url: input.returnUrl,
        cancel_url: input.cancelUrl,
        locale: localeFor(input.locale),
        ...methodTypes,
      },
      { idempotencyKey },
    ),
  )
  const { setupId, state } = unconfirmedSetupOf(session, api.context.now())
  return { setupId, state, next: nextStepOf(session) }
}

async function startEmbedded(api: StripeApi, input: StartSetupInput): Promise<StartSetupResult> {
  const { publishableKey } = api.context.settings
  if (typeof publishableKey !== 'string') {
    throw new GatewayError('unsupported', 'An embedded form needs the publishable key in settings.')
  }
  const setup = await api.write('setup_intent', (sdk) =>
    sdk.setupIntents.create(
      {
        customer: input.customerId,
        usage: 'off_session',
        automatic_payment_methods: { enabled: true },
        metadata: metadataOf(input.correlation),
      },
      { idempotencyKey: input.idempotencyKey },
    ),
  )
  const { state } = setupOf(setup, { observedAt: api.context.now() })
  const clientSecret = setup.client_secret
  if (!clientSecret) return { setupId: setup.id, state, next: { kind: 'none' } }
  return { setupId: setup.id, state, next: { kind: 'client_secret', clientSecret, publishableKey } }
}

/** The state of saving a method, by the id from `startSetup` or by the SetupIntent's own. */
export async function fetchSetup(api: StripeApi, setupId: string): Promise<SetupSnapshot> {
  const observedAt = api.context.now()
  if (setupId.startsWith('cs_')) {
    const session = await readSetupSession(api, setupId)
    const setup = objectOf(session.setup_intent)
    return setup ? setupOf(setup, { session, observedAt }) : unconfirmedSetupOf(session, observedAt)
  }
  const setup = await api.read('setup_intent', (sdk) =>
    sdk.setupIntents.retrieve(setupId, { expand: ['payment_method'] }),
  )
  return setupOf(setup, { observedAt })
}

function readSetupSession(api: StripeApi, id: string): Promise<Stripe.Checkout.Session> {
  const expand = ['setup_intent.payment_method']
  return api.read('checkout.session', (sdk) => sdk.checkout.sessions.retrieve(id, { expand }))
}
