import { type Components, isObject, type Json } from './components.ts'

/** A header of responses in the API document: its component's name, its meaning, and its type. */
type Header = { readonly name: string; readonly text: string; readonly type: 'integer' | 'string' }

/** The headers of every response. Their components have short names, because every response refers to them. */
const ALWAYS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    name: 'RequestId',
    text: 'The id of the request: the one that the caller sent, or a new one.',
    type: 'string',
  },
  'X-RateLimit-Limit': {
    name: 'Limit',
    text: 'Requests that this caller may send in a minute.',
    type: 'integer',
  },
  'X-RateLimit-Remaining': {
    name: 'Remaining',
    text: 'Requests that are left in this minute.',
    type: 'integer',
  },
  'X-RateLimit-Reset': {
    name: 'Reset',
    text: 'Seconds until the quotas are renewed.',
    type: 'integer',
  },
  'X-RateLimit-Limit-Auth': {
    name: 'LimitAuth',
    text: 'Attempts to authenticate that this network may make in a minute.',
    type: 'integer',
  },
  'X-RateLimit-Remaining-Auth': {
    name: 'RemainingAuth',
    text: 'Attempts to authenticate that are left in this minute.',
    type: 'integer',
  },
}

/** The headers that some responses have. */
const SOMETIMES: Readonly<Record<string, Header>> = {
  'Retry-After': {
    name: 'RetryAfter',
    text: 'Seconds to wait before the request is sent again.',
    type: 'integer',
  },
  ETag: {
    name: 'ETag',
    text: 'The version of the representation, for `If-Match` and `If-None-Match`.',
    type: 'string',
  },
  'Idempotency-Replayed': {
    name: 'Replayed',
    text: '`true` on the repeated answer to a request with the same `Idempotency-Key`.',
    type: 'string',
  },
  'Content-Disposition': {
    name: 'Disposition',
    text: 'The name of the file.',
    type: 'string',
  },
  Location: {
    name: 'Location',
    text: 'The address to which the browser goes next.',
    type: 'string',
  },
  'WWW-Authenticate': {
    name: 'Authenticate',
    text: 'With 401: the kind of credential that is missing or not valid.',
    type: 'string',
  },
  'Set-Cookie': {
    name: 'SetCookie',
    text: 'The session of a browser that asked for one with `transport: cookie`.',
    type: 'string',
  },
}

const HEADERS = { ...ALWAYS, ...SOMETIMES }

/** The headers of responses as components of the document. */
export const HEADER_COMPONENTS: Components = Object.fromEntries(
  Object.entries(HEADERS).map(([header, { name, text, type }]) => [
    name,
    { description: text, ...(header in ALWAYS && { required: true }), schema: { type } },
  ]),
)

/** The headers of a response: those of every response, and the given ones. Throws for a name without a description. */
export function headersOf(others: readonly string[]): Json {
  return Object.fromEntries(
    [...Object.keys(ALWAYS), ...new Set(others)].map((header) => {
      const known = HEADERS[header]
      if (!known) throw new Error(`The header ${header} is not described`)
      return [header, { $ref: `#/components/headers/${known.name}` }]
    }),
  )
}

const FILES = new Set(['text/csv', 'application/pdf', 'application/xml', 'application/zip'])

/** The facts about an operation on which the headers of its responses depend. */
type Facts = {
  /** Whether its response has a version. */
  readonly hasTag: boolean
  /** Whether its response is stored for requests with the same `Idempotency-Key`. */
  readonly isKept: boolean
  /** Whether it sets or removes the session cookie. */
  readonly setsCookie: boolean
}

/** Describes the headers of each response of an operation. What the route itself declares is kept. */
export function describeHeaders(
  responses: Record<string, Json>,
  { hasTag, isKept, setsCookie }: Facts,
): void {
  for (const [status, response] of Object.entries(responses)) {
    if (response.$ref) continue
    const types = Object.keys(isObject(response.content) ? response.content : {})
    response.headers = headersOf([
      ...Object.keys(isObject(response.headers) ? response.headers : {}),
      ...(hasTag && (status === '200' || status === '304') ? ['ETag'] : []),
      ...(isKept ? ['Idempotency-Replayed'] : []),
      ...(types.some((it) => FILES.has(it)) ? ['Content-Disposition'] : []),
      ...(status === '303' ? ['Location'] : []),
      ...(setsCookie ? ['Set-Cookie'] : []),
    ])
  }
}
