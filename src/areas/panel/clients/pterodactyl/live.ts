import type { PanelClient, ServerResources, Subuser } from '../contract.ts'
import { orAbsent } from '../panel-error.ts'
import {
  attributesOf,
  type Fields,
  flagOf,
  MalformedAnswer,
  mapOf,
  numberOf,
  optionalNumberOf,
  pageOf,
  textOf,
} from './envelope.ts'
import { type Transport, WRITE_TIMEOUT_MS } from './transport.ts'

type LiveCalls = Pick<
  PanelClient,
  | 'resources'
  | 'countBackups'
  | 'power'
  | 'listSubusers'
  | 'createSubuser'
  | 'updateSubuser'
  | 'deleteSubuser'
>

const api = 'client'

const STATES: readonly string[] = [
  'offline',
  'starting',
  'running',
  'stopping',
  'missing',
] satisfies ServerResources['state'][]

/** The panel's calls for running servers, with the key of an administrator's account. */
export function liveCalls({ call, order }: Transport): LiveCalls {
  const pathOf = (uuid: string, rest: string) => `/servers/${encodeURIComponent(uuid)}${rest}`
  const subuserPath = (uuid: string, subuserUuid: string) =>
    pathOf(uuid, `/users/${encodeURIComponent(subuserUuid)}`)

  return {
    resources: (uuid) =>
      call({ api, method: 'GET', path: pathOf(uuid, '/resources') }, (body) =>
        resourcesOf(attributesOf(body)),
      ),

    countBackups: (uuid) => call({ api, method: 'GET', path: pathOf(uuid, '/backups') }, backupsIn),

    power: (uuid, signal) =>
      order({
        api,
        method: 'POST',
        path: pathOf(uuid, '/power'),
        body: { signal },
        timeoutMs: WRITE_TIMEOUT_MS,
      }),

    listSubusers: (uuid) =>
      call({ api, method: 'GET', path: pathOf(uuid, '/users') }, (body) =>
        pageOf(body).rows.map(subuserOf),
      ),

    createSubuser: (uuid, email, permissions) =>
      call(
        { api, method: 'POST', path: pathOf(uuid, '/users'), body: { email, permissions } },
        subuserIn,
      ),

    updateSubuser: (uuid, subuserUuid, permissions) =>
      call(
        { api, method: 'POST', path: subuserPath(uuid, subuserUuid), body: { permissions } },
        subuserIn,
      ),

    async deleteSubuser(uuid, subuserUuid) {
      await orAbsent(order({ api, method: 'DELETE', path: subuserPath(uuid, subuserUuid) }))
    },
  }
}

function resourcesOf(row: Fields): ServerResources {
  const used = mapOf(row.resources)
  return {
    state: stateOf(textOf(row, 'current_state')),
    suspended: flagOf(row, 'is_suspended'),
    memoryBytes: numberOf(used, 'memory_bytes'),
    diskBytes: numberOf(used, 'disk_bytes'),
    cpuPercent: numberOf(used, 'cpu_absolute'),
    networkInBytes: numberOf(used, 'network_rx_bytes'),
    networkOutBytes: numberOf(used, 'network_tx_bytes'),
    uptimeMs: numberOf({ uptime: 0, ...used }, 'uptime'),
  }
}

/** Failed backups take no room; a panel that does not distinguish them counts all. */
function backupsIn(body: unknown): number {
  const { total } = pageOf(body)
  return optionalNumberOf(mapOf(mapOf(body).meta), 'backup_count') ?? total
}

function stateOf(state: string): ServerResources['state'] {
  // Sent if the machine returned no state at all.
  if (state === 'stopped') return 'offline'
  if (!isState(state)) throw new MalformedAnswer(`the state ${state} is unknown`)
  return state
}

function isState(state: string): state is ServerResources['state'] {
  return STATES.includes(state)
}

function subuserIn(body: unknown): Subuser {
  return subuserOf(attributesOf(body))
}

function subuserOf(row: Fields): Subuser {
  const { permissions } = row
  if (!Array.isArray(permissions)) throw new MalformedAnswer('permissions is no list')
  return {
    uuid: textOf(row, 'uuid'),
    email: textOf(row, 'email'),
    username: textOf(row, 'username'),
    permissions: permissions.map(String),
  }
}
