import fc from 'fast-check'

/** As much of JSON Schema as our own documents use. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
}

/** Values nobody should send, and somebody will. */
const NASTY: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 2 ** 53, -(2 ** 63), '', ' ', 'x', '0', 'null', 'true'],
  ...["' or 1=1--", '; drop table users', '$where', '{{7*7}}', '<img src=x onerror=alert(1)>'],
  ...['__proto__', 'constructor', 'a\r\nBcc: eve@example.org', '=1+1', '\u202ertl', '👩‍💻', 'é'],
  ...['2030-13-45', '0000-00-00', '9999-12-31T23:59:59.999Z', '../../etc/passwd', 'http://[::1]'],
  ...[[], {}, [[]], [null], { a: 1 }, 'x'.repeat(70_000)],
]

const nasty = fc.constantFrom(...NASTY)

/** Values that fit a schema, or nearly: about one in three parts is something else entirely. */
export function valueFor(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const fitting = fittingFor(schema, depth)
  return fc.oneof(
    { arbitrary: fitting, weight: depth === 0 ? 8 : 2 },
    { arbitrary: nasty, weight: 1 },
  )
}

function fittingFor(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const options = schema.anyOf ?? schema.allOf
  if (options) return fc.oneof(...options.map((it) => valueFor(it, depth + 1)))
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, depth)))
}

function ofType(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textFor(schema)
    case 'integer':
    case 'number': {
      const { minimum = -1000, maximum = 100_000 } = schema
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.max(minimum, maximum)) })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, depth + 1), { maxLength: 3 })
    default:
      return objectFor(schema, depth)
  }
}

function objectFor({ properties = {}, required = [] }: Schema, depth: number) {
  const parts = Object.fromEntries(
    Object.entries(properties).map(([name, it]) => [name, valueFor(it, depth + 1)]),
  )
  const known = fc.record(parts, { requiredKeys: required.filter((name) => name in parts) })
  const extra = fc.constantFrom('role', 'tenantId', 'totalCents', 'isAdmin', 'constructor')
  return fc.oneof(
    { arbitrary: known, weight: 6 },
    {
      arbitrary: fc
        .tuple(known, extra, nasty)
        .map(([value, name, odd]) => ({ ...value, [name]: odd })),
      weight: 1,
    },
  )
}

function textFor({ format, pattern, minLength = 0, maxLength = 50 }: Schema): fc.Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.uuid({ version: 7 })
    case 'email':
      return fc.emailAddress()
    case 'uri':
      return fc.webUrl()
    case 'date':
      return fc.constantFrom('2026-01-01', '2031-12-31')
    case 'date-time':
      return fc.constantFrom('2026-01-01T00:00:00Z', '2031-12-31T23:59:59.999Z')
  }
  if (pattern?.includes('[A-Z]{2}')) return fc.constantFrom('FR', 'DE', 'US', 'ZZ')
  if (pattern?.includes('[A-Z]{3}')) return fc.constantFrom('EUR', 'JPY', 'XXX')
  return fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'grapheme' })
}

/** What a path parameter may be: mostly ids of nothing, sometimes anything. */
export const pathValue = fc.oneof(
  { arbitrary: fc.uuid({ version: 7 }), weight: 3 },
  {
    arbitrary: fc.constantFrom(
      ...[
        'x',
        '0',
        '-1',
        '%00',
        '%ED%A0%80',
        '..%2F..',
        'constructor',
        '__proto__',
        'a'.repeat(600),
      ],
      ...[encodeURIComponent("' or 1=1--"), '00000000-0000-0000-0000-000000000000'],
    ),
    weight: 2,
  },
)
