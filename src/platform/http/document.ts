import type { Area } from '../area.ts'
import { describeHeaders, HEADER_COMPONENTS, headersOf } from './answered-headers.ts'
import {
  type Components,
  isObject,
  type Json,
  shareParameters,
  shareResponses,
  shareSchemas,
} from './components.ts'
import { DESCRIPTIONS } from './index.ts'
import type { RouteFacts } from './openapi.ts'
import { operationIdOf } from './operation-ids.ts'
import { describeParameters, PARAMETERS } from './parameters.ts'
import { SECURITY_SCHEMES, securityOf } from './security.ts'
import { editedAt } from './versions.ts'

/** The groups of the API reference, and what each is about. */
export const TAGS = {
  'Auth & Users':
    'Registration, sign-in, sessions, second factors, API keys, and people’s profiles.',
  Store: 'The catalogue that customers see, and their cart.',
  Billing: 'Orders, invoices, credit notes, payments, payment methods and credit of a customer.',
  Services: 'The game servers of a customer: status, power, renewal, upgrades and sharing.',
  Affiliation: 'Affiliates, their referrals and their commissions.',
  Knowledge: 'Help articles of the shop, their search, and whether they helped.',
  Status: 'Incidents and planned maintenance of the shop, and which of them affect a customer.',
  Support: 'Tickets of a customer: questions to the shop, and its answers.',
  Notifications: 'Notifications in the product, and which of them are sent where.',
  'Admin - RBAC': 'Roles, groups and the permissions of administrators.',
  'Admin - Store & Invoices': 'Catalogue, tax rates, coupons, invoices and reports, for staff.',
  'Admin - Settings & Tenants': 'Tenants, settings and OAuth clients, for staff.',
  'Admin - Audit': 'The log of what staff and customers changed.',
  System: 'Health, metadata of the shop, metrics, and this document.',
  Panel: 'The protocol between a panel and the daemons on its machines.',
  Bot: 'Members and roles of a Discord server, for bots.',
  OIDC: 'Single sign-on with this service as an OpenID Connect provider.',
  'Admin - Operations': 'Services, panel connections, webhooks, mails and failed jobs, for staff.',
  'Admin - Knowledge': 'Help articles: categories, drafts, versions and publication, for staff.',
  'Admin - Incidents':
    'Incidents and planned maintenance, their updates, and who is notified, for staff.',
  'Admin - Support': 'Tickets and departments, for staff.',
  'Admin - Imports': 'Imports of other billing systems.',
} as const

type Operation = Json & {
  operationId?: string
  summary?: string
  description?: string
  parameters?: Json[]
  requestBody?: Json
  responses: Record<string, Json>
}

type Sources = { areas: readonly Area[]; routes: readonly RouteFacts[] }

/**
 * The OpenAPI document, from the schemas of the routes as the plugin collected them, with operation ids,
 * shared components, credentials and headers. Throws if two operations have the same id, or two
 * different schemas the same name.
 */
export function documentOf(collected: object, { areas, routes }: Sources): object {
  const { paths = {}, components = {} } = collected as { paths?: Json; components?: Json }
  const known = new Map(routes.map((route) => [`${route.method} ${pathOf(route.url)}`, route]))
  const schemas = { ...(components.schemas as Components) }
  const responses = { ...RESPONSES }
  const parameters = { ...PARAMETERS }
  const operationsById = new Map<string, Json>()
  const described = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>)
    const entries = operations.flatMap(([method, operation]) => {
      const route = known.get(`${method.toUpperCase()} ${path}`)
      if (!route) return []
      const isEdit = editedAt(route, (url) => known.has(`GET ${pathOf(url)}`)) !== null
      const whole = describeOperation(operation, route, { path, isEdit })
      const { operationId } = whole
      if (operationsById.has(operationId)) throw new Error(`Two operations are ${operationId}`)
      const shared = shareSchemas(whole, schemas) as Operation
      operationsById.set(operationId, shared)
      return [[method, shared]]
    })
    const shown = Object.fromEntries(entries)
    const configOf = (method: string) => known.get(`${method.toUpperCase()} ${path}`)?.config ?? {}
    describeAnswers(shown, configOf)
    return [path, shown]
  })
  shareResponses([...operationsById.values()], responses)
  shareParameters([...operationsById.values()], parameters)
  return {
    ...HEAD,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(described),
    webhooks: shareSchemas(webhooksOf(areas), schemas),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses,
      parameters,
      headers: HEADER_COMPONENTS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const HEAD = {
  openapi: '3.1.0',
  info: {
    title: 'Moorage',
    version: '1.0',
    description: [
      'Billing and administration for people who sell game servers.',
      'Amounts are integers in cents, instants are UTC, ids are UUIDv7. Lists are paginated with `limit` and `cursor`.',
      'Text in the format `line` has no control characters and at least one visible character.',
      'Every error is a `Problem`. Every answer, also a successful one, has the header `X-Request-Id`',
      'and the five `X-RateLimit` headers that the error responses describe.',
    ].join(' '),
    license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
  },
  servers: [{ url: '/', description: 'The shop that serves this document.' }],
}

/** A path in the format of the API document. */
function pathOf(url: string): string {
  return url.replace(/:(\w+)/g, '{$1}')
}

type Place = { path: string; isEdit: boolean }

function describeOperation(
  operation: Operation,
  { method, config }: RouteFacts,
  { path, isEdit }: Place,
) {
  const { parameters = [], requestBody, responses, description } = operation
  const repeatable = isRepeatable(method, config)
  const shown = [
    ...describeParameters(parameters, path),
    ...(repeatable ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isEdit ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ]
  const body = requestBody && describeBody(requestBody)
  const isList = lists(responses)
  return {
    operationId: operation.operationId ?? operationIdOf({ method, path, isList }),
    tags: operation.tags,
    summary: operation.summary,
    ...(description && { description: sentence(description) }),
    ...(operation.deprecated === true && { deprecated: true }),
    security: securityOf(method, config),
    ...(shown.length > 0 && { parameters: shown }),
    ...(body && { requestBody: body }),
    responses: {
      ...describeResponses(responses),
      ...(isEdit && { 412: { $ref: '#/components/responses/E412' } }),
    },
  }
}

/** An operation that can respond with 304, or accepts `If-Match`, has an `ETag`; so has the read of the same path. */
function describeAnswers(
  item: Record<string, Operation>,
  configOf: (method: string) => RouteFacts['config'],
): void {
  const takes = ({ parameters = [] }: Operation, name: string) =>
    parameters.some(({ $ref }) => $ref === `#/components/parameters/${name}`)
  const isVersioned = Object.values(item).some((it) => takes(it, 'IfMatch'))
  for (const [method, operation] of Object.entries(item)) {
    const isRead = method === 'get' && isVersioned
    const hasTag = takes(operation, 'IfMatch') || operation.responses[304] !== undefined || isRead
    const { secretAnswer = false, setsCookie = false } = configOf(method)
    const isKept = takes(operation, 'IdempotencyKey') && !secretAnswer
    describeHeaders(operation.responses, { hasTag, isKept, setsCookie })
  }
}

/** Whether a repetition with the same `Idempotency-Key` gets the first response. */
export function isRepeatable(method: string, { access }: RouteFacts['config']): boolean {
  return method === 'POST' && access !== 'public' && access !== 'daemon'
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** A body is required if it has a required field; an operation without fields has no body. */
function describeBody(body: Json): Json | undefined {
  const media = Object.values(body.content as Record<string, { schema: Json }>)
  const schema = media[0]?.schema ?? {}
  const { properties, required = [], anyOf } = schema
  const isEmpty = schema.type === 'object' && Object.keys((properties ?? {}) as Json).length === 0
  if (isEmpty && schema.additionalProperties === false) return undefined
  const isOptional = isObject(properties) && (required as string[]).length === 0 && !anyOf
  return { ...body, required: !isOptional }
}

/** Errors of every operation, documented once as the default response. */
const OF_ALL: ReadonlySet<string> = new Set([
  '400',
  '401',
  '403',
  '413',
  '415',
  '429',
  '500',
  '503',
])

type Content = Record<string, { schema?: Json }>

function describeResponses(responses: Record<string, Json>): Json {
  const described = Object.entries(responses).map(([status, response]) => {
    const content = response.content as Content | undefined
    const schema = Object.values(content ?? {})[0]?.schema
    if (schema?.$ref === '#/components/schemas/Problem') {
      const shared = OF_ALL.has(status) ? 'default' : status
      return [shared, { $ref: `#/components/responses/${nameOf(shared)}` }]
    }
    const isTold = response.description !== 'Default Response'
    const description = isTold ? response.description : meaningOf(status, schema)
    return [status, { ...response, description }]
  })
  return Object.fromEntries(described)
}

/** The name of the shared response for a status. */
function nameOf(status: string): string {
  return status === 'default' ? 'Error' : `E${status}`
}

function meaningOf(status: string, schema: Json | undefined): string {
  const item = itemOf(schema)
  if (item) return 'A page of the list.'
  if (status === '201') return 'Created.'
  if (status === '202') return 'Accepted; the work is done later.'
  if (status === '204') return 'Done; the answer has no body.'
  return 'OK'
}

function itemOf(schema: Json | undefined): Json | undefined {
  const { data } = (schema?.properties ?? {}) as { data?: { type?: string; items?: Json } }
  return data?.type === 'array' ? (data.items ?? {}) : undefined
}

function lists(responses: Record<string, Json>): boolean {
  const content = responses['200']?.content as Content | undefined
  return itemOf(content?.['application/json']?.schema) !== undefined
}

/** The headers that some errors have besides those of every response. */
const SOMETIMES_WITH: Readonly<Record<string, readonly string[]>> = {
  409: ['Retry-After'],
  default: ['Retry-After', 'WWW-Authenticate'],
}

/** The errors of all operations, by their status. */
const RESPONSES: Components = Object.fromEntries(
  [
    ...Object.entries(DESCRIPTIONS).filter(([status]) => !OF_ALL.has(status)),
    [
      'default',
      'The request failed. 400: it is malformed. 401: its credential is missing or not valid. 403: the credential does not permit it. 413: its body is too large. 415: its body is not JSON. 429: a rate limit is exceeded; wait as long as `Retry-After` says. 500: an unexpected error. 503: the service cannot answer now.',
    ] as const,
  ].map(([status, description]) => [
    nameOf(status),
    {
      description,
      headers: headersOf(SOMETIMES_WITH[status] ?? []),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
)

/** The messages to other systems, as OpenAPI 3.1 describes them: the requests that those systems receive. */
function webhooksOf(areas: readonly Area[]): Json {
  const all = areas.flatMap(({ webhooks = [] }) => webhooks)
  return Object.fromEntries(
    all.map(({ type, description, body }) => {
      const title = `${type.replace(/(^|[._])(\w)/g, (_match, _mark, letter: string) => letter.toUpperCase())}Event`
      const content = { 'application/json': { schema: { ...body, title } } }
      const responses = { '2XX': { description: 'Received; any other answer is retried' } }
      const requestBody = { required: true, content }
      // Receivers check a signature instead of credentials.
      return [type, { post: { summary: description, security: [], requestBody, responses } }]
    }),
  )
}
