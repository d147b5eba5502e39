import { listOf } from '../http/envelope.ts'
import { type Call, ok, type Reply, type Route, reads, route } from '../http/router.ts'
import { validate } from '../rules/validate.ts'
import { allocatedOn, type Data } from '../state/data.ts'
import type { PanelNode } from '../state/rows.ts'
import { presentNode } from './nodes.ts'

type Demand = { memory: number; disk: number; cpu: number; tags: readonly string[] }

/** The public nodes with room for this, that carry one of the tags; in the order of their ids. */
export function viableNodes(data: Data, { tags, ...need }: Demand): PanelNode[] {
  return data.nodes.where((node) => {
    if (!node.public) return false
    if (tags.length > 0 && !node.tags.some((tag) => tags.includes(tag))) return false
    const used = allocatedOn(data, node.id)
    return (
      hasRoom(node.memory, node.memoryOverallocate, used.memory + need.memory) &&
      hasRoom(node.disk, node.diskOverallocate, used.disk + need.disk) &&
      hasRoom(node.cpu, node.cpuOverallocate, used.cpu + need.cpu)
    )
  })
}

/** A size of 0 is unlimited, and so is one that is not to be checked. */
function hasRoom(size: number, overallocate: number, wanted: number): boolean {
  return size === 0 || overallocate === -1 || wanted <= size * (1 + overallocate / 100)
}

export const deployableRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/application/nodes/deployable',
    access: reads('nodes'),
    run: listDeployable,
  }),
]

function listDeployable({ fields, input, panel, view }: Call): Reply {
  validate({
    input,
    rules: {
      page: ['integer'],
      memory: ['required|integer|min:0'],
      disk: ['required|integer|min:0'],
      cpu: ['sometimes|integer|min:0'],
      tags: ['sometimes|array'],
    },
  })
  const nodes = viableNodes(panel.data, {
    memory: fields.number('memory'),
    disk: fields.number('disk'),
    cpu: fields.number('cpu'),
    tags: fields.texts('tags'),
  })
  return ok(
    listOf(
      nodes.map((node) => {
        const item = presentNode(view, node)
        const used = allocatedOn(panel.data, node.id)
        const sums = {
          servers_sum_memory: used.memory,
          servers_sum_disk: used.disk,
          servers_sum_cpu: used.cpu,
        }
        return { ...item, attributes: { ...item.attributes, ...sums } }
      }),
    ),
  )
}
