import { PanelError, type PanelErrorKind, type RefusedField } from '../panel-error.ts'
import { type Fields, mapOf } from './envelope.ts'

type Answer = { status: number; retryAfterMs: number | undefined; text: string }

/** What a failure means for the connection: the key is refused, the panel is ill, or it is fine. */
export type Verdict = 'denied' | 'ill' | 'alive'

type Failure = { error: PanelError; verdict: Verdict }

/** The only text that proves that an object is missing; an unknown route answers 404 as well. */
const MODEL_NOT_FOUND = 'The requested resource could not be found on the server.'

/** Errors of a machine that does not answer, or answers badly. The panel itself is fine. */
const OF_THE_MACHINE = ['DaemonConnectionException', 'ConnectionException', 'RequestException']

const REFUSALS: Record<string, PanelErrorKind> = {
  NoViableNodeException: 'no_capacity',
  NoViableAllocationException: 'no_allocation',
  TwoFactorAuthRequiredException: 'misconfigured',
  BadRequestHttpException: 'invalid',
  InvalidFilterQuery: 'invalid',
  InvalidSortQuery: 'invalid',
  ServerSubuserExistsException: 'already_exists',
}

/** Fields that are unique on the panel: if they are refused as taken, the object already exists. */
const UNIQUE_FIELDS = ['external_id', 'email', 'username']

/**
 * Makes an error from an unsuccessful answer. An answer that does not come from the panel itself
 * leaves a write's outcome unknown.
 */
export function failureOf({ status, retryAfterMs, text }: Answer, write: boolean): Failure {
  const lost: PanelErrorKind = write ? 'unknown_outcome' : 'unavailable'
  const errors = errorsIn(text)
  const [first] = errors
  if (status >= 300 && status < 400) {
    const detail = `The panel redirects (${status}); check the address, above all http or https.`
    return failure('misconfigured', 'alive', { code: 'redirect', detail })
  }
  if (!first) {
    const detail = `An answer ${status} that is not from the panel's API; a proxy may stand before it.`
    return failure(lost, 'ill', { code: `http_${status}`, detail })
  }
  const { code, detail } = first
  if (OF_THE_MACHINE.includes(code)) {
    return failure(status === 409 ? 'conflict' : lost, 'alive', { code, detail })
  }
  if (status === 401) return failure('unauthorized', 'denied', { code, detail })
  if (status === 403) return failure('forbidden', 'denied', { code, detail })
  if (status === 404) {
    const absent = code === 'NotFoundHttpException' && detail === MODEL_NOT_FOUND
    return failure(absent ? 'not_found' : 'misconfigured', 'alive', { code, detail })
  }
  if (status === 405) return failure('misconfigured', 'alive', { code, detail })
  if (status === 409) return failure('conflict', 'alive', { code, detail })
  if (status === 422) return validationFailure(code, errors)
  if (status === 429) return failure('rate_limited', 'alive', { code, detail, retryAfterMs })
  if (status >= 500 || status < 400) return failure(lost, 'ill', { code, detail })
  const kind = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  return failure(kind ?? 'conflict', 'alive', { code, detail })
}

/** Whether a 404 came from a route that the panel does not have, and not from a missing object. */
export function isUnknownRoute({ kind, failure }: PanelError): boolean {
  return kind === 'misconfigured' && failure.code === 'NotFoundHttpException'
}

/** One sentence for an administrator: what to check. */
export function messageOf(error: PanelError): string {
  const { code, detail } = error.failure
  if (error.kind === 'unauthorized') return 'The panel does not know this key.'
  if (error.kind === 'forbidden') return `The panel refuses this key: ${detail}`
  if (error.kind === 'rate_limited') return 'The panel answers, but is busy: too many requests.'
  if (isUnknownRoute(error)) return 'This panel is not of the chosen type.'
  if (code === 'malformed_answer' || code.startsWith('http_')) {
    return `What answers at this address is not the panel: check the address and proxies. ${detail}`
  }
  return detail
}

function failure(
  kind: PanelErrorKind,
  verdict: Verdict,
  options: ConstructorParameters<typeof PanelError>[1],
): Failure {
  return { error: new PanelError(kind, options), verdict }
}

function validationFailure(code: string, errors: PanelErrorBody[]): Failure {
  const fields = errors.map(({ field, rule, detail }): RefusedField => {
    return { path: field, rule, message: detail }
  })
  const taken = fields.some(({ path, rule }) => rule === 'unique' && UNIQUE_FIELDS.includes(path))
  const detail = fields.map(({ message }) => message).join(' ')
  return failure(taken ? 'already_exists' : 'invalid', 'alive', { code, detail, fields })
}

type PanelErrorBody = { code: string; detail: string; field: string; rule: string }

/** The errors of a body; empty if the body is not in the panel's form. */
function errorsIn(text: string): PanelErrorBody[] {
  try {
    const { errors } = mapOf(JSON.parse(text))
    if (!Array.isArray(errors)) return []
    return errors.map(mapOf).filter(hasCode).map(bodyOf)
  } catch {
    return []
  }
}

function hasCode(error: Fields): boolean {
  return typeof error.code === 'string'
}

function bodyOf({ code, detail, meta }: Fields): PanelErrorBody {
  const { source_field, rule } = mapOf(meta)
  return {
    code: String(code),
    detail: String(detail ?? ''),
    field: String(source_field ?? ''),
    rule: String(rule ?? ''),
  }
}
