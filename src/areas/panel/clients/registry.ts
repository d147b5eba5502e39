import { createHash } from 'node:crypto'
import type { Outbound } from '#platform/outbound.ts'
import { type ConnectionState, newConnectionState } from './connection-state.ts'
import type { PanelClient, PanelType } from './contract.ts'
import { PanelError } from './panel-error.ts'
import { pelicanClient } from './pelican/client.ts'
import { pterodactylClient } from './pterodactyl/client.ts'
import { pageOf } from './pterodactyl/envelope.ts'
import { isUnknownRoute } from './pterodactyl/errors.ts'
import { type Connection, createTransport } from './pterodactyl/transport.ts'

export type PanelAddress = {
  url: string
  apiKey: string
  clientApiKey?: string | undefined
  outbound: Outbound
  /** A new version resets the state of the connection: a refused key, failures. */
  version?: string
  /** Called if the panel refuses the key during work, but not during a test. */
  onDenied?: (error: PanelError) => Promise<void>
  /** Called if the panel reports that it was asked too often, with how long that lasts. */
  onLimited?: (retryAfterMs: number) => Promise<void>
}

type Options = PanelAddress & { type: PanelType; state?: ConnectionState }

const CLIENTS: Record<PanelType, (connection: Connection) => PanelClient> = {
  pterodactyl: pterodactylClient,
  pelican: pelicanClient,
}

/**
 * The client of a panel connection. Cheap: create one wherever it is needed. Clients of one
 * address, key and version with one outbound client share breaker and request allowance.
 */
export function panelClientFor({ type, ...options }: Options): PanelClient {
  return CLIENTS[type](connectionTo(options))
}

/**
 * Finds out what kind of panel answers. Throws a `PanelError`: `misconfigured` with the code
 * `not_a_panel` if it is neither kind, or the error that prevents the panel from answering.
 */
export async function detectPanelType(address: PanelAddress): Promise<PanelType> {
  const { call } = createTransport(connectionTo(address))
  const probe = (path: string) =>
    call({ method: 'GET', path, query: { per_page: '1' }, probe: true }, pageOf)
  for (const [type, path] of [
    ['pterodactyl', '/nests'],
    ['pelican', '/eggs'],
  ] as const) {
    try {
      await probe(path)
      return type
    } catch (error) {
      if (!(error instanceof PanelError)) throw error
      // The route exists, only the key may not use it: enough to identify the kind of panel.
      if (error.kind === 'forbidden' || error.kind === 'rate_limited') return type
      if (!isUnknownRoute(error)) throw error
    }
  }
  const detail = 'Neither a Pterodactyl nor a Pelican panel answers at this address.'
  throw new PanelError('misconfigured', { code: 'not_a_panel', detail })
}

/**
 * Requests per minute that a panel allows, as last reported in this process, or the usual limit.
 */
export function requestLimitOf(address: PanelAddress): number {
  return connectionTo(address).state.application.bucket.limit
}

const MAX_STATES = 1000
const states = new WeakMap<Outbound, Map<string, ConnectionState>>()

function connectionTo({ state, ...address }: PanelAddress & { state?: ConnectionState }) {
  return { ...address, state: state ?? sharedState(address) }
}

/** The state of this address and these keys; changed keys get a new one. The oldest are dropped. */
function sharedState(address: PanelAddress): ConnectionState {
  const { url, apiKey, clientApiKey = '', outbound, version = '' } = address
  const known = states.get(outbound) ?? new Map<string, ConnectionState>()
  states.set(outbound, known)
  const parts = JSON.stringify([url.replace(/\/+$/, ''), apiKey, clientApiKey, version])
  const key = createHash('sha256').update(parts).digest('base64')
  const state = known.get(key) ?? newConnectionState()
  known.delete(key)
  known.set(key, state)
  const [oldest] = known.keys()
  if (known.size > MAX_STATES && oldest) known.delete(oldest)
  return state
}
