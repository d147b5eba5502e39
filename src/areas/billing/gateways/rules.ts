import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { badGateway, badRequest, type Problem, unprocessable } from '#lib/problem.ts'
import type { PaymentGateway } from './contract.ts'
import { type GatewayError, KeyForOtherMode } from './error.ts'
import type { Mode } from './snapshots.ts'

/** Drivers without real money. */
const TEST_ONLY = new Set(['sandbox', 'sandbox_mollie', 'sandbox_paypal'])
const SHOWN = 4
const SHORTEST_HINTED = 12

/** Throws 422 for a sandbox in live mode, which would pretend to take real money. */
export function assertMode({ driver }: PaymentGateway, mode: Mode): void {
  if (mode === 'live' && TEST_ONLY.has(driver)) {
    throw unprocessable('A sandbox gateway takes no real money: use mode test.', 'test_only')
  }
}

/** Throws 400 naming the field if settings or secrets do not match the driver's schema. */
export function assertFits(schema: TSchema, value: unknown, part: 'settings' | 'secrets'): void {
  const [error] = Value.Errors(schema, value)
  if (!error) return
  const { keyword, instancePath, params } = error
  const named = params as { requiredProperties?: string[]; additionalProperties?: string[] }
  const [name] = named.requiredProperties ?? named.additionalProperties ?? []
  const path = [part, ...instancePath.split('/').filter(Boolean), ...(name ? [name] : [])].join('.')
  const message = MESSAGES[keyword] ?? formOf(schema, instancePath)
  throw badRequest(`${path} ${message}`, [{ path, message }])
}

/** The required form of a text: the example of its schema, otherwise its pattern. */
function formOf(schema: TSchema, instancePath: string): string {
  const wanted = instancePath
    .split('/')
    .filter(Boolean)
    .reduce((it: SchemaNode | undefined, name) => it?.properties?.[name], schema as SchemaNode)
  const [example] = wanted?.examples ?? []
  if (example) return `must look like ${example}`
  return wanted?.pattern
    ? `must match the pattern ${wanted.pattern}`
    : 'does not have the form that this driver expects'
}

type SchemaNode = {
  properties?: Readonly<Record<string, SchemaNode>>
  examples?: readonly string[]
  pattern?: string
}

const MESSAGES: Readonly<Record<string, string>> = {
  required: 'is required',
  additionalProperties: 'is not a known field',
  format: 'must be one line of text with visible characters',
}

/** What may be shown of secrets: that they exist, and how they end. */
export function hintsOf(secrets: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => {
      const end = value.length < SHORTEST_HINTED ? '' : value.slice(-SHOWN)
      return [name, `••••${end}`]
    }),
  )
}

/** The problem shown to the administrator who sets up a gateway, for a failure at the provider. */
export function problemOf(error: GatewayError): Problem {
  if (error instanceof KeyForOtherMode) return unprocessable(error.message, 'gateway_credentials')
  if (error.kind === 'credentials') {
    return unprocessable('The provider does not accept these credentials.', 'gateway_credentials')
  }
  if (error.kind === 'invalid_request' || error.kind === 'unsupported') {
    return unprocessable(error.message, 'gateway_settings')
  }
  return badGateway('The payment provider did not answer. Try again shortly.', 'provider_failed')
}
