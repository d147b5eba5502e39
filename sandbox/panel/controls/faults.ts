import {
  accessDenied,
  daemonUnreachable,
  PanelError,
  serverError,
  tooManyAttempts,
  unauthenticated,
} from '../http/errors.ts'
import type { Arrival } from '../http/gate.ts'
import type { Reply } from '../http/router.ts'

export const FAULT_KINDS = [
  'latency',
  'commit-then-hang',
  'commit-then-hangup',
  'commit-then-500',
  '504-before',
  'html-502',
  '429',
  '401',
  '403',
  'empty-body',
  'truncated-json',
  'wrong-json',
  'conflict-409',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

export type Fault = {
  /** `POST /api/x/{id}`: braces are one segment, a last `*` any rest, `*` alone any method. */
  route: string
  kind: FaultKind
  /** How long an answer waits, of kind `latency`. */
  ms: number
  /** What `Retry-After` says, of kind `429`. */
  retryAfter: number
}

/** What share of all calls goes wrong by chance, and in which ways. */
export type Chaos = { share: number; kinds: readonly FaultKind[]; random: () => number }

/** What will go wrong, in the order it was asked for, or by chance. */
export class Faults {
  #waiting: { fault: Fault; left: number }[] = []
  #chaos: Chaos | null = null

  add(fault: Fault, n: number): void {
    this.#waiting.push({ fault, left: n })
  }

  /** The fault this request meets, which is then used up by one. */
  take(method: string, path: string): Fault | null {
    const index = this.#waiting.findIndex(({ fault }) => meets(fault.route, method, path))
    const entry = this.#waiting[index]
    if (!entry) return this.#byChance(method, path)
    entry.left -= 1
    if (entry.left <= 0) this.#waiting.splice(index, 1)
    return entry.fault
  }

  /** From now on a share of all calls goes wrong, until the faults are called off. */
  unleash(chaos: Chaos): void {
    this.#chaos = chaos
  }

  #byChance(method: string, path: string): Fault | null {
    if (!this.#chaos) return null
    const { share, kinds, random } = this.#chaos
    if (random() >= share) return null
    const kind = kinds[Math.floor(random() * kinds.length)]
    return kind ? { route: `${method} ${path}`, kind, ms: 300, retryAfter: 1 } : null
  }

  get waiting(): (Fault & { left: number })[] {
    return this.#waiting.map(({ fault, left }) => ({ ...fault, left }))
  }

  reset(): void {
    this.#waiting = []
    this.#chaos = null
  }
}

/** The answer in place of the operation, which then never ran; null lets it run. */
export function beforehand({ kind, retryAfter }: Fault, { url }: Arrival): Reply | null {
  switch (kind) {
    case '504-before':
      return errorReply(daemonUnreachable())
    case 'html-502':
      return {
        status: 502,
        headers: { 'content-type': 'text/html', server: 'nginx' },
        body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
      }
    case '429':
      return errorReply(
        tooManyAttempts({ 'retry-after': String(retryAfter), 'x-ratelimit-remaining': '0' }),
      )
    case '401':
      return errorReply(unauthenticated())
    case '403':
      return errorReply(accessDenied())
    case 'conflict-409':
      return errorReply(conflictOn(url.pathname))
    default:
      return null
  }
}

/** What becomes of the answer of an operation that did run. */
export function afterwards({ kind }: Fault, reply: Reply): Reply | 'hang' | 'hang-up' {
  switch (kind) {
    case 'commit-then-hang':
      return 'hang'
    case 'commit-then-hangup':
      return 'hang-up'
    case 'commit-then-500':
      return {
        status: 500,
        headers: reply.headers ?? {},
        body: serverError().body(),
      }
    case 'empty-body':
      return { ...reply, body: '' }
    case 'truncated-json': {
      const text = JSON.stringify(reply.body ?? {})
      return { ...reply, body: text.slice(0, Math.floor(text.length / 2)) }
    }
    case 'wrong-json':
      return { ...reply, status: 200, body: { object: 'maintenance', attributes: {} } }
    default:
      return reply
  }
}

function meets(route: string, method: string, path: string): boolean {
  const [wantedMethod = '*', wantedPath = '*'] = route.trim().split(/\s+/, 2)
  if (wantedMethod !== '*' && wantedMethod.toUpperCase() !== method) return false
  const pattern = wantedPath
    .split(/(\{\w+\}|\*$)/)
    .map((part) => {
      if (part === '*') return '.*'
      return /^\{\w+\}$/.test(part) ? '[^/]+' : part.replace(/[.+?^$()|[\]\\]/g, '\\$&')
    })
    .join('')
  return new RegExp(`^${pattern}$`).test(path)
}

/** Who says 409 depends on the route: the panel itself, the state of a server, or its machine. */
function conflictOn(path: string): PanelError {
  if (path.startsWith('/api/client/')) {
    const detail =
      'This server is currently being transferred to a new machine, please try again later.'
    return new PanelError(409, 'ServerStateConflictException', detail)
  }
  if (path.endsWith('suspend')) {
    const detail =
      'Cannot toggle suspension status on a server that is currently being transferred.'
    return new PanelError(409, 'ConflictHttpException', detail)
  }
  const detail =
    'An error occurred on the remote host: cannot do this while another power action is running. (request id: sandbox)'
  return new PanelError(409, 'DaemonConnectionException', detail)
}

function errorReply(error: PanelError): Reply {
  return { status: error.status, body: error, headers: error.headers }
}
