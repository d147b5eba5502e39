import type { Deliveries } from './delivery.ts'
import { runDue } from './due.ts'
import { type ErrorBody, envelope, ProviderError } from './errors.ts'
import { expanded } from './expand.ts'
import type { Fault, Faults } from './faults.ts'
import { type Answer, json, wait } from './http.ts'
import { keepAnswer, releaseKey, takeKey } from './idempotency.ts'
import type { Journal } from './journal.ts'
import { allOperations } from './operations.ts'
import { randomText, type Sandbox } from './sandbox.ts'
import { API_VERSION, type ApiOperation, operations } from './schema/document.ts'
import { decodeForm, type Form } from './schema/form.ts'
import { readParameters } from './schema/parameters.ts'

export type ApiParts = {
  sandbox: Sandbox
  deliveries: Deliveries
  faults: Faults
  journal: Journal
}

export type ApiRequest = {
  method: string
  path: string
  /** The query of a GET or DELETE, the body of a POST, still encoded. */
  text: string
  headers: { authorization?: string; key?: string; version?: string; type?: string }
}

type Result = { status: number; body: object }
type Found = { operation: ApiOperation; id: string }
type Context = ApiParts & {
  request: ApiRequest
  found: Found
  form: Form
  requestId: string
  fault: Fault | undefined
}

/** Answers one request to the API; null closes the connection without an answer. */
export async function answerApi(parts: ApiParts, request: ApiRequest): Promise<Answer | null> {
  const { sandbox, journal } = parts
  const requestId = `req_${randomText(14)}`
  const found = find(request)
  const fault = found && parts.faults.take(found.operation.route)
  let form: Form = {}
  let outcome: Outcome
  try {
    assertKey(sandbox, request)
    if (!found) throw unknownRoute(request)
    form = decodeForm(textOf(request))
    const context = { ...parts, request, found, form, requestId, fault }
    outcome = await answerWithFault(context)
  } catch (error) {
    outcome = { ...refusal(sandbox, error, requestId), replayed: false }
  }
  journal.write({
    id: requestId,
    at: sandbox.clock.seconds(),
    method: request.method,
    path: request.path,
    route: found?.operation.route ?? null,
    params: form,
    idempotencyKey: request.headers.key ?? null,
    replayed: outcome?.replayed ?? false,
    fault: fault?.kind ?? null,
    status: outcome?.status ?? 0,
    body: outcome?.body ?? '',
  })
  return outcome && withHeaders(outcome, request, requestId)
}

type Outcome = { status: number; body: string; replayed: boolean; retry?: boolean } | null

function find({ method, path }: ApiRequest): Found | undefined {
  for (const operation of operations) {
    const match = operation.method === method ? operation.pattern.exec(path) : null
    if (match) return { operation, id: match[1] ?? '' }
  }
  return undefined
}

/** 401 without one of the account's secret keys, as bearer or as the user of basic. */
function assertKey({ keys }: Sandbox, { headers: { authorization = '' } }: ApiRequest): void {
  const [scheme = '', value = ''] = authorization.split(' ')
  const basic = scheme.toLowerCase() === 'basic'
  const key = basic ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '') : value
  if (keys.secretKeys.includes(key)) return
  const message = key
    ? `Invalid API Key provided: ${key.slice(0, 8)}****`
    : 'You did not provide an API key. Provide it in the Authorization header, as Bearer.'
  throw new ProviderError(401, { type: 'invalid_request_error', message })
}

function unknownRoute({ method, path }: ApiRequest): ProviderError {
  const message = `Unrecognized request URL (${method}: ${path}). The sandbox does not have it.`
  return new ProviderError(404, { type: 'invalid_request_error', message })
}

function textOf({ method, text, headers: { type = '' } }: ApiRequest): string {
  if (method !== 'POST' || text === '' || type.startsWith('application/x-www-form-urlencoded')) {
    return text
  }
  const message = 'Send parameters as application/x-www-form-urlencoded.'
  throw new ProviderError(400, { type: 'invalid_request_error', message })
}

async function answerWithFault(context: Context): Promise<Outcome> {
  const { fault } = context
  switch (fault?.kind) {
    case '500-before':
      throw new ProviderError(500, BROKEN)
    case '429':
      throw new ProviderError(429, RATE_LIMIT)
    case '409':
      throw new ProviderError(409, LOCK_TIMEOUT)
    case 'no-error-key':
      return { status: 404, body: '{"message":"no such host"}', replayed: false }
    case 'timeout-before':
      await wait(fault.ms)
      return null
  }
  const outcome = await answerOnce(context)
  if (fault?.kind === 'html-after') return { status: 200, body: PAGE, replayed: false }
  if (fault?.kind === 'empty-after') return { status: 200, body: '{}', replayed: false }
  if (fault?.kind !== 'timeout-after') return outcome
  await wait(fault.ms)
  return null
}

/** What something in between says in the place of an answer. */
const PAGE = '<html><body>Back soon</body></html>'
const BROKEN: ErrorBody = {
  type: 'api_error',
  message: 'An unknown error occurred (a fault that was asked for).',
}
const RATE_LIMIT: ErrorBody = {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message: 'Request rate limit exceeded.',
}
const LOCK_TIMEOUT: ErrorBody = {
  type: 'invalid_request_error',
  code: 'lock_timeout',
  message: 'This object cannot be accessed right now because another request is using it.',
}

/** Does the operation, or replays its answer when the key has one. */
async function answerOnce(context: Context): Promise<Outcome> {
  const { sandbox, request, found, form, requestId } = context
  const { method, path } = request
  const key = method === 'POST' ? request.headers.key : undefined
  if (!key) return { ...printed(await run(context, readAll(found, form))), replayed: false }
  const kept = takeKey(sandbox, { key, method, path, form, requestId })
  if (kept) return { status: kept.status ?? 500, body: kept.body, replayed: true }
  try {
    const answer = printed(await run(context, readAll(found, form)))
    keepAnswer(sandbox, key, answer)
    return { ...answer, replayed: false }
  } catch (error) {
    // What was wrong before the operation began is not kept: a corrected request may come.
    releaseKey(sandbox, key)
    throw error
  }
}

type Read = { params: object; expand: string[] }

function readAll({ operation }: Found, form: Form): Read {
  const { expand = [], ...params } = readParameters(operation.parameters, form) as {
    expand?: string[]
  }
  return { params, expand }
}

/** Runs the operation in one piece, so that no other request sees half of it, then sends events. */
async function run(context: Context, { params, expand }: Read): Promise<Result> {
  const { sandbox, deliveries, request, found, requestId, fault } = context
  if (fault?.kind === 'slow') await wait(fault.ms)
  runDue(sandbox)
  sandbox.request = { id: requestId, idempotency_key: request.headers.key ?? null }
  let result: Result
  try {
    const run = allOperations[found.operation.route]
    if (!run) throw unknownRoute(request)
    result = { status: 200, body: expanded(sandbox, run(sandbox, params, found.id), expand) }
  } catch (error) {
    result = problem(sandbox, error, requestId)
  } finally {
    sandbox.request = null
  }
  await deliveries.dispatch()
  return fault?.kind === '500-after'
    ? problem(sandbox, new ProviderError(500, BROKEN), requestId)
    : result
}

function problem(sandbox: Sandbox, error: unknown, requestId: string): Result {
  if (!(error instanceof ProviderError)) console.error(error)
  const known =
    error instanceof ProviderError
      ? error
      : new ProviderError(500, { type: 'api_error', message: 'The sandbox itself has failed.' })
  return { status: known.status, body: envelope(known.body, sandbox.publicUrl, requestId) }
}

function refusal(sandbox: Sandbox, error: unknown, requestId: string) {
  return printed(problem(sandbox, error, requestId))
}

function printed({ status, body }: Result): { status: number; body: string } {
  return { status, body: JSON.stringify(body, null, 2) }
}

function withHeaders(
  { status, body, replayed }: NonNullable<Outcome>,
  { headers: { key, version = API_VERSION } }: ApiRequest,
  requestId: string,
): Answer {
  return {
    ...json(status, null, {
      'request-id': requestId,
      'stripe-version': version,
      ...(key && { 'idempotency-key': key }),
      ...(replayed && { 'idempotent-replayed': 'true' }),
    }),
    body,
  }
}
