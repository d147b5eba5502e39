export { NewGateway } from './gateway-form.tsx'
export { type Gateway, gatewayDrivers, gateways } from './gateway-reads.ts'
export { GatewayTestCard, useGatewayTest } from './gateway-test.tsx'
