import { ProviderError } from './errors.ts'
import type { Sandbox } from './sandbox.ts'
import type { Form } from './schema/form.ts'
import type { KeptAnswer } from './store.ts'

const KEPT_MS = 24 * 60 * 60 * 1000
const LONGEST_KEY = 255

type Request = { key: string; method: string; path: string; form: Form; requestId: string }

/**
 * Takes a key for a request. Gives the answer to replay, if the same request was answered before;
 * otherwise the key is taken until `keepAnswer` or `releaseKey`. Throws a 409 while the same
 * request is running, and a 400 when the key belongs to another one.
 */
export function takeKey(sandbox: Sandbox, request: Request): KeptAnswer | undefined {
  const { store, clock } = sandbox
  const { key, requestId } = request
  forgetOldKeys(sandbox)
  if (key.length > LONGEST_KEY) throw keyError(400, `Keys have at most ${LONGEST_KEY} characters.`)
  const fingerprint = fingerprintOf(request)
  const kept = store.answers.get(key)
  if (!kept) {
    store.answers.set(key, { fingerprint, at: clock.now(), status: null, body: '', requestId })
    return undefined
  }
  if (kept.fingerprint !== fingerprint) {
    throw keyError(
      400,
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
        `used with. Try using a key other than '${key}' for a different request.`,
    )
  }
  if (kept.status === null) {
    throw keyError(
      409,
      `There is currently another in-progress request using this key: ${key}`,
      'idempotency_key_in_use',
    )
  }
  return kept
}

function keyError(status: 400 | 409, message: string, code?: string): ProviderError {
  const type = status === 400 ? 'idempotency_error' : 'invalid_request_error'
  return new ProviderError(status, { type, message, ...(code && { code }) })
}

/** Keys are forgotten a day after their first use, by the sandbox's clock. */
function forgetOldKeys({ store, clock }: Sandbox): void {
  for (const [key, { at, status }] of store.answers) {
    // The oldest come first.
    if (at + KEPT_MS > clock.now()) return
    if (status !== null) store.answers.delete(key)
  }
}

/** The same for the same parameters, in whatever order they were sent. */
function fingerprintOf({ method, path, form }: Request): string {
  return `${method} ${path} ${sorted(form)}`
}

function sorted(value: string | Form): string {
  if (typeof value === 'string') return JSON.stringify(value)
  const names = Object.keys(value).sort()
  return `{${names.map((it) => `${JSON.stringify(it)}:${sorted(value[it] ?? '')}`).join()}}`
}

/** Keeps the first answer for every later use of the key, whatever its status. */
export function keepAnswer(
  { store }: Sandbox,
  key: string,
  { status, body }: { status: number; body: string },
): void {
  const kept = store.answers.get(key)
  if (kept) Object.assign(kept, { status, body })
}

/** Frees a key whose request did not begin. */
export function releaseKey({ store }: Sandbox, key: string): void {
  store.answers.delete(key)
}
