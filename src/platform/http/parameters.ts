import { isObject, type Json } from './components.ts'

/** Parameters that many operations share. */
export const PARAMETERS: Record<string, Json> = {
  Limit: {
    ...{ in: 'query', name: 'limit' },
    description: 'How many entries a page has at most.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  },
  Cursor: {
    ...{ in: 'query', name: 'cursor' },
    description: '`nextCursor` of the previous page. Without it, the first page is returned.',
    schema: { type: 'string', maxLength: 500 },
  },
  IdempotencyKey: {
    ...{ in: 'header', name: 'Idempotency-Key' },
    description:
      'A key of the caller for this request, for example a UUID. A repetition with the same key and body within 24 hours returns the first answer and changes nothing.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    ...{ in: 'header', name: 'If-Match' },
    description:
      'The `ETag` of the representation that the change is based on. If the object has changed since, the answer is 412 and nothing changes.',
    schema: { type: 'string' },
  },
}

/** Descriptions of parameters whose schema has none. */
const MEANINGS: Record<string, string> = {
  from: 'The first day or instant of the period.',
  to: 'The end of the period.',
  status: 'Only entries with this status.',
  state: 'Only entries in this state.',
  kind: 'Only entries of this kind.',
  type: 'Only entries of this type.',
  method: 'Only requests with this HTTP method.',
  recipient: 'Only mails to this address.',
  number: 'The number of a document.',
  evidenceConflict: 'Only invoices whose pieces of evidence of the customer’s country disagree.',
  sha256: 'The SHA-256 hash of the picture. With it, the answer may be cached for a long time.',
  action: 'Only entries with this action.',
  archived: 'Whether archived entries are returned instead of the others.',
  code: 'The code of the coupon.',
  disputed: 'Only entries with a disputed payment.',
  limit: 'How many entries are returned at most.',
  overdue: 'Only overdue entries.',
  priority: 'Only entries with this priority.',
  role: 'Only services in which the caller has this role.',
  suspendReason: 'Only services suspended for this reason.',
  version: 'The version, if not the current one.',
  error: 'Why the provider refused.',
  provider: 'The name of the provider.',
  token: 'The token of the link.',
  idOrSlug: 'The id or the slug of the product.',
  uuid: 'The UUID that the panel uses.',
  response_mode: 'How the answer is returned; only `query` is supported.',
  'last-event-id': 'The id of the last event that was received.',
}

const SHARED: Record<string, string> = { limit: 'Limit', cursor: 'Cursor', 'if-match': 'IfMatch' }

/**
 * The parameters of an operation, each with a description: those of lists become references, and an
 * id names its object.
 */
export function describeParameters(parameters: readonly Json[], path: string): Json[] {
  return parameters.map((parameter) => {
    const { name, description } = parameter as { name: string; description?: string }
    const shared = PARAMETERS[SHARED[name] ?? '']
    if (shared && (parameter.in === 'header' || isPlain(parameter, shared))) {
      return { $ref: `#/components/parameters/${SHARED[name]}` }
    }
    const isId = description === undefined || description === 'UUIDv7'
    const { required, ...rest } = parameter
    return {
      ...rest,
      // If `required` is missing, it is false.
      ...(required === true && { required }),
      description: isId ? meaningOf(parameter, path) : description,
    }
  })
}

function isPlain(parameter: Json, shared: Json): boolean {
  const [own, theirs] = [parameter.schema, shared.schema]
  return (
    parameter.in === 'query' &&
    isObject(own) &&
    isObject(theirs) &&
    own.maximum === theirs.maximum &&
    own.default === theirs.default &&
    own.maxLength === theirs.maxLength &&
    own.pattern === undefined
  )
}

function meaningOf(parameter: Json, path: string): string {
  const { name, in: place } = parameter as { name: string; in: string }
  if (MEANINGS[name]) return MEANINGS[name]
  if (name === 'locale') return `The language of the ${place === 'path' ? 'text' : 'answer'}.`
  const words = name === 'id' ? nounBefore(path) : name.replace(/Id$/, '')
  const noun = words.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
  if (place === 'path') return `The id of the ${noun}.`
  return name.endsWith('Id') ? `Only entries of the ${noun} with this id.` : `The ${noun}.`
}

/** The object of `{id}` in a path: `tax rate` for `/v1/admin/tax-rates/{id}`. */
function nounBefore(path: string): string {
  const parts = path.split('/')
  const plural = (parts[parts.indexOf('{id}') - 1] ?? 'object').replaceAll('-', ' ')
  return plural
    .replace(/ies$/, 'y')
    .replace(/(ch|ss)es$/, '$1')
    .replace(/s$/, '')
}
