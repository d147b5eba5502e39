export { NewGateway } from './gateway-form.tsx'
export { GatewayTestCard, useGatewayTest } from './gateway-test.tsx'
export { type Gateway, gatewayDrivers } from './reads.ts'
