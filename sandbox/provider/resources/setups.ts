import type Stripe from 'stripe'
import type { Decline } from '../cards.ts'
import { findCard } from '../cards.ts'
import { invalid, noSuch, ProviderError, refuseParameters, unexpectedState } from '../errors.ts'
import { listOf } from '../list.ts'
import { type Operations, operation } from '../operation.ts'
import { born, mergedMetadata, newId, type Sandbox, unsetEmpty } from '../sandbox.ts'
import { resource } from '../schema/resource.ts'
import type { PaymentMethod, SetupIntent } from '../store.ts'
import {
  clientSecretOf,
  notAuthenticated,
  requireAction,
  wantsAuthentication,
} from './confirmation.ts'
import { findCustomer } from './customers.ts'
import { announce } from './events.ts'
import { assertUsable, attach, declined, findMethod, natureOf } from './methods.ts'

const UNSUPPORTED = ['confirmation_token', 'mandate_data', 'payment_method_data', 'single_use']

/** The setup intent of an id; 404, or 400 naming the parameter, for none. */
export function findSetup({ store }: Sandbox, id: string, param?: string): SetupIntent {
  const intent = store.setupIntents.get(id)
  if (!intent) throw noSuch('setupintent', id, param)
  return intent
}

export type NewSetup = {
  customer: string | null
  description?: string | undefined
  metadata?: Stripe.Emptyable<Stripe.MetadataParam> | undefined
  usage?: string | undefined
  automatic?: boolean
}

/** Writes and announces a setup intent without a method. */
export function newSetup(sandbox: Sandbox, wanted: NewSetup): SetupIntent {
  const { customer, description = null, metadata, usage = 'off_session', automatic } = wanted
  const id = newId('seti')
  const intent = resource<SetupIntent>('SetupIntent', {
    ...born(sandbox),
    id,
    customer,
    description,
    usage,
    automatic_payment_methods: automatic ? { enabled: true, allow_redirects: 'always' } : null,
    client_secret: clientSecretOf(id),
    metadata: mergedMetadata(null, metadata),
    payment_method_options: {},
    payment_method_types: ['card'],
    status: 'requires_payment_method',
  })
  sandbox.store.setupIntents.set(id, intent)
  announce(sandbox, 'setup_intent.created', intent)
  return intent
}

/**
 * Saves a method for later. Throws a 402 with the intent in it when the bank says no; the intent
 * then requires another method.
 */
export function confirmSetup(
  sandbox: Sandbox,
  intent: SetupIntent,
  { method, authenticated = false }: { method: PaymentMethod; authenticated?: boolean },
): void {
  intent.payment_method = method.id
  intent.payment_method_types = [method.type]
  intent.last_setup_error = null
  intent.next_action = null
  const card = findCard(natureOf(sandbox, method).number)
  if (!authenticated && wantsAuthentication(sandbox, method)) {
    requireAction(sandbox, intent)
    announce(sandbox, 'setup_intent.requires_action', intent)
    return
  }
  if (card?.refusesSaving && card.decline) throw failSetup(sandbox, intent, method, card.decline)
  natureOf(sandbox, method).setUp = true
  if (intent.customer) attach(sandbox, method, intent.customer)
  intent.status = 'succeeded'
  announce(sandbox, 'setup_intent.succeeded', intent)
}

function failSetup(
  sandbox: Sandbox,
  intent: SetupIntent,
  method: PaymentMethod,
  decline: Decline,
): ProviderError {
  return refuse(sandbox, intent, declined(decline, { payment_method: structuredClone(method) }))
}

/** The customer did not prove to be there. Gives the 402 to throw. */
export function failSetupAuthentication(sandbox: Sandbox, intent: SetupIntent): ProviderError {
  return refuse(sandbox, intent, notAuthenticated('setup_intent'))
}

function refuse(sandbox: Sandbox, intent: SetupIntent, error: ProviderError): ProviderError {
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.next_action = null
  intent.last_setup_error = resource('SetupIntent.LastSetupError', { ...error.body })
  announce(sandbox, 'setup_intent.setup_failed', intent)
  return new ProviderError(402, { ...error.body, setup_intent: structuredClone(intent) })
}

/** Ends an intent that has saved nothing. */
export function cancelSetup(
  sandbox: Sandbox,
  intent: SetupIntent,
  reason: SetupIntent['cancellation_reason'],
): void {
  intent.status = 'canceled'
  intent.cancellation_reason = reason
  intent.next_action = null
  announce(sandbox, 'setup_intent.canceled', intent)
}

function create(sandbox: Sandbox, params: Stripe.SetupIntentCreateParams): SetupIntent {
  refuseParameters(params, UNSUPPORTED)
  const customer = params.customer ? findCustomer(sandbox, params.customer, 'customer').id : null
  const method = params.payment_method
    ? methodFor(sandbox, params.payment_method, customer)
    : undefined
  const { description, metadata, usage, automatic_payment_methods: automatic } = params
  const intent = newSetup(sandbox, {
    ...{ customer, description, metadata, usage },
    automatic: automatic?.enabled ?? true,
  })
  if (method) setMethod(intent, method)
  return params.confirm ? runConfirm(sandbox, intent, params.return_url) : intent
}

function methodFor(sandbox: Sandbox, id: string, customer: string | null): PaymentMethod {
  const method = findMethod(sandbox, id, 'payment_method')
  assertUsable(sandbox, method)
  if (method.customer && method.customer !== customer) {
    throw invalid('The payment method belongs to another customer.', { param: 'payment_method' })
  }
  return method
}

function setMethod(intent: SetupIntent, method: PaymentMethod): void {
  intent.payment_method = method.id
  if (intent.status === 'requires_payment_method') intent.status = 'requires_confirmation'
}

function runConfirm(sandbox: Sandbox, intent: SetupIntent, returnUrl?: string): SetupIntent {
  if (!intent.payment_method) {
    throw invalid('You cannot confirm this SetupIntent without a payment method.', {
      param: 'payment_method',
      code: 'setup_intent_unexpected_state',
    })
  }
  if (returnUrl) sandbox.store.returnUrls.set(intent.id, returnUrl)
  confirmSetup(sandbox, intent, { method: findMethod(sandbox, intent.payment_method) })
  return intent
}

const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action']

function confirm(
  sandbox: Sandbox,
  params: Stripe.SetupIntentConfirmParams,
  id: string,
): SetupIntent {
  refuseParameters(params, UNSUPPORTED)
  const intent = findOpen(sandbox, id, 'confirm')
  if (params.payment_method) {
    setMethod(intent, methodFor(sandbox, params.payment_method, intent.customer))
  }
  return runConfirm(sandbox, intent, params.return_url)
}

/** 400 for an intent that has ended, or that an open session decides about. */
function findOpen(sandbox: Sandbox, id: string, verb: string): SetupIntent {
  const intent = findSetup(sandbox, id)
  if (!OPEN.includes(intent.status)) throw unexpectedState('setup_intent', intent, verb)
  const { sessions, sessionOfIntent } = sandbox.store
  if (sessions.get(sessionOfIntent.get(id) ?? '')?.status === 'open') {
    throw invalid(`You cannot ${verb} the SetupIntent of an open Checkout Session.`, {
      code: 'setup_intent_unexpected_state',
    })
  }
  return intent
}

function update(sandbox: Sandbox, params: Stripe.SetupIntentUpdateParams, id: string): SetupIntent {
  refuseParameters(params, UNSUPPORTED)
  const intent = findSetup(sandbox, id)
  const customer = params.customer
    ? findCustomer(sandbox, params.customer, 'customer').id
    : intent.customer
  const method = params.payment_method
    ? methodFor(sandbox, params.payment_method, customer)
    : undefined
  Object.assign(intent, unsetEmpty({ description: params.description }), { customer })
  intent.metadata = mergedMetadata(intent.metadata, params.metadata)
  if (method) setMethod(intent, method)
  return intent
}

function cancel(sandbox: Sandbox, params: Stripe.SetupIntentCancelParams, id: string): SetupIntent {
  const intent = findOpen(sandbox, id, 'cancel')
  cancelSetup(sandbox, intent, params.cancellation_reason ?? null)
  return intent
}

function retrieve(
  sandbox: Sandbox,
  { client_secret: secret }: Stripe.SetupIntentRetrieveParams,
  id: string,
): SetupIntent {
  const intent = findSetup(sandbox, id)
  if (secret && secret !== intent.client_secret) throw noSuch('setupintent', id)
  return intent
}

function list({ store }: Sandbox, params: Stripe.SetupIntentListParams): object {
  const { customer, payment_method: method, created } = params
  const rows = [...store.setupIntents.values()].filter(
    (it) => (!customer || it.customer === customer) && (!method || it.payment_method === method),
  )
  return listOf(rows, { url: '/v1/setup_intents', page: params, ...(created && { created }) })
}

export const setupOperations: Operations = {
  'GET /v1/setup_intents': operation(list),
  'POST /v1/setup_intents': operation(create),
  'GET /v1/setup_intents/{intent}': operation(retrieve),
  'POST /v1/setup_intents/{intent}': operation(update),
  'POST /v1/setup_intents/{intent}/confirm': operation(confirm),
  'POST /v1/setup_intents/{intent}/cancel': operation(cancel),
}
