export { NewGateway } from './gateway-form.tsx'
export { type Gateway, gatewayDrivers } from './gateway-reads.ts'
export { GatewayTestCard, useGatewayTest } from './gateway-test.tsx'
