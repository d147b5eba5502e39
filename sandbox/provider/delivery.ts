import { invalid } from './errors.ts'
import { wants } from './resources/events.ts'
import { newId, type Sandbox } from './sandbox.ts'
import {
  type DeliveryOptions,
  endDelivery,
  type PostOffice,
  send,
  sendDue,
  sendInOrder,
} from './sending.ts'
import type { Delivery, Event, Mode, WebhookEndpoint } from './store.ts'

export type Deliveries = {
  /**
   * Plans the events that were announced since the last call and sends what is due. Resolves when
   * those that must arrive before the answer have been tried.
   */
  dispatch(): Promise<void>
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

export function startDeliveries(sandbox: Sandbox, options: DeliveryOptions): Deliveries {
  const underWay = new Map<string, Promise<void>>()
  const stop = new AbortController()
  const office: PostOffice = { sandbox, options, underWay, stop }
  return {
    dispatch: () => dispatch(office),
    setMode(endpoint, mode) {
      const before = sandbox.store.modes.get(endpoint)?.mode
      sandbox.store.modes.set(endpoint, mode)
      if (mode.mode === 'auto') release(office, endpoint, before === 'reverse')
    },
    redeliver: (eventId) => redeliver(office, eventId),
    async settled() {
      for (sendDue(office); underWay.size > 0; sendDue(office)) {
        await Promise.all(underWay.values())
      }
    },
    async close() {
      stop.abort()
      await Promise.all(underWay.values())
    },
  }
}

async function dispatch(office: PostOffice): Promise<void> {
  const { sandbox } = office
  const first: Promise<void>[] = []
  for (const id of sandbox.announced.splice(0)) {
    const event = sandbox.store.events.get(id)
    for (const endpoint of event ? sandbox.store.endpoints.values() : []) {
      if (event && wants(endpoint, event.type)) first.push(...planFor(office, event, endpoint))
    }
  }
  sendDue(office)
  await Promise.all(first)
}

/** Plans an event for an endpoint, in its mode. Gives what must arrive before the answer. */
function planFor(office: PostOffice, event: Event, endpoint: WebhookEndpoint): Promise<void>[] {
  const mode = takeMode(office.sandbox, endpoint)
  const planned = plan(office.sandbox, event, endpoint, mode)
  // The last of a counted batch that is to arrive in reverse sends them all.
  if (mode.mode === 'reverse' && mode.left === 0) release(office, endpoint.id, true)
  return mode.mode === 'before-response' ? planned.map((it) => send(office, it)) : []
}

/** The endpoint's mode for one more event; a count that runs out goes back to `auto`. */
function takeMode({ store }: Sandbox, endpoint: WebhookEndpoint): Mode {
  const key = store.modes.has(endpoint.id) ? endpoint.id : '*'
  const mode = store.modes.get(key) ?? AUTO
  if (mode.left === null) return mode
  mode.left -= 1
  if (mode.left <= 0) store.modes.delete(key)
  return mode
}

function plan(
  sandbox: Sandbox,
  event: Event,
  endpoint: WebhookEndpoint,
  { mode, ms }: Mode,
): Delivery[] {
  const { store, clock } = sandbox
  const delayMs = mode === 'delay' ? ms : 0
  const one = (): Delivery => ({
    id: newId('whd'),
    event: event.id,
    endpoint: endpoint.id,
    copy: mode === 'bad-signature' || mode === 'old-timestamp' ? mode : 'plain',
    state: mode === 'hold' || mode === 'reverse' ? 'held' : 'due',
    tries: 0,
    dueAt: clock.now() + delayMs,
    dueReallyAt: Date.now() + delayMs,
    answers: [],
  })
  const planned = mode === 'duplicate' ? [one(), one()] : [one()]
  for (const it of planned) {
    store.deliveries.set(it.id, it)
    if (mode === 'drop') endDelivery(sandbox, it, 'dropped')
  }
  return planned
}

function release(office: PostOffice, endpoint: string, reversed: boolean): void {
  const held = [...office.sandbox.store.deliveries.values()].filter(
    (it) => it.state === 'held' && (endpoint === '*' || it.endpoint === endpoint),
  )
  sendInOrder(office, reversed ? held.reverse() : held)
}

function redeliver(office: PostOffice, eventId: string): void {
  const { store } = office.sandbox
  const event = store.events.get(eventId)
  if (!event) throw invalid(`No such event: '${eventId}'`, { param: 'event' })
  for (const endpoint of store.endpoints.values()) {
    if (wants(endpoint, event.type)) plan(office.sandbox, event, endpoint, AUTO)
  }
  sendDue(office)
}
