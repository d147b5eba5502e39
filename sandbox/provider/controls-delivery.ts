import type { ApiParts } from './api.ts'
import type { Body, ControlCall } from './controls.ts'
import { invalid } from './errors.ts'
import type { DeliveryMode } from './store.ts'

const MODES: readonly DeliveryMode[] = [
  'auto',
  'hold',
  'drop',
  'duplicate',
  'reverse',
  'delay',
  'before-response',
  'bad-signature',
  'old-timestamp',
]

/**
 * `{ mode, n?, ms?, endpoint? }`: the next `n` events (all, without it) reach the endpoint (every
 * one, without it) in this way; `auto` sends what was held. `{ mode: 'redeliver', event }` sends
 * one event once more.
 */
export function controlDelivery({ sandbox, deliveries }: ApiParts, { body }: ControlCall): object {
  const { endpoint = '*' } = body
  if (body.mode === 'redeliver') {
    deliveries.redeliver(String(body.event ?? ''))
    return { mode: 'redeliver', event: body.event }
  }
  const mode = MODES.find((it) => it === body.mode)
  if (!mode) {
    throw invalid(`mode must be one of ${MODES.join(', ')}, redeliver`, { param: 'mode' })
  }
  if (
    typeof endpoint !== 'string' ||
    (endpoint !== '*' && !sandbox.store.endpoints.has(endpoint))
  ) {
    throw invalid('endpoint must be the id of a webhook endpoint', { param: 'endpoint' })
  }
  const left = countIn(body, 'n', 1)
  const ms = countIn(body, 'ms', 0) ?? 1000
  deliveries.setMode(endpoint, { mode, left: mode === 'auto' ? null : left, ms })
  return { mode, n: left, ms, endpoint }
}

function countIn(body: Body, name: string, least: number): number | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw invalid(`${name} must be a whole number from ${least}`, { param: name })
}

/** Those that wait, then those that are past, each in the order of the events. */
export function listDeliveries({ sandbox: { store } }: ApiParts): object {
  return {
    waiting: [...store.deliveries.values()],
    past: [...store.pastDeliveries.values()],
  }
}

/** Answers when nothing is under way and nothing is due. */
export async function settleDeliveries({ deliveries }: ApiParts): Promise<object> {
  await deliveries.dispatch()
  await deliveries.settled()
  return { settled: true }
}
