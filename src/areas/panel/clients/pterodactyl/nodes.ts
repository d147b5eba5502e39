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

type NodeCalls = Pick<
  PanelClient,
  'listLocations' | 'listNodes' | 'listDeployableNodes' | 'listAllocations' | 'countFreeAllocations'
>

export function nodeCalls({ call, listAll }: Transport): NodeCalls {
  return {
    listLocations: () => listAll({ path: '/locations', query: { sort: 'id' } }, locationOf),

    listNodes: () => listAll({ path: '/nodes', query: { sort: 'id' } }, nodeOf),

    async listDeployableNodes({ memoryMb, diskMb, locationIds }) {
      const places = locationIds.map((id, index) => [`location_ids[${index}]`, locationNumber(id)])
      const query = { memory: memoryMb, disk: diskMb, ...Object.fromEntries(places) }
      try {
        return await listAll({ path: '/nodes/deployable', query: textsOf(query) }, nodeOf)
      } catch (error) {
        if (error instanceof PanelError && error.kind === 'no_capacity') return []
        throw error
      }
    },

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

/** This panel's locations have numbers. Throws `invalid` for what cannot be one of them. */
export function locationNumber(id: string): number {
  if (/^[1-9]\d{0,9}$/.test(id)) return Number(id)
  const detail = `The panel cannot have a location ${JSON.stringify(id)}.`
  throw new PanelError('invalid', { code: 'location_unknown', detail })
}

function textsOf(query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

export function locationOf(row: Fields): PanelLocation {
  const short = textOf(row, 'short')
  return { id: String(numberOf(row, 'id')), name: looseTextOf(row, 'long') || short }
}

function nodeOf(row: Fields): PanelNode {
  const allocated = mapOf(row.allocated_resources)
  return {
    id: numberOf(row, 'id'),
    name: textOf(row, 'name'),
    fqdn: looseTextOf(row, 'fqdn'),
    locationIds: [String(numberOf(row, 'location_id'))],
    public: flagOf(row, 'public'),
    maintenance: flagOf(row, 'maintenance_mode'),
    memoryMb: numberOf(row, 'memory'),
    diskMb: numberOf(row, 'disk'),
    memoryOverallocatePercent: numberOf(row, 'memory_overallocate'),
    diskOverallocatePercent: numberOf(row, 'disk_overallocate'),
    memoryAllocatedMb: numberOf({ memory: 0, ...allocated }, 'memory'),
    diskAllocatedMb: numberOf({ disk: 0, ...allocated }, 'disk'),
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
