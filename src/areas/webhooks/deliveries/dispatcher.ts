import { later } from '#lib/time.ts'
import { forRequest, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { measured } from '#platform/tracing/index.ts'
import type { Outcome } from '#platform/webhooks/sending.ts'
import { recordAttempt } from './actions.ts'
import { type Claimed, claimDue, listEndpointsDue } from './queries.ts'
import { LEASE_MS, roomsFor } from './rules.ts'
import { send } from './sending.ts'

/**
 * What this process has under way. What is due stands in the database, with a lease on what somebody
 * is at: a process that dies leaves nothing behind that another one does not find.
 */
export class Dispatcher {
  readonly #deps: Deps
  readonly #of = new Map<string, number>()
  readonly #queued = new Set<string>()
  /** Tenants with more due than there was room for, the one that waits the longest first. */
  readonly #waiting = new Set<string>()
  #total = 0
  #failing = 0
  #takes = 0
  #turn: Promise<void> = Promise.resolve()
  #idle: PromiseWithResolvers<void> | null = null
  #isHosted = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Begins what is due for a tenant, as far as there is room. Asked twice at once it looks once. */
  take(tenantId: string): Promise<void> {
    if (this.#queued.has(tenantId)) return this.#turn
    this.#queued.add(tenantId)
    this.#takes += 1
    this.#idle ??= Promise.withResolvers()
    const turn = this.#turn.then(() => this.#takeNow(tenantId))
    // The next one has its turn however this one ends; who asked for it hears of it.
    this.#turn = turn
      .catch(() => {})
      .then(() => {
        this.#takes -= 1
        this.#settle()
      })
    return turn
  }

  /**
   * Waits until nothing is under way, or the signal ends that: the job that waits keeps the process
   * from stopping meanwhile. One is enough; false for any further one, at once.
   */
  async host(signal: AbortSignal): Promise<boolean> {
    if (this.#isHosted || !this.#idle) return false
    this.#isHosted = true
    const aborted = Promise.withResolvers<void>()
    const abort = () => aborted.resolve()
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    try {
      await Promise.race([this.#idle.promise, aborted.promise])
      return this.#idle !== null
    } finally {
      signal.removeEventListener('abort', abort)
      this.#isHosted = false
    }
  }

  async #takeNow(tenantId: string): Promise<void> {
    this.#queued.delete(tenantId)
    const { database, clock, queue } = this.#deps
    if (!queue.healthy) return
    const db = database.of(tenantId)
    const due = await listEndpointsDue(db, tenantId, clock.now())
    const load = { total: this.#total, failing: this.#failing, of: this.#of }
    const rooms = roomsFor(due, load)
    const isFull = due.some(({ id }) => !rooms.has(id) && !this.#of.has(id))
    if (isFull) this.#waiting.add(tenantId)
    if (rooms.size === 0) return
    const failing = new Set(due.filter((it) => it.failing).map(({ id }) => id))
    const now = clock.now()
    const claim = { tenantId, rooms, now, until: later(now, LEASE_MS) }
    const claimed = await transact(db, (tx) => claimDue(tx, claim))
    for (const it of claimed) this.#begin(it, failing.has(it.endpointId))
  }

  #begin(claimed: Claimed, failing: boolean): void {
    const { endpointId, tenantId, id: deliveryId, messageId, requestId } = claimed
    const log = this.#deps.log.child({ requestId, deliveryId, messageId, endpointId, tenantId })
    this.#count(endpointId, failing, 1)
    // This may be the work of a job that another request has caused.
    forRequest(requestId, () => this.#deliverTraced(claimed))
      .then(({ statusCode, error }) => log.debug({ statusCode, error }, 'webhook sent'))
      .catch((error) => log.warn({ err: error }, 'the result of a webhook could not be recorded'))
      .then(() => {
        this.#count(endpointId, failing, -1)
        const [next] = this.#waiting
        if (next) this.#waiting.delete(next)
        // Who waits goes first: their own next one would take the place again and again.
        return Promise.all([next && this.take(next), this.take(tenantId)])
      })
      .catch((error) => log.warn({ err: error }, 'webhooks due could not be taken'))
  }

  /** Delivers as a part of the trace of its cause, not of the job that happened to claim it. */
  #deliverTraced(claimed: Claimed): Promise<Outcome> {
    const { tenantId, requestId, type, tries, trace } = claimed
    const attributes = {
      ...{ 'moorage.tenant_id': tenantId, 'moorage.webhook_type': type, 'moorage.try': tries },
      ...(requestId && { 'moorage.request_id': requestId }),
    }
    const facts = { kind: 'consumer' as const, attributes }
    const span = this.#deps.tracing?.begin('webhook delivery', facts, trace)
    return span ? measured(span, () => this.#deliver(claimed)) : this.#deliver(claimed)
  }

  async #deliver(claimed: Claimed): Promise<Outcome> {
    const { database, clock } = this.#deps
    const outcome = await send(this.#deps, claimed, clock.now())
    const at = { now: clock.now(), random: Math.random() }
    await transact(database.of(claimed.tenantId), (tx) => recordAttempt(tx, claimed, outcome, at))
    return outcome
  }

  #count(endpointId: string, failing: boolean, change: 1 | -1): void {
    const count = (this.#of.get(endpointId) ?? 0) + change
    if (count > 0) this.#of.set(endpointId, count)
    else this.#of.delete(endpointId)
    this.#total += change
    if (failing) this.#failing += change
  }

  #settle(): void {
    if (this.#total > 0 || this.#takes > 0) return
    this.#idle?.resolve()
    this.#idle = null
  }
}

const dispatchers = new WeakMap<object, Dispatcher>()

/** The one dispatcher of this process. */
export function dispatcherOf(deps: Deps): Dispatcher {
  let dispatcher = dispatchers.get(deps.database)
  if (!dispatcher) {
    dispatcher = new Dispatcher(deps)
    dispatchers.set(deps.database, dispatcher)
  }
  return dispatcher
}
