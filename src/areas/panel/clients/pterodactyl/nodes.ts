import type { PanelAllocation, PanelClient, PanelLocation, PanelNode } from '../contract.ts'
import { PanelError } from '../panel-error.ts'
import {
  type Fields,
  flagOf,
  looseTextOf,
  mapOf,
  numberOf,
  optionalTextOf,
  pageOf,
  textOf,
} from './envelope.ts'
import type { Transport } from './transport.ts'

export type NodeCalls = Pick<
  PanelClient,
  'listLocations' | 'listNodes' | 'listDeployableNodes' | 'listAllocations' | 'countFreeAllocations'
>

export function nodeCalls({ call, listAll }: Transport): NodeCalls {
  return {
    listLocations: () => listAll({ path: '/locations', query: { sort: 'id' } }, locationOf),

    listNodes: () => listAll({ path: '/nodes', query: { sort: 'id' } }, nodeOf),

    async listDeployableNodes({ memoryMb, diskMb, locationIds }) {
      const numbers = locationNumbers(locationIds)
      const places = numbers.map((number, index) => [`location_ids[${index}]`, number])
      const query = { memory: memoryMb, disk: diskMb, ...Object.fromEntries(places) }
      try {
        return await listAll({ path: '/nodes/deployable', query: textsOf(query) }, nodeOf)
      } catch (error) {
        if (error instanceof PanelError && error.kind === 'no_capacity') return []
        throw error
      }
    },

    ...allocationCalls({ call, listAll }),
  }
}

/** Calls for the ports of a machine, which are the same on all panels. */
export function allocationCalls({
  call,
  listAll,
}: Pick<Transport, 'call' | 'listAll'>): Pick<
  NodeCalls,
  'listAllocations' | 'countFreeAllocations'
> {
  return {
    listAllocations(nodeId, { free = false } = {}) {
      const query: Record<string, string> = free ? UNASSIGNED : {}
      return listAll({ path: `/nodes/${nodeId}/allocations`, query }, allocationOf)
    },

    countFreeAllocations(nodeId) {
      const query = { ...UNASSIGNED, per_page: '1' }
      const path = `/nodes/${nodeId}/allocations`
      return call({ method: 'GET', path, query }, (body) => pageOf(body).total)
    },
  }
}

const UNASSIGNED = { 'filter[server_id]': '0' }

/**
 * Pterodactyl's locations have numbers: an id that is not a number belongs to a panel of another kind
 * on which the same product is sold too. Throws `invalid` if none is left, because an empty list would
 * mean any location.
 */
export function locationNumbers(ids: readonly string[]): number[] {
  const numbers = ids.filter((id) => /^[1-9]\d{0,9}$/.test(id)).map(Number)
  if (numbers.length > 0 || ids.length === 0) return numbers
  const detail = `The panel cannot have the locations ${ids.join(', ')}.`
  throw new PanelError('invalid', { code: 'location_unknown', detail })
}

function textsOf(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

export function locationOf(row: Fields): PanelLocation {
  const short = textOf(row, 'short')
  return { id: String(numberOf(row, 'id')), name: looseTextOf(row, 'long') || short }
}

/** The fields of a machine that every panel returns. */
export function machineOf(row: Fields) {
  return {
    id: numberOf(row, 'id'),
    name: textOf(row, 'name'),
    fqdn: looseTextOf(row, 'fqdn'),
    sftpPort: numberOf({ daemon_sftp: 2022, ...row }, 'daemon_sftp'),
    public: flagOf(row, 'public'),
    maintenance: flagOf(row, 'maintenance_mode'),
  }
}

function nodeOf(row: Fields): PanelNode {
  const allocated = mapOf(row.allocated_resources)
  return {
    ...machineOf(row),
    locationIds: [String(numberOf(row, 'location_id'))],
    memoryMb: numberOf(row, 'memory'),
    diskMb: numberOf(row, 'disk'),
    // This panel does not count the CPU of its machines.
    cpuPercent: Number.POSITIVE_INFINITY,
    memoryOverallocatePercent: numberOf(row, 'memory_overallocate'),
    diskOverallocatePercent: numberOf(row, 'disk_overallocate'),
    cpuOverallocatePercent: 0,
    memoryAllocatedMb: numberOf({ memory: 0, ...allocated }, 'memory'),
    diskAllocatedMb: numberOf({ disk: 0, ...allocated }, 'disk'),
    cpuAllocatedPercent: 0,
  }
}

export function allocationOf(row: Fields): PanelAllocation {
  return {
    id: numberOf(row, 'id'),
    ip: textOf(row, 'ip'),
    alias: optionalTextOf(row, 'alias'),
    port: numberOf(row, 'port'),
    assigned: flagOf(row, 'assigned'),
  }
}
