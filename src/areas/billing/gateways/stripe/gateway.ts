import type { AccountSnapshot, GatewayContext, PaymentGateway } from '../contract.ts'
import { GatewayError } from '../error.ts'
import { leastAmount } from './amounts.ts'
import { chargeSaved } from './charges.ts'
import { connect, modeOfKey, type StripeApi, type StripeTarget } from './client.ts'
import {
  createPortalSession,
  detachMethod,
  ensureCustomer,
  forgetCustomer,
  listMethods,
  setDefaultMethod,
} from './customers.ts'
import { listPayments, observe } from './observe.ts'
import { cancelPayment, fetchPayment, findByAttempt, startPayment } from './payments.ts'
import { fetchRefunds, refund } from './refunds.ts'
import { SandboxSecrets, SandboxSettings, StripeSecrets, StripeSettings } from './settings.ts'
import { fetchSetup, startSetup } from './setups.ts'
import { ensureWebhook, listChanges, receiveWebhook } from './webhooks.ts'

/** `sandbox` is the same driver for a provider with Stripe's protocol and without real money. */
export type StripeOptions =
  | { readonly driver: 'stripe' }
  | {
      readonly driver: 'sandbox'
      /** From the installation's configuration only; a value from a form could address any host. */
      readonly baseUrl: string
    }

/** The Stripe driver. Throws a TypeError for a base URL that is more than protocol, host and port. */
export function stripeGateway(options: StripeOptions): PaymentGateway {
  const target = targetOf(options)
  const api = (c: GatewayContext) => connect(target, c)
  return {
    driver: options.driver,
    settingsSchema: target.testOnly ? SandboxSettings : StripeSettings,
    secretsSchema: target.testOnly ? SandboxSecrets : StripeSecrets,
    capabilities: {
      checkout: 'redirect',
      icon: 'card',
      saveMethod: 'setup',
      chargeSaved: true,
      refund: 'full-and-partial',
      portal: true,
      disputes: true,
      webhook: 'signed',
      listChanges: true,
      listPayments: true,
      currencies: 'any',
      minAmount: leastAmount,
    },
    verifyCredentials: async (c) => verifyCredentials(api(c)),
    ensureCustomer: async (c, input, key) => ensureCustomer(api(c), input, key),
    forgetCustomer: async (c, customerId) => forgetCustomer(api(c), customerId),
    startPayment: async (c, input) => startPayment(api(c), input),
    settlePayment: async (c, ref) => fetchPayment(api(c), ref),
    fetchPayment: async (c, ref) => fetchPayment(api(c), ref),
    findByAttempt: async (c, query) => findByAttempt(api(c), query),
    cancelPayment: async (c, ref, key) => cancelPayment(api(c), ref, key),
    startSetup: async (c, input) => startSetup(api(c), input),
    fetchSetup: async (c, setupId) => fetchSetup(api(c), setupId),
    listMethods: async (c, customerId) => listMethods(api(c), customerId),
    detachMethod: async (c, methodId) => detachMethod(api(c), methodId),
    setDefaultMethod: async (c, customerId, methodId) =>
      setDefaultMethod(api(c), customerId, methodId),
    chargeSaved: async (c, input) => chargeSaved(api(c), input),
    refund: async (c, input) => refund(api(c), input),
    fetchRefunds: async (c, payment) => fetchRefunds(api(c), payment),
    createPortalSession: async (c, input) => createPortalSession(api(c), input),
    ensureWebhook: async (c) => ensureWebhook(api(c)),
    receiveWebhook: async (c, request) => receiveWebhook(c, request),
    observe: async (c, event) => observe(api(c), event),
    async *listChanges(c, since) {
      yield* listChanges(api(c), since)
    },
    async *listPayments(c, since) {
      yield* listPayments(api(c), since)
    },
  }
}

function targetOf(options: StripeOptions): StripeTarget {
  if (options.driver === 'stripe') return { driver: 'stripe', testOnly: false }
  const baseUrl = new URL(options.baseUrl)
  if (!/^https?:$/.test(baseUrl.protocol) || baseUrl.href !== `${baseUrl.origin}/`) {
    throw new TypeError('The sandbox provider is named by protocol, host and port alone.')
  }
  return { driver: 'sandbox', baseUrl, testOnly: true }
}

async function verifyCredentials(api: StripeApi): Promise<AccountSnapshot> {
  const { id, country } = await api.read('account', (sdk) => sdk.accounts.retrieveCurrent())
  const mode = modeOfKey(api.context.secrets.secretKey ?? '')
  if (!mode) throw new GatewayError('credentials', 'The secret key is no secret key.')
  return { accountId: id, mode, ...(country && { country }) }
}
