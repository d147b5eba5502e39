import { invalid } from './errors.ts'

/** What can go wrong on purpose; `before` and `after` say whether the operation is done. */
export const FAULT_KINDS = [
  '500-before',
  '500-after',
  'timeout-before',
  'timeout-after',
  '429',
  '409',
  'no-error-key',
  'html-after',
  'empty-after',
  'slow',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

/**
 * `route` is `POST /v1/refunds`, with names in braces for ids, or `POST *` or `*`. `left` counts
 * down. `ms` is how long a slow answer waits, or a timeout holds the connection before it closes.
 */
export type Fault = { route: string; kind: FaultKind; left: number; ms: number }

export type Faults = {
  add(fault: Fault): void
  /** The fault for this request, if one is set; it counts as used. */
  take(route: string): Fault | undefined
  list(): readonly Fault[]
  clear(): void
}

export function noFaults(): Faults {
  let faults: Fault[] = []
  return {
    add: (fault) => faults.push(fault),
    take(route) {
      const fault = faults.find((it) => matches(it.route, route))
      if (!fault) return undefined
      fault.left -= 1
      if (fault.left <= 0) faults = faults.filter((it) => it !== fault)
      return fault
    },
    list: () => faults,
    clear() {
      faults = []
    },
  }
}

function matches(wanted: string, route: string): boolean {
  if (!wanted.endsWith('*')) return wanted === route
  return route.startsWith(wanted.slice(0, -1))
}

const DEFAULT_MS = 1000

/** A fault from a control's body. 400 for a kind or route that does not exist. */
export function readFault(body: Record<string, unknown>, routes: readonly string[]): Fault {
  const { route = '*', n = 1, ms = DEFAULT_MS } = body
  const kind = FAULT_KINDS.find((it) => it === body.kind)
  if (!kind) throw invalid(`kind must be one of ${FAULT_KINDS.join(', ')}`, { param: 'kind' })
  if (typeof route !== 'string' || !routes.some((it) => matches(route, it))) {
    throw invalid('route must be like "POST /v1/customers/{customer}", or end in *', {
      param: 'route',
    })
  }
  if (!isCount(n) || n === 0) throw invalid('n must be a whole number from 1', { param: 'n' })
  if (!isCount(ms)) throw invalid('ms must be a whole number', { param: 'ms' })
  return { route, kind, left: n, ms }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
