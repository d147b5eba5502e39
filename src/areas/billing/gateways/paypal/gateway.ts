import type { AccountSnapshot, GatewayContext, PaymentGateway } from '../contract.ts'
import { GatewayError } from '../error.ts'
import { certificatesFrom } from './certificates.ts'
import { listChanges, observe } from './changes.ts'
import { connect, type PaypalApi, type PaypalTarget } from './client.ts'
import {
  cancelPayment,
  chargeSaved,
  fetchPayment,
  fetchRefunds,
  findByAttempt,
  settlePayment,
  startPayment,
} from './payments.ts'
import { refund } from './refunds.ts'
import { PaypalSecrets, PaypalSettings } from './settings.ts'
import { CURRENCIES, customerIdFor } from './snapshots.ts'
import { listPayments } from './transactions.ts'
import { ensureWebhook, receiveWebhook } from './webhooks.ts'

const API_URLS = {
  live: 'https://api-m.paypal.com',
  test: 'https://api-m.sandbox.paypal.com',
} as const
const CERTIFICATE_ORIGINS = ['https://api.paypal.com', 'https://api.sandbox.paypal.com']

/** `sandbox_paypal` is the same driver for a stand-in without real money. */
export type PaypalOptions =
  | { readonly driver: 'paypal' }
  | {
      readonly driver: 'sandbox_paypal'
      /** From the installation's configuration only; a value from a form could address any host. */
      readonly baseUrl: string
    }

/** The PayPal driver. Throws a TypeError for a base URL that is more than protocol, host and port. */
export function paypalGateway(options: PaypalOptions): PaymentGateway {
  const target = targetOf(options)
  const certificates = certificatesFrom(target.certificateOrigins)
  const api = (c: GatewayContext) => connect(target, c)
  return {
    driver: options.driver,
    settingsSchema: PaypalSettings,
    secretsSchema: PaypalSecrets,
    capabilities: {
      checkout: 'redirect',
      icon: 'wallet',
      saveMethod: 'with-first-payment',
      chargeSaved: true,
      refund: 'full-and-partial',
      portal: false,
      disputes: true,
      webhook: 'signed',
      listChanges: true,
      listPayments: true,
      currencies: CURRENCIES,
    },
    verifyCredentials: async (c) => verifyCredentials(api(c)),
    ensureCustomer: async (c, { userId }) => ({ customerId: customerIdFor(c, userId) }),
    // PayPal knows a customer by our id alone; it stores only the methods, which are detached.
    forgetCustomer: async () => {},
    startPayment: async (c, input) => startPayment(api(c), input),
    settlePayment: async (c, ref) => settlePayment(api(c), ref),
    fetchPayment: async (c, ref) => fetchPayment(api(c), ref),
    findByAttempt: async (c, query) => findByAttempt(api(c), query),
    cancelPayment: async (c, ref) => cancelPayment(api(c), ref),
    listMethods: async () => {
      throw new GatewayError('unsupported', 'PayPal lists no methods by our id of a customer.')
    },
    detachMethod: async (c, methodId) => detachMethod(api(c), methodId),
    chargeSaved: async (c, input) => chargeSaved(api(c), input),
    refund: async (c, input) => refund(api(c), input),
    fetchRefunds: async (c, payment) => fetchRefunds(api(c), payment),
    ensureWebhook: async (c) => ensureWebhook(api(c)),
    receiveWebhook: async (c, request) => receiveWebhook(c, certificates, request),
    observe: async (c, event) => observe(api(c), event),
    async *listChanges(c, since) {
      yield* listChanges(api(c), since)
    },
    async *listPayments(c, since) {
      yield* listPayments(api(c), since)
    },
  }
}

function targetOf(options: PaypalOptions): PaypalTarget {
  const { driver } = options
  const tokens: PaypalTarget['tokens'] = new Map()
  if (driver === 'paypal') {
    const baseUrlFor = (mode: GatewayContext['mode']) => API_URLS[mode]
    return { driver, baseUrlFor, certificateOrigins: CERTIFICATE_ORIGINS, testOnly: false, tokens }
  }
  const { protocol, href, origin } = new URL(options.baseUrl)
  if (!/^https?:$/.test(protocol) || href !== `${origin}/`) {
    throw new TypeError('The stand-in for PayPal is named by protocol, host and port alone.')
  }
  return {
    ...{ driver, baseUrlFor: () => origin, certificateOrigins: [origin], testOnly: true, tokens },
  }
}

/** Asks for the owner of the credentials: PayPal sends the app's id with a token. */
async function verifyCredentials(api: PaypalApi): Promise<AccountSnapshot> {
  // A cached token would prove nothing about credentials that were revoked since.
  api.target.tokens.clear()
  const { appId } = await api.accessToken()
  return { accountId: appId ?? api.context.secrets.clientId ?? '', mode: api.context.mode }
}

/** Succeeds if PayPal no longer has the method, however that was removed. */
async function detachMethod(api: PaypalApi, methodId: string): Promise<void> {
  try {
    await api.send('DELETE', `/v3/vault/payment-tokens/${encodeURIComponent(methodId)}`)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error
  }
}
