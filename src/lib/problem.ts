import { STATUS_CODES } from 'node:http'
import { type FieldFault, faultText } from './field-faults/index.ts'
import type { ProblemCode } from './problem-codes.ts'
import { type ProblemLanguage, problemMessage } from './problem-messages/index.ts'

/**
 * One invalid field of a request. `path` is the field's name, dotted; empty for the whole body. `message` is English;
 * a detail with a `fault` is translated for the caller. `code` is for programs, if a field can fail in several ways.
 */
export type Detail = { path: string; message: string; code?: string; fault?: NamedFault }

/** A fault, and the name by which people know the field; without one, the sentence continues after the path. */
type NamedFault = FieldFault & { readonly name?: string }

/** A detail whose message exists in each language. */
export function detail(path: string, fault: NamedFault): Detail {
  return { path, message: messageOf(fault, 'en'), fault }
}

/** A detail with its message in a language. */
export function detailIn(
  language: ProblemLanguage,
  { path, message, code, fault }: Detail,
): Detail {
  const told = fault ? messageOf(fault, language) : message
  return { path, message: told, ...(code !== undefined && { code }) }
}

function messageOf(fault: NamedFault, language: ProblemLanguage): string {
  const text = faultText(fault, language)
  return fault.name === undefined ? text : `${fault.name} ${text}.`
}

type Options = {
  code?: ProblemCode
  details?: Detail[]
  headers?: Record<string, string>
  alternatives?: readonly string[]
}

/** The only error whose text a caller may see; everything else becomes a 500 without its text. */
export class Problem extends Error {
  readonly statusCode: number
  readonly code: ProblemCode
  readonly details: Detail[] | undefined
  readonly headers: Record<string, string>
  /** What would be accepted instead, by slug. */
  readonly alternatives: readonly string[] | undefined

  constructor(
    statusCode: number,
    message: string,
    { code, details, headers = {}, alternatives }: Options = {},
  ) {
    super(message)
    this.name = 'Problem'
    this.statusCode = statusCode
    this.code = code ?? codeOf(statusCode)
    this.details = details
    this.headers = headers
    this.alternatives = alternatives
  }

  /** The message for a reader, in their language. */
  messageIn(language: ProblemLanguage): string {
    return problemMessage(this.code, language, this.message)
  }

  detailsIn(language: ProblemLanguage): Detail[] | undefined {
    return this.details?.map((it) => detailIn(language, it))
  }

  /** The response body for a caller. */
  bodyIn(language: ProblemLanguage): ProblemBody {
    const details = this.detailsIn(language)
    return {
      statusCode: this.statusCode,
      error: STATUS_CODES[this.statusCode] ?? 'Error',
      message: this.messageIn(language),
      code: this.code,
      ...(details && { details }),
      ...(this.alternatives && { alternatives: this.alternatives }),
    }
  }

  toJSON(): ProblemBody {
    return this.bodyIn('en')
  }
}

export type ProblemBody = {
  statusCode: number
  error: string
  message: string
  code: ProblemCode
  details?: Detail[]
  alternatives?: readonly string[]
}

/** The code of an error that has none of its own. */
function codeOf(statusCode: number): ProblemCode {
  return CODES[statusCode] ?? (statusCode < 500 ? 'invalid_request' : 'internal_error')
}

const CODES: Readonly<Record<number, ProblemCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  412: 'changed_meanwhile',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  431: 'headers_too_large',
  502: 'upstream_failed',
  503: 'service_unavailable',
  504: 'panel_timeout',
}

/** 400: the request is malformed. */
export function badRequest(message: string, details?: Detail[], code?: ProblemCode): Problem {
  return new Problem(400, message, { ...(details && { details }), ...(code && { code }) })
}

/** 400: the cursor is malformed, or of another list. */
export function invalidCursor(): Problem {
  return badRequest('The cursor is not valid for this list.', undefined, 'invalid_cursor')
}

/** 401: no credential, or one that is not valid. */
export function unauthorized(message = 'A valid credential is required.'): Problem {
  return new Problem(401, message, { headers: { 'www-authenticate': 'Bearer' } })
}

/** 403: a known caller without the permission. */
export function forbidden(message = 'You may not do this.', code?: ProblemCode): Problem {
  return new Problem(403, message, code ? { code } : {})
}

/** 404: no such object for this caller. `what` is the object's name: `Service`. */
export function notFound(what: string): Problem {
  return new Problem(404, `${what} not found.`)
}

/** 409: the state of the object does not allow this now. */
export function conflict(message: string, code?: ProblemCode): Problem {
  return new Problem(409, message, code ? { code } : {})
}

/** 410: it existed, and has expired or been used. */
export function gone(message: string): Problem {
  return new Problem(410, message)
}

/** 412: the object does not have the version in `If-Match`. */
export function changedMeanwhile(): Problem {
  return new Problem(412, 'The object has changed since you read it. Read it again.')
}

/** 422: well-formed, but a business rule does not allow it. */
export function unprocessable(message: string, code: ProblemCode, details?: Detail[]): Problem {
  return new Problem(422, message, details ? { code, details } : { code })
}

/** 429: a quota is used up. */
export function tooManyRequests(retryAfterSeconds: number): Problem {
  return new Problem(429, 'Too many requests. Try again later.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}

/** 502: the payment provider or the game panel failed. */
export function badGateway(message: string, code?: ProblemCode): Problem {
  return new Problem(502, message, code ? { code } : {})
}

/** 503: this service cannot serve now. */
export function unavailable(message: string): Problem {
  return new Problem(503, message, { headers: { 'retry-after': '5' } })
}
