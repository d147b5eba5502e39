import { readFileSync } from 'node:fs'

/** The part of JSON Schema that the API description uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: readonly unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  maxLength?: number
  maxProperties?: number
  propertyNames?: Schema
}

type Parameter = { name: string; in: string; schema: Schema }
type Described = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = {
  info: { version: string }
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

const FILE = new URL('../data/openapi-subset.json', import.meta.url)
const document: Document = JSON.parse(readFileSync(FILE, 'utf8'))

/** The version every answer and event speaks unless a webhook endpoint asked for another. */
export const API_VERSION = document.info.version

/** One operation of the API. `route` is its name here: `POST /v1/customers/{customer}`. */
export type ApiOperation = { route: string; method: string; pattern: RegExp; parameters: Schema }

const FORM = 'application/x-www-form-urlencoded'
const NO_PARAMETERS: Schema = { type: 'object', properties: {}, additionalProperties: false }

function parametersOf(described: Described, method: string): Schema {
  if (method !== 'get') return described.requestBody?.content[FORM]?.schema ?? NO_PARAMETERS
  const query = (described.parameters ?? []).filter((it) => it.in === 'query')
  const properties = Object.fromEntries(query.map((it) => [it.name, it.schema]))
  return { type: 'object', properties, additionalProperties: false }
}

/** Every operation the API has, in the order of its description. */
export const operations: readonly ApiOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      route: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`),
      parameters: parametersOf(described, method),
    })),
)

/** The schema a component name stands for. Throws a RangeError for a name the API does not have. */
export function schemaOf(name: string): Schema {
  const schema = document.components.schemas[name]
  if (!schema) throw new RangeError(`The API has no schema ${name}`)
  return schema
}

/** Follows a reference, and an `allOf` of one, to the schema that says something. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref) return resolve(schemaOf(schema.$ref.slice('#/components/schemas/'.length)))
  const only = schema.allOf?.[0]
  return only ? resolve(only) : schema
}

/** Whether `null` is a value of this schema. */
export function isNullable(schema: Schema): boolean {
  const { type, anyOf } = resolve(schema)
  if (anyOf) return anyOf.some(isNullable)
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}

/** The alternative that is an object, where there is one. */
export function objectIn(schema: Schema): Schema | undefined {
  const found = resolve(schema)
  if (found.anyOf) return found.anyOf.map(resolve).find((it) => it.type === 'object')
  return found.type === 'object' ? found : undefined
}
