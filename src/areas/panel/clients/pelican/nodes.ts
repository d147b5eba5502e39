import type { PanelLocation, PanelNode } from '../contract.ts'
import { type Fields, MalformedAnswer, mapOf, numberOf } from '../pterodactyl/envelope.ts'
import { allocationCalls, machineOf, type NodeCalls } from '../pterodactyl/nodes.ts'
import type { Transport } from '../pterodactyl/transport.ts'

export function nodeCalls(transport: Transport): NodeCalls {
  const { listAll } = transport
  const listNodes = () => listAll({ path: '/nodes', query: { sort: 'id' } }, nodeOf)
  return {
    ...allocationCalls(transport),
    listNodes,

    listLocations: async () => locationsOf(await listNodes()),

    listDeployableNodes({ memoryMb, diskMb, cpuPercent, locationIds }) {
      const tags = locationIds.map((tag, index) => [`tags[${index}]`, tag])
      const amounts = { memory: `${memoryMb}`, disk: `${diskMb}`, cpu: `${cpuPercent}` }
      const query = { ...amounts, ...Object.fromEntries(tags) }
      return listAll({ path: '/nodes/deployable', query }, nodeOf)
    },
  }
}

/** Pelican has no locations: the tags of its machines replace them, identified by their text. */
export function locationsOf(nodes: readonly Pick<PanelNode, 'locationIds'>[]): PanelLocation[] {
  const tags = new Set(nodes.flatMap(({ locationIds }) => locationIds))
  return [...tags].sort().map((tag) => ({ id: tag, name: tag }))
}

/** Converts a machine of the panel into our form. */
export function nodeOf(row: Fields): PanelNode {
  const allocated = { memory: 0, disk: 0, cpu: 0, ...mapOf(row.allocated_resources) }
  const memory = sizeOf(row, 'memory')
  const disk = sizeOf(row, 'disk')
  const cpu = sizeOf(row, 'cpu')
  return {
    ...machineOf(row),
    locationIds: tagsOf(row),
    memoryMb: memory.size,
    diskMb: disk.size,
    cpuPercent: cpu.size,
    memoryOverallocatePercent: memory.overallocatePercent,
    diskOverallocatePercent: disk.overallocatePercent,
    cpuOverallocatePercent: cpu.overallocatePercent,
    memoryAllocatedMb: numberOf(allocated, 'memory'),
    diskAllocatedMb: numberOf(allocated, 'disk'),
    cpuAllocatedPercent: numberOf(allocated, 'cpu'),
  }
}

/** In Pelican a size of 0 is no limit, and an overallocation of -1 disables the check. */
function sizeOf(row: Fields, name: string) {
  const size = numberOf(row, name)
  const overallocatePercent = numberOf(row, `${name}_overallocate`)
  return size === 0 || overallocatePercent < 0
    ? { size: Number.POSITIVE_INFINITY, overallocatePercent: 0 }
    : { size, overallocatePercent }
}

function tagsOf({ tags }: Fields): string[] {
  if (tags === null || tags === undefined) return []
  if (!Array.isArray(tags)) throw new MalformedAnswer('tags is no list')
  return tags.filter((tag) => typeof tag === 'string' && tag !== '')
}
