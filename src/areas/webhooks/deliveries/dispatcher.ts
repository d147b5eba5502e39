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
 * The deliveries that this process is sending. Due deliveries are stored in the database, with a
 * lease on those that a process is sending: if the process dies, another one finds all of them.
 */
class Dispatcher {
  readonly #deps: Deps
  readonly #of = new Map<string, number>()
  readonly #queued = new Set<string>()
  /** Tenants that had more due than there was room for, longest waiting first. */
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

  /** Starts what is due for a tenant, up to the available room. Concurrent calls are merged. */
  take(tenantId: string): Promise<void> {
    if (this.#queued.has(tenantId)) return this.#turn
    this.#queued.add(tenantId)
    this.#takes += 1
    this.#idle ??= Promise.withResolvers()
    const turn = this.#turn.then(() => this.#takeNow(tenantId))
    // The next call has its turn however this one ends; its error goes to its own caller.
    this.#turn = turn
      .catch(() => {})
      .then(() => {
        this.#takes -= 1
        this.#settle()
      })
    return turn
  }

  /**
   * Waits until nothing is being sent, or until the signal: the waiting job keeps the process from
   * stopping meanwhile. One is enough; returns false at once for any further one.
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
    const purchaseId = claimed.purchaseId ?? undefined
    const ids = { requestId, purchaseId, deliveryId, messageId, endpointId, tenantId }
    const log = this.#deps.log.child(ids)
    this.#count(endpointId, failing, 1)
    // This may be the work of a job that another request has caused.
    forRequest(requestId, () => this.#deliverTraced(claimed), purchaseId)
      .then(({ statusCode, error }) => log.debug({ statusCode, error }, 'webhook sent'))
      .catch((error) => log.warn({ err: error }, 'the result of a webhook could not be recorded'))
      .then(() => {
        this.#count(endpointId, failing, -1)
        const [next] = this.#waiting
        if (next) this.#waiting.delete(next)
        // The waiting tenant goes first: otherwise this tenant's next delivery would take the place
        // again and again.
        return Promise.all([next && this.take(next), this.take(tenantId)])
      })
      .catch((error) => log.warn({ err: error }, 'webhooks due could not be taken'))
  }

  /** Delivers as part of the trace of its cause, not of the job that happened to claim it. */
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
