import { invalid } from './errors.ts'
import { post } from './post.ts'
import { wants } from './resources/events.ts'
import { newId, type Sandbox } from './sandbox.ts'
import { signatureOf } from './signature.ts'
import type { Delivery, Event, Mode, WebhookEndpoint } from './store.ts'

export type DeliveryOptions = {
  /** How long to wait after each failed try. After the last one the event is given up. */
  retryPlanMs: readonly number[]
  timeoutMs: number
  /** Whose time signs: the receiver's own (`real`), or the sandbox's. */
  signBy: 'real' | 'sandbox'
  /** Called after every try, when there is something new to remember. */
  changed: () => void
}

export type Deliveries = {
  /**
   * Plans the events that were announced since the last call and sends what is due. Resolves when
   * those that must arrive before the answer have been tried.
   */
  dispatch(): Promise<void>
  /** Sends what has become due, by either clock. */
  sendDue(): void
  /** How the next events reach an endpoint, or all of them. `auto` lets go what was held. */
  setMode(endpoint: string, mode: Mode): void
  /** Sends an event once more to every endpoint that wants it. 400 for one that does not exist. */
  redeliver(eventId: string): void
  /** Resolves when nothing is under way and nothing is due. */
  settled(): Promise<void>
  /** Stops: what is under way is cut off, and tried again by the next sandbox with this store. */
  close(): Promise<void>
}

const AUTO: Mode = { mode: 'auto', left: null, ms: 0 }
/** Older than any receiver accepts. */
const OLD_SECONDS = 600
const MOST_PAST = 5000

export function startDeliveries(sandbox: Sandbox, options: DeliveryOptions): Deliveries {
  const { store, clock } = sandbox
  const underWay = new Map<string, Promise<void>>()
  const stop = new AbortController()

  /** The endpoint's mode for one more event; a count that runs out goes back to `auto`. */
  function takeMode(endpoint: WebhookEndpoint): Mode {
    const key = store.modes.has(endpoint.id) ? endpoint.id : '*'
    const mode = store.modes.get(key) ?? AUTO
    if (mode.left === null) return mode
    mode.left -= 1
    if (mode.left <= 0) store.modes.set(key, { ...AUTO })
    return { ...mode }
  }

  function plan(event: Event, endpoint: WebhookEndpoint, mode: Mode): Delivery[] {
    const delayMs = mode.mode === 'delay' ? mode.ms : 0
    const delivery: Delivery = {
      id: newId('whd'),
      event: event.id,
      endpoint: endpoint.id,
      copy: mode.mode === 'bad-signature' || mode.mode === 'old-timestamp' ? mode.mode : 'plain',
      state: mode.mode === 'hold' || mode.mode === 'reverse' ? 'held' : 'due',
      tries: 0,
      dueAt: clock.now() + delayMs,
      dueReallyAt: Date.now() + delayMs,
      answers: [],
    }
    const twice = mode.mode === 'duplicate' ? [{ ...delivery, id: newId('whd') }] : []
    const planned = [delivery, ...twice]
    for (const it of planned) {
      store.deliveries.set(it.id, it)
      if (mode.mode === 'drop') end(it, 'dropped')
    }
    return planned
  }

  async function dispatch(): Promise<void> {
    const first: Promise<void>[] = []
    for (const id of sandbox.announced.splice(0)) {
      const event = store.events.get(id)
      for (const endpoint of event ? store.endpoints.values() : []) {
        if (!event || !wants(endpoint, event.type)) continue
        const mode = takeMode(endpoint)
        const planned = plan(event, endpoint, mode)
        if (mode.mode === 'before-response') first.push(...planned.map(send))
        // The last of a counted batch that is to arrive in reverse sends them all.
        if (mode.mode === 'reverse' && mode.left === 0) release(endpoint.id, true)
      }
    }
    sendDue()
    await Promise.all(first)
  }

  function sendDue(): void {
    for (const delivery of store.deliveries.values()) {
      if (isDue(delivery) && !underWay.has(delivery.id)) void send(delivery)
    }
  }

  function isDue({ state, dueAt, dueReallyAt }: Delivery): boolean {
    return state === 'due' && (dueAt <= clock.now() || dueReallyAt <= Date.now())
  }

  function send(delivery: Delivery): Promise<void> {
    const sending = attempt(delivery).finally(() => underWay.delete(delivery.id))
    underWay.set(delivery.id, sending)
    return sending
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const endpoint = store.endpoints.get(delivery.endpoint)
    const event = store.events.get(delivery.event)
    if (!endpoint || !event || endpoint.status !== 'enabled') return end(delivery, 'dropped')
    const status = await post(endpoint.url, requestOf(delivery, event, endpoint))
    if (stop.signal.aborted || !store.deliveries.has(delivery.id)) return
    delivery.answers.push(status)
    delivery.tries += 1
    options.changed()
    if (status >= 200 && status < 300) return finish(delivery, event)
    const waitMs = options.retryPlanMs[delivery.tries - 1]
    if (waitMs === undefined) end(delivery, 'failed')
    else Object.assign(delivery, { dueAt: clock.now() + waitMs, dueReallyAt: Date.now() + waitMs })
  }

  function requestOf({ copy }: Delivery, event: Event, endpoint: WebhookEndpoint) {
    const version = endpoint.api_version ?? event.api_version
    const body = JSON.stringify({ ...event, api_version: version }, null, 2)
    const time = options.signBy === 'real' ? Date.now() : clock.now()
    const seconds = Math.floor(time / 1000) - (copy === 'old-timestamp' ? OLD_SECONDS : 0)
    const secret = copy === 'bad-signature' ? `${endpoint.secret}_wrong` : endpoint.secret
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureOf(body, secret, seconds),
      'user-agent': 'Moorage-Sandbox/1.0',
    }
    return { headers, body, timeoutMs: options.timeoutMs, signal: stop.signal }
  }

  function finish(delivery: Delivery, event: Event): void {
    end(delivery, 'delivered')
    const key = `${event.id} ${delivery.endpoint}`
    if (store.reached.has(key)) return
    store.reached.set(key, true)
    event.pending_webhooks = Math.max(0, event.pending_webhooks - 1)
  }

  function end(delivery: Delivery, state: 'delivered' | 'dropped' | 'failed'): void {
    delivery.state = state
    store.deliveries.delete(delivery.id)
    store.pastDeliveries.set(delivery.id, delivery)
    const [oldest] = store.pastDeliveries.keys()
    if (oldest && store.pastDeliveries.size > MOST_PAST) store.pastDeliveries.delete(oldest)
  }

  /** One after the other, so that their order is certain. */
  function release(endpoint: string, reversed: boolean): void {
    const held = [...store.deliveries.values()].filter(
      (it) => it.state === 'held' && (endpoint === '*' || it.endpoint === endpoint),
    )
    const inOrder = reversed ? held.reverse() : held
    let before: Promise<void> = Promise.resolve()
    for (const delivery of inOrder) {
      delivery.state = 'due'
      before = before.then(() => attempt(delivery))
      underWay.set(
        delivery.id,
        before.finally(() => underWay.delete(delivery.id)),
      )
    }
  }

  function setMode(endpoint: string, mode: Mode): void {
    const before = store.modes.get(endpoint)?.mode
    store.modes.set(endpoint, mode)
    if (mode.mode === 'auto') release(endpoint, before === 'reverse')
  }

  function redeliver(eventId: string): void {
    const event = store.events.get(eventId)
    if (!event) throw invalid(`No such event: '${eventId}'`, { param: 'event' })
    for (const endpoint of store.endpoints.values()) {
      if (wants(endpoint, event.type)) plan(event, endpoint, AUTO)
    }
    sendDue()
  }

  async function settled(): Promise<void> {
    for (;;) {
      sendDue()
      if (underWay.size === 0) return
      await Promise.all(underWay.values())
    }
  }

  async function close(): Promise<void> {
    stop.abort()
    await Promise.all(underWay.values())
  }

  return { dispatch, sendDue, setMode, redeliver, settled, close }
}
