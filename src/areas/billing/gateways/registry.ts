import { bankTransferGateway } from './bank-transfer/gateway.ts'
import type { PaymentGateway } from './contract.ts'
import { mollieGateway } from './mollie/gateway.ts'
import { paypalGateway } from './paypal/gateway.ts'
import { stripeGateway } from './stripe/gateway.ts'

/**
 * Every driver of this installation by its name. The sandboxes exist only if the configuration
 * contains the addresses of their providers.
 */
export function gatewayDrivers({
  sandboxProviderUrl,
  sandboxMollieUrl,
  sandboxPaypalUrl,
}: {
  sandboxProviderUrl: string | null
  sandboxMollieUrl: string | null
  sandboxPaypalUrl: string | null
}): ReadonlyMap<string, PaymentGateway> {
  const drivers = [
    stripeGateway({ driver: 'stripe' }),
    mollieGateway({ driver: 'mollie' }),
    paypalGateway({ driver: 'paypal' }),
    bankTransferGateway(),
  ]
  if (sandboxProviderUrl !== null) {
    drivers.push(stripeGateway({ driver: 'sandbox', baseUrl: sandboxProviderUrl }))
  }
  if (sandboxMollieUrl !== null) {
    drivers.push(mollieGateway({ driver: 'sandbox_mollie', baseUrl: sandboxMollieUrl }))
  }
  if (sandboxPaypalUrl !== null) {
    drivers.push(paypalGateway({ driver: 'sandbox_paypal', baseUrl: sandboxPaypalUrl }))
  }
  return new Map(drivers.map((driver) => [driver.driver, driver]))
}
