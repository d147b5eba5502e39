import { listOf } from '../http/envelope.ts'
import { refused } from '../http/errors.ts'
import { pageOf } from '../http/query.ts'
import { type Call, ok, type Reply, type Route, reads, route } from '../http/router.ts'
import { validate } from '../rules/validate.ts'
import { allocatedOn, type Data } from '../state/data.ts'
import type { PanelNode } from '../state/rows.ts'
import { presentNode } from './nodes.ts'

type Demand = { memory: number; disk: number; locations: readonly number[] }

/**
 * The public nodes with room for this much memory and disk (MiB). Neither CPU nor maintenance is
 * looked at, and an overallocation of -1 is no word for unlimited: it leaves 99 %. Throws 400 when
 * no node fits.
 */
export function viableNodes(data: Data, { memory, disk, locations }: Demand): PanelNode[] {
  const viable = data.nodes.where((node) => {
    if (!node.public) return false
    if (locations.length > 0 && !locations.includes(node.locationId)) return false
    const used = allocatedOn(data, node.id)
    return (
      used.memory + memory <= node.memory * (1 + node.memoryOverallocate / 100) &&
      used.disk + disk <= node.disk * (1 + node.diskOverallocate / 100)
    )
  })
  if (viable.length === 0) {
    const detail =
      'No nodes satisfying the requirements specified for automatic deployment could be found.'
    throw refused(detail, 'NoViableNodeException')
  }
  return viable
}

export const deployableRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/application/nodes/deployable',
    access: reads('nodes'),
    run: listDeployable,
  }),
]

function listDeployable(call: Call): Reply {
  const { fields, input, panel, query, view } = call
  validate({
    input,
    rules: {
      page: ['integer'],
      memory: ['required|integer|min:0'],
      disk: ['required|integer|min:0'],
      location_ids: ['array'],
      'location_ids.*': ['integer'],
    },
  })
  const nodes = viableNodes(panel.data, {
    memory: fields.number('memory'),
    disk: fields.number('disk'),
    locations: fields.numbers('location_ids'),
  })
  const present = (node: PanelNode) => {
    const item = presentNode(view, node)
    const used = allocatedOn(panel.data, node.id)
    const sums = { sum_memory: used.memory, sum_disk: used.disk }
    return { ...item, attributes: { ...item.attributes, ...sums } }
  }
  return ok(query.has('page') ? pageOf(call, nodes, {}, present) : listOf(nodes.map(present)))
}
