import type { AccountSnapshot, GatewayContext, PaymentGateway } from '../contract.ts'
import { GatewayError } from '../error.ts'
import { listChanges, listPayments, observe, receiveWebhook } from './changes.ts'
import { connect, type MollieApi, type MollieTarget } from './client.ts'
import { detachMethod, ensureCustomer, forgetCustomer, listMethods } from './customers.ts'
import {
  cancelPayment,
  chargeSaved,
  fetchPayment,
  findByAttempt,
  startPayment,
} from './payments.ts'
import { fetchRefunds, refund } from './refunds.ts'
import { Profile } from './schema.ts'
import { MollieSecrets, MollieSettings, SandboxMollieSecrets } from './settings.ts'
import { CURRENCIES } from './snapshots.ts'

const API_URL = 'https://api.mollie.com'

/** `sandbox_mollie` is the same driver for a stand-in without real money. */
export type MollieOptions =
  | { readonly driver: 'mollie' }
  | {
      readonly driver: 'sandbox_mollie'
      /** From the installation's configuration only; a value from a form could address any host. */
      readonly baseUrl: string
    }

/** The Mollie driver. Throws a TypeError for a base URL that is more than protocol, host and port. */
export function mollieGateway(options: MollieOptions): PaymentGateway {
  const target = targetOf(options)
  const api = (c: GatewayContext) => connect(target, c)
  return {
    driver: options.driver,
    settingsSchema: MollieSettings,
    secretsSchema: target.testOnly ? SandboxMollieSecrets : MollieSecrets,
    capabilities: {
      checkout: 'redirect',
      icon: 'card',
      saveMethod: 'with-first-payment',
      chargeSaved: true,
      refund: 'full-and-partial',
      portal: false,
      disputes: true,
      webhook: 'ping-then-fetch',
      listChanges: true,
      listPayments: true,
      currencies: CURRENCIES,
    },
    verifyCredentials: async (c) => verifyCredentials(api(c)),
    ensureCustomer: async (c, input, key) => ensureCustomer(api(c), input, key),
    forgetCustomer: async (c, customerId) => forgetCustomer(api(c), customerId),
    startPayment: async (c, input) => startPayment(api(c), input),
    settlePayment: async (c, ref) => fetchPayment(api(c), ref),
    fetchPayment: async (c, ref) => fetchPayment(api(c), ref),
    findByAttempt: async (c, query) => findByAttempt(api(c), query),
    cancelPayment: async (c, ref, key) => cancelPayment(api(c), ref, key),
    listMethods: async (c, customerId) => listMethods(api(c), customerId),
    detachMethod: async (c, methodId) => detachMethod(api(c), methodId),
    chargeSaved: async (c, input) => chargeSaved(api(c), input),
    refund: async (c, input) => refund(api(c), input),
    fetchRefunds: async (c, payment) => fetchRefunds(api(c), payment),
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

function targetOf(options: MollieOptions): MollieTarget {
  if (options.driver === 'mollie') return { driver: 'mollie', baseUrl: API_URL, testOnly: false }
  const { protocol, href, origin } = new URL(options.baseUrl)
  if (!/^https?:$/.test(protocol) || href !== `${origin}/`) {
    throw new TypeError('The stand-in for Mollie is named by protocol, host and port alone.')
  }
  return { driver: 'sandbox_mollie', baseUrl: origin, testOnly: true }
}

/** Asks for the key's owner. Throws `credentials`, and `invalid_request` for a blocked profile. */
async function verifyCredentials(api: MollieApi): Promise<AccountSnapshot> {
  const { id, status } = await api.read('profiles/me', Profile)
  if (status === 'blocked') {
    throw new GatewayError('invalid_request', 'Mollie has blocked this website profile.')
  }
  return { accountId: id, mode: api.context.mode }
}
