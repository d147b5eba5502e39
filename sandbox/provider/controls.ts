import type { ApiParts } from './api.ts'
import type { ClockState } from './clock.ts'
import { controlDelivery, listDeliveries, settleDeliveries } from './controls-delivery.ts'
import {
  authenticateIntent,
  changeMethod,
  changeRefund,
  completeSession,
  createRefund,
  endDispute,
  expireNow,
  settleIntent,
  startDispute,
} from './controls-objects.ts'
import { runDue } from './due.ts'
import { invalid } from './errors.ts'
import { readFault } from './faults.ts'
import { operations } from './schema/document.ts'
import { emptyStore, type PackedStore, packStore, unpackStore } from './store.ts'

export type Body = Record<string, unknown>
/** `ids` are the parts of the path in parentheses. */
export type ControlCall = { body: Body; ids: string[]; query: URLSearchParams }
export type Control = (parts: ApiParts, call: ControlCall) => object | Promise<object>

const CONTROLS: readonly [string, RegExp, Control][] = [
  ['GET', /^clock$/, (parts) => clockOf(parts)],
  ['POST', /^clock$/, moveClock],
  ['POST', /^reset$/, reset],
  ['GET', /^snapshot$/, (parts) => storeSnapshot(parts)],
  ['POST', /^restore$/, restore],
  ['POST', /^checkout-sessions\/([^/]+)\/complete$/, completeSession],
  ['POST', /^checkout-sessions\/([^/]+)\/expire$/, expireNow],
  ['POST', /^payment-intents\/([^/]+)\/settle$/, settleIntent],
  ['POST', /^(?:payment|setup)-intents\/([^/]+)\/authenticate$/, authenticateIntent],
  ['POST', /^disputes$/, startDispute],
  ['POST', /^disputes\/([^/]+)\/(close|escalate)$/, endDispute],
  ['POST', /^refunds$/, createRefund],
  ['POST', /^refunds\/([^/]+)\/(fail|succeed|require-action)$/, changeRefund],
  ['POST', /^payment-methods\/([^/]+)\/(detach|expire)$/, changeMethod],
  ['POST', /^delivery$/, controlDelivery],
  ['GET', /^deliveries$/, listDeliveries],
  ['POST', /^deliveries\/settle$/, settleDeliveries],
  ['GET', /^faults$/, ({ faults }) => ({ faults: faults.list() })],
  ['POST', /^faults$/, addFault],
  ['DELETE', /^faults$/, clearFaults],
  ['GET', /^journal$/, readJournal],
  ['DELETE', /^journal$/, clearJournal],
]

/** The control of an address below `/_sandbox/`, if there is one. */
export function findControl(
  method: string,
  path: string,
): { run: Control; ids: string[] } | undefined {
  for (const [wanted, pattern, run] of CONTROLS) {
    const match = wanted === method ? pattern.exec(path) : null
    if (match) return { run, ids: match.slice(1) }
  }
  return undefined
}

function clockOf({ sandbox: { clock } }: ApiParts): object {
  return { now: clock.seconds(), frozen: clock.save().frozenAt !== null }
}

/** `{ advanceSeconds?, freeze? }`: what becomes due is done before the answer. */
function moveClock(parts: ApiParts, { body }: ControlCall): object {
  const { sandbox } = parts
  const { advanceSeconds: seconds = 0, freeze } = body
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) {
    throw invalid('advanceSeconds must be a number from 0', { param: 'advanceSeconds' })
  }
  if (freeze !== undefined && typeof freeze !== 'boolean') {
    throw invalid('freeze must be true or false', { param: 'freeze' })
  }
  if (freeze !== undefined) sandbox.clock.freeze(freeze)
  sandbox.clock.advance(seconds * 1000)
  runDue(sandbox)
  return clockOf(parts)
}

/** Forgets everything but the keys. */
function reset({ sandbox, faults, journal }: ApiParts): object {
  unpackStore(sandbox.store, packStore(emptyStore()))
  sandbox.clock.load({ offsetMs: 0, frozenAt: null })
  sandbox.announced.length = 0
  faults.clear()
  journal.clear()
  return { reset: true }
}

/** Everything the sandbox remembers, but neither keys, faults nor the journal. */
export type Snapshot = { clock: ClockState; store: PackedStore }

export function storeSnapshot({ sandbox }: Pick<ApiParts, 'sandbox'>): Snapshot {
  return { clock: sandbox.clock.save(), store: packStore(sandbox.store) }
}

/** Goes back to what a snapshot holds. 400 for a body that is none. */
function restore({ sandbox }: ApiParts, { body }: ControlCall): object {
  if (!isSnapshot(body)) throw invalid('The body must be what GET /_sandbox/snapshot gave.')
  loadSnapshot({ sandbox }, body)
  return { restored: true }
}

export function loadSnapshot({ sandbox }: Pick<ApiParts, 'sandbox'>, snapshot: Snapshot): void {
  sandbox.clock.load(snapshot.clock)
  unpackStore(sandbox.store, snapshot.store)
}

function isSnapshot(body: object): body is Snapshot {
  const { clock, store } = body as Partial<Snapshot>
  return typeof clock?.offsetMs === 'number' && Array.isArray(store?.customers)
}

const ROUTES = operations.map((it) => it.route)

/** `{ route, kind, n?, ms? }` */
function addFault({ faults }: ApiParts, { body }: ControlCall): object {
  const fault = readFault(body, ROUTES)
  faults.add(fault)
  return { ...fault }
}

function clearFaults({ faults }: ApiParts): object {
  faults.clear()
  return { faults: [] }
}

/** Oldest first; `request`, `route` and `path` choose, `limit` keeps the last ones. */
function readJournal({ journal }: ApiParts, { query }: ControlCall): object {
  const [request, route, path] = ['request', 'route', 'path'].map((it) => query.get(it))
  const entries = journal
    .list()
    .filter(
      (it) =>
        (!request || it.id === request) &&
        (!route || it.route === route) &&
        (!path || it.path === path),
    )
  const limit = Number(query.get('limit') ?? 1000)
  return { entries: entries.slice(-Math.max(1, Math.trunc(limit) || 1)) }
}

function clearJournal({ journal }: ApiParts): object {
  journal.clear()
  return { entries: [] }
}
