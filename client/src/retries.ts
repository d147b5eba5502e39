/** How long and how often a request is tried. */
export type Patience = {
  /** How often a request is sent at most, the first time included. Default 4; 1 tries nothing again. */
  readonly tries: number
  /** The longest wait before another try, in ms; an answer that asks for more is handed over. Default 30 s. */
  readonly longestWaitMs: number
  /** Sends a request. Default: the global `fetch`. */
  readonly fetch: (request: Request) => Promise<Response>
}

/** Refused before anything was done. */
const REFUSED = 429
/** The first request with the same key is still running. */
const RUNNING = 409
/** Whoever stands between, or the service itself, cannot serve just now; it may have begun. */
const AWAY = [502, 503, 504]
const FIRST_WAIT_MS = 250

/**
 * A `fetch` that tries again what may be tried again: after 429 every request; after 502, 503, 504, a
 * broken connection, and 409 with `Retry-After`, only one that has no further effect when it is sent
 * twice (a read, PUT, DELETE, or one with an `Idempotency-Key`). It waits as `Retry-After` says, else twice as long
 * each time. An aborted request ends at once.
 */
export function patientFetch(patience: Partial<Patience>): (request: Request) => Promise<Response> {
  const { tries = 4, longestWaitMs = 30_000, fetch: send = globalThis.fetch } = patience
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= tries
      const again = isLast ? request : request.clone()
      const answer = await send(again).catch((error: unknown) => {
        if (isLast || request.signal.aborted || !isRepeatable(request)) throw error
        return null
      })
      if (answer && (isLast || !mayRepeat(request, answer))) return answer
      const waitMs = answer ? waitBefore(answer, attempt) : backoff(attempt)
      if (answer && waitMs > longestWaitMs) return answer
      await answer?.body?.cancel()
      await pause(Math.min(waitMs, longestWaitMs), request.signal)
    }
  }
}

function mayRepeat(request: Request, { status, headers }: Response): boolean {
  if (status === REFUSED) return true
  if (status === RUNNING) return isRepeatable(request) && headers.has('retry-after')
  return AWAY.includes(status) && isRepeatable(request)
}

function isRepeatable({ method, headers }: Request): boolean {
  return ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || headers.has('idempotency-key')
}

/** In ms: what `Retry-After` says in seconds or as a date, else the back-off. */
function waitBefore({ headers }: Response, attempt: number): number {
  const said = headers.get('retry-after')
  if (said === null) return backoff(attempt)
  const seconds = Number(said)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(said) - Date.now()
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : backoff(attempt)
}

/** Half a second, one, two …, by chance up to half as long again, so that many do not come back together. */
function backoff(attempt: number): number {
  return FIRST_WAIT_MS * 2 ** attempt * (1 + Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
