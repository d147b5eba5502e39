import type { Schema } from './arbitrary.ts'

/** Where in a body something is: `provisioning.nodeIds.0`. */
export type Place = readonly (string | number)[]

/** The places of a schema's texts that people make up: neither one of a few words nor an id. */
export function textsOf(schema: Schema, place: Place = []): Place[] {
  const options = schema.anyOf ?? []
  if (options.length > 0) return options.flatMap((it) => textsOf(it, place))
  const types = [schema.type].flat()
  const isText = types.includes('string') && !schema.enum && schema.format !== 'uuid'
  const named = Object.entries(schema.properties ?? {})
  const { additionalProperties: others } = schema
  return [
    ...(isText ? [place] : []),
    ...(schema.items ? textsOf(schema.items, [...place, 0]) : []),
    ...named.flatMap(([name, it]) => textsOf(it, [...place, name])),
    ...(typeof others === 'object' ? textsOf(others, [...place, 'A_NAME']) : []),
  ]
}

/** The least that a schema takes, and `value` at a place of it. */
export function typedInto(schema: Schema, [name, ...rest]: Place, value: unknown): unknown {
  const own = schemaFor(schema, name)
  if (name === undefined) return value
  if (typeof name === 'number') return [typedInto(own.items ?? {}, rest, value)]
  const { additionalProperties: others } = own
  const inner = own.properties?.[name] ?? (typeof others === 'object' ? others : {})
  return { ...(leastOf(own) as object), [name]: typedInto(inner, rest, value) }
}

/** What stands at a place of a value. */
export function valueAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((it, name) => (it as Record<string, unknown> | null)?.[name], value)
}

/** The one of several schemas that has a field of this name. */
function schemaFor(schema: Schema, name: string | number | undefined): Schema {
  const has = (it: Schema) => (typeof name === 'number' ? it.items : it.properties || it.items)
  return schema.anyOf?.find((it) => has(it)) ?? schema
}

function leastOf(schema: Schema): unknown {
  const [first] = schema.anyOf ?? []
  if (first) return leastOf(first)
  if (schema.enum) return schema.enum[0]
  const [type] = [schema.type].flat()
  if (type === 'object') {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((name) => [name, leastOf(properties[name] ?? {})]))
  }
  if (type === 'array') return []
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return false
  if (schema.format === 'email') return 'somebody@example.org'
  if (schema.format === 'uri') return 'https://1.1.1.1/'
  if (schema.format === 'date') return '2030-01-01'
  if (schema.format === 'date-time') return '2030-01-01T00:00:00.000Z'
  if (schema.pattern?.includes('[A-Z]{2}')) return 'FR'
  if (schema.pattern?.includes('[A-Z]{3}')) return 'EUR'
  return 'sample'
}
