import { cents } from '#lib/money.ts'
import { instant } from '#lib/time.ts'
import type { ChargeSavedInput, GatewayContext } from '../../src/areas/billing/gateways/contract.ts'
import type { Correlation } from '../../src/areas/billing/gateways/snapshots.ts'

export const SECRET_KEY = 'sk_test_4242secret4242'

/** One gateway in test mode, as the core would hand it to a driver. */
export function gatewayContext(changes: Partial<GatewayContext> = {}): GatewayContext {
  return {
    installationId: 'inst-1',
    gatewayId: 'gateway-1',
    mode: 'test',
    settings: {},
    secrets: { secretKey: SECRET_KEY },
    webhookUrl: 'https://shop.example/v1/billing/webhooks/gateway-1',
    tokenFor: (what) => [`token-of-${what}`],
    request: () => Promise.reject(new Error('This test reaches nobody.')),
    now: () => instant(Date.now()),
    signal: new AbortController().signal,
    log: () => undefined,
    ...changes,
  }
}

export function correlation(changes: Partial<Correlation> = {}): Correlation {
  return {
    installationId: 'inst-1',
    tenantId: 'tenant-1',
    gatewayId: 'gateway-1',
    attemptId: 'attempt-1',
    invoiceId: 'invoice-1',
    ...changes,
  }
}

/** A renewal of 12.50 EUR. */
export function chargeInput(changes: Partial<ChargeSavedInput> = {}): ChargeSavedInput {
  return {
    correlation: correlation(),
    idempotencyKey: 'inst-1:charge:attempt-1:1',
    amount: { amountCents: cents(1250), currency: 'EUR' },
    customerId: 'cus_1',
    methodId: 'pm_1',
    description: 'Invoice 1',
    ...changes,
  }
}
