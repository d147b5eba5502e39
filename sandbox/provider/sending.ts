import { post } from './post.ts'
import type { Sandbox } from './sandbox.ts'
import { signatureOf } from './signature.ts'
import type { Delivery, Event, WebhookEndpoint } from './store.ts'

export type DeliveryOptions = {
  /** How long to wait after each failed try. After the last one the event is given up. */
  retryPlanMs: readonly number[]
  timeoutMs: number
  /** Whose time signs: the receiver's own (`real`), or the sandbox's. */
  signBy: 'real' | 'sandbox'
  /** Called after every try, when there is something new to remember. */
  changed: () => void
}

/** Where events leave from: what is under way, by delivery, and how to stop it. */
export type PostOffice = {
  sandbox: Sandbox
  options: DeliveryOptions
  underWay: Map<string, Promise<void>>
  stop: AbortController
}

/** Older than any receiver accepts. */
const OLD_SECONDS = 600
const MOST_PAST = 5000

/** Sends what has become due, by either clock. */
export function sendDue(office: PostOffice): void {
  const { store, clock } = office.sandbox
  for (const delivery of store.deliveries.values()) {
    const { id, state, dueAt, dueReallyAt } = delivery
    const due = dueAt <= clock.now() || dueReallyAt <= Date.now()
    if (state === 'due' && due && !office.underWay.has(id)) void send(office, delivery)
  }
}

/** Tries a delivery; when it fails, its next try is appointed. */
export function send(office: PostOffice, delivery: Delivery): Promise<void> {
  return track(office, delivery, attempt(office, delivery))
}

/** Sends deliveries one after the other, so that their order is certain. */
export function sendInOrder(office: PostOffice, deliveries: readonly Delivery[]): void {
  let before: Promise<void> = Promise.resolve()
  for (const delivery of deliveries) {
    delivery.state = 'due'
    before = before.then(() => attempt(office, delivery))
    void track(office, delivery, before)
  }
}

function track({ underWay }: PostOffice, { id }: Delivery, sending: Promise<void>): Promise<void> {
  const tracked = sending.finally(() => underWay.delete(id))
  underWay.set(id, tracked)
  return tracked
}

async function attempt(office: PostOffice, delivery: Delivery): Promise<void> {
  const { sandbox, options, stop } = office
  const { store, clock } = sandbox
  const endpoint = store.endpoints.get(delivery.endpoint)
  const event = store.events.get(delivery.event)
  if (!endpoint || !event || endpoint.status !== 'enabled') {
    endDelivery(sandbox, delivery, 'dropped')
    return
  }
  const status = await post(endpoint.url, requestOf(office, delivery, event, endpoint))
  // Stopped, or the sandbox was reset meanwhile: nothing is known of this try.
  if (stop.signal.aborted || !store.deliveries.has(delivery.id)) return
  delivery.answers.push(status)
  delivery.tries += 1
  options.changed()
  if (status >= 200 && status < 300) {
    endDelivery(sandbox, delivery, 'delivered')
    markReached(sandbox, event, delivery)
    return
  }
  const waitMs = options.retryPlanMs[delivery.tries - 1]
  if (waitMs === undefined) endDelivery(sandbox, delivery, 'failed')
  else Object.assign(delivery, { dueAt: clock.now() + waitMs, dueReallyAt: Date.now() + waitMs })
}

function requestOf(
  { sandbox, options, stop }: PostOffice,
  { copy }: Delivery,
  event: Event,
  endpoint: WebhookEndpoint,
) {
  const version = endpoint.api_version ?? event.api_version
  const body = JSON.stringify({ ...event, api_version: version }, null, 2)
  const time = options.signBy === 'real' ? Date.now() : sandbox.clock.now()
  const seconds = Math.floor(time / 1000) - (copy === 'old-timestamp' ? OLD_SECONDS : 0)
  const secret = copy === 'bad-signature' ? `${endpoint.secret}_wrong` : endpoint.secret
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signatureOf(body, secret, seconds),
    'user-agent': 'Moorage-Sandbox/1.0',
  }
  return { headers, body, timeoutMs: options.timeoutMs, signal: stop.signal }
}

/** Puts a delivery with the past ones, of which the last 5000 are kept. */
export function endDelivery(
  { store }: Sandbox,
  delivery: Delivery,
  state: 'delivered' | 'dropped' | 'failed',
): void {
  delivery.state = state
  store.deliveries.delete(delivery.id)
  store.pastDeliveries.set(delivery.id, delivery)
  const [oldest] = store.pastDeliveries.keys()
  if (oldest && store.pastDeliveries.size > MOST_PAST) store.pastDeliveries.delete(oldest)
}

/** An endpoint has an event, whether it came once or twice. */
function markReached({ store }: Sandbox, event: Event, { endpoint }: Delivery): void {
  const key = `${event.id} ${endpoint}`
  if (store.reached.has(key)) return
  store.reached.set(key, true)
  event.pending_webhooks = Math.max(0, event.pending_webhooks - 1)
}
