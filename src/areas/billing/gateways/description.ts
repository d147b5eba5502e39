import { type Static, type TSchema, Type } from 'typebox'
import { Nullable, OneOf, Resource } from '#lib/schema.ts'
import type { GatewayCapabilities, PaymentGateway } from './contract.ts'
import { Capabilities } from './schema.ts'

const DriverField = Type.Object({
  name: Type.String(),
  place: OneOf(['settings', 'secrets'], 'Which object of the gateway takes it'),
  kind: OneOf(['text', 'list']),
  required: Type.Boolean(),
  pattern: Nullable(Type.String({ description: 'For the text, or each list entry' })),
  example: Nullable(Type.String()),
  description: Nullable(Type.String()),
})

export const GatewayDriver = Resource('GatewayDriver', {
  driver: Type.String(),
  capabilities: Capabilities,
  testable: Type.Boolean({ description: 'Whether it has a test mode, in which no money moves' }),
  fields: Type.Array(DriverField, { description: 'Settings of a gateway of it' }),
})
type DriverField = Static<typeof DriverField>
type GatewayDriver = Static<typeof GatewayDriver>

/** Settings that the service creates at the provider itself, so they are not form fields. */
const OWN = new Set(['webhookSecret', 'webhookSecretPrevious'])

/** A driver described for a form: the fields of its settings schemas. */
export function describedDriver({
  driver,
  capabilities,
  settingsSchema,
  secretsSchema,
}: PaymentGateway): GatewayDriver {
  return {
    ...{ driver, capabilities: shownCapabilities(capabilities) },
    testable: capabilities.checkout === 'redirect',
    fields: [...fieldsOf(secretsSchema, 'secrets'), ...fieldsOf(settingsSchema, 'settings')],
  }
}

/** `any` becomes null, because `any` is not a currency code. */
export function shownCapabilities({
  minAmount: _,
  currencies,
  ...rest
}: GatewayCapabilities): Static<typeof Capabilities> {
  return { ...rest, currencies: currencies === 'any' ? null : [...currencies] }
}

type Property = {
  readonly type?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly description?: string
  readonly items?: Property
}

function fieldsOf(schema: TSchema, place: DriverField['place']): DriverField[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Readonly<Record<string, Property>>
    required?: readonly string[]
  }
  return Object.entries(properties)
    .filter(([name]) => !OWN.has(name))
    .map(([name, property]) => ({
      ...{ name, place, required: required.includes(name) },
      kind: property.type === 'array' ? 'list' : 'text',
      pattern: (property.items ?? property).pattern ?? null,
      example: property.examples?.[0] === undefined ? null : String(property.examples[0]),
      description: property.description ?? null,
    }))
}
