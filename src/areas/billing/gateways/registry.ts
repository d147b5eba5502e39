import { bankTransferGateway } from './bank-transfer/gateway.ts'
import type { PaymentGateway } from './contract.ts'
import { stripeGateway } from './stripe/gateway.ts'

/**
 * Every driver of this installation by its name. `sandbox` is there only where the configuration
 * says where its provider listens.
 */
export function gatewayDrivers({
  sandboxProviderUrl,
}: {
  sandboxProviderUrl: string | null
}): ReadonlyMap<string, PaymentGateway> {
  const drivers = [stripeGateway({ driver: 'stripe' }), bankTransferGateway()]
  if (sandboxProviderUrl !== null) {
    drivers.push(stripeGateway({ driver: 'sandbox', baseUrl: sandboxProviderUrl }))
  }
  return new Map(drivers.map((driver) => [driver.driver, driver]))
}
