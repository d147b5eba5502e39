import { isDeepStrictEqual } from 'node:util'

/** A part of a JSON document. */
export type Json = Record<string, unknown>

/** Named schemas, parameters and responses of the document. */
export type Components = Record<string, Json>

/**
 * Replaces every schema that has a `title` with a reference to the component of this name, and fills
 * `components` with them. A schema that may be null too becomes a choice of the component and null. Throws
 * if two different schemas have the same title.
 */
export function shareSchemas(value: unknown, components: Components): unknown {
  if (Array.isArray(value)) return value.map((it) => shareSchemas(it, components))
  if (!isObject(value)) return value
  const inner = Object.fromEntries(
    Object.entries('in' in value ? withoutTitle(value) : value).map(([key, it]) => [
      key,
      DATA.has(key) ? it : shareSchemas(it, components),
    ]),
  )
  // The description of the document contains this once.
  if (inner.format === 'uuid' && inner.description === 'UUIDv7') delete inner.description
  const { title } = inner
  if (typeof title !== 'string' || !('type' in inner || 'anyOf' in inner)) return inner
  if (!/^[A-Z]\w*$/.test(title)) throw new Error(`${title} cannot be the name of a component`)
  const isNullable = Array.isArray(inner.type) && inner.type.includes('null')
  const { title: _, ...schema } = isNullable ? withoutNull(inner) : inner
  const known = components[title]
  if (known && !isDeepStrictEqual(known, schema)) {
    throw new Error(`Two different schemas are called ${title}`)
  }
  components[title] = schema
  const reference = { $ref: `#/components/schemas/${title}` }
  return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference
}

/**
 * Replaces the responses that several operations share with references to a component named after their
 * schema, and fills `components` with them.
 */
export function shareResponses(operations: readonly Json[], components: Components): void {
  const all = operations.flatMap(({ responses }) => Object.entries(responses as Components))
  const texts = new Map<string, number>()
  for (const [, response] of all) {
    const text = JSON.stringify(response)
    texts.set(text, (texts.get(text) ?? 0) + 1)
  }
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses as Components)) {
      const text = JSON.stringify(response)
      const name = nameOfResponse(response)
      if (!name || (texts.get(text) ?? 0) < 2) continue
      const known = components[name]
      if (known && JSON.stringify(known) !== text) continue
      components[name] = response
      Object.assign(responses as Components, {
        [status]: { $ref: `#/components/responses/${name}` },
      })
    }
  }
}

/**
 * Replaces the path ids and query parameters that several operations share with references to a component
 * named after the object, `ServiceId`, or the parameter, `StatusQuery`, and fills `components` with them.
 */
export function shareParameters(operations: readonly Json[], components: Components): void {
  const lists = operations.map(({ parameters = [] }) => parameters as Json[])
  const texts = Map.groupBy(lists.flat(), (it) => JSON.stringify(it))
  for (const list of lists) {
    for (const [index, parameter] of list.entries()) {
      const text = JSON.stringify(parameter)
      const name = nameOfParameter(parameter)
      if (!name || (texts.get(text)?.length ?? 0) < 2) continue
      const known = components[name]
      if (known && JSON.stringify(known) !== text) continue
      components[name] = parameter
      list[index] = { $ref: `#/components/parameters/${name}` }
    }
  }
}

function nameOfParameter({ in: place, name, description }: Json): string | null {
  if (place === 'query' && typeof name === 'string' && /^[a-z][A-Za-z0-9]*$/.test(name)) {
    return `${name[0]?.toUpperCase()}${name.slice(1)}Query`
  }
  if (place === 'path' && name === 'uuid') return 'Uuid'
  if (place === 'path' && name === 'locale') return 'Locale'
  const [, noun] = /^The id of the ([a-z ]+)\.$/.exec(String(description)) ?? []
  if (place !== 'path' || !noun) return null
  return `${noun.replace(/(?:^| )(\w)/g, (_match, letter: string) => letter.toUpperCase())}Id`
}

type Body = { schema?: { $ref?: string; properties?: { data?: { items?: { $ref?: string } } } } }

function nameOfResponse({ content, description, $ref }: Json): string | null {
  if ($ref) return null
  if (!content) return 'NoContent'
  const { schema } = (content as Record<string, Body>)['application/json'] ?? {}
  const item = schema?.properties?.data?.items?.$ref
  const name = (schema?.$ref ?? item)?.split('/').at(-1)
  if (name) return `${name}${item ? 'Page' : ''}`
  // Responses that are not objects of ours, such as files, are named after their description.
  const [, words] = /^(?:The )?([A-Za-z]+ [a-z]+|document)$/.exec(String(description)) ?? []
  return words
    ? words.replace(/(?:^| )(\w)/g, (_match, letter: string) => letter.toUpperCase())
    : null
}

/** Parts of a schema that contain values, not schemas. */
const DATA = new Set(['default', 'enum', 'const', 'example', 'examples', 'required'])

/** A parameter without the title of its schema: its description was taken from there, and it is shared as a whole. */
function withoutTitle(parameter: Json): Json {
  if (!isObject(parameter.schema)) return parameter
  const { title: _, ...schema } = parameter.schema
  return { ...parameter, schema }
}

function withoutNull(schema: Json): Json {
  const types = (schema.type as string[]).filter((it) => it !== 'null')
  return { ...schema, type: types.length === 1 ? types[0] : types }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
