import { isNullable, objectIn, resolve, type Schema, schemaOf } from './document.ts'

/** A resource as it is kept: other resources are named by their ids, never held inside. */
export type Kept<T> = { [K in keyof T]: IdOf<T[K]> }
type IdOf<V> = [Extract<V, string>] extends [never] ? V : Exclude<V, { object: string }>

/** What is known of a resource; the rest follows from its schema. */
export type Known<V> = V extends readonly unknown[]
  ? V
  : V extends object
    ? { [K in keyof V]?: Known<V[K]> | undefined }
    : V

/**
 * Makes a resource whole: each field its schema requires and nobody named becomes null where it may
 * be, else false, 0, an empty list or an empty group. Throws a TypeError for a required text, which
 * only the caller can know.
 */
export function resource<T extends object>(name: string, known: Known<NoInfer<T>>): T {
  return whole(schemaOf(name), known, name) as T
}

function whole(schema: Schema, known: object, name: string): object {
  const result: Record<string, unknown> = {}
  const { properties = {}, required = [] } = schema
  for (const [key, value] of Object.entries(known)) {
    if (value !== undefined) result[key] = inside(properties[key], value, `${name}.${key}`)
  }
  for (const key of required) {
    const field = properties[key]
    if (field && !(key in result)) result[key] = emptyValue(field, `${name}.${key}`)
  }
  return result
}

function inside(schema: Schema | undefined, value: unknown, name: string): unknown {
  if (!schema || !isPlain(value)) return value
  const group = objectIn(schema)
  // A resource inside another one is whole already.
  return group?.properties && !('object' in value) ? whole(group, value, name) : value
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function emptyValue(schema: Schema, name: string): unknown {
  if (isNullable(schema)) return null
  const known = resolve(schema)
  if (known.enum?.length === 1) return known.enum[0]
  switch (known.type) {
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return 0
    case 'array':
      return []
    case 'object':
      return whole(known, {}, name)
    default:
      throw new TypeError(`${name} has no empty value`)
  }
}
