import { refused } from '../../http/errors.ts'
import type { Call } from '../../http/router.ts'
import type { Panel } from '../../panel.ts'
import type { Allocation, PanelNode } from '../../state/rows.ts'
import { viableNodes } from '../deployable.ts'

const MAX_PORTS = 1000

type PortRange = { first: number; last: number }

/**
 * Chooses one allocation for a server: any free one, at random, over all nodes with room. Throws
 * 400 when no node fits, or none of those that do has a free port of the range.
 */
export function deploy(call: Call): Allocation {
  const { fields, panel } = call
  const nodes = viableNodes(panel.data, {
    memory: fields.number('limits.memory'),
    disk: fields.number('limits.disk'),
    locations: fields.numbers('deploy.locations'),
  })
  return freeAllocation(call, nodes)
}

/** A free allocation of these nodes, as `deploy` asks for it. Throws 400 without. */
export function freeAllocation({ fields, panel }: Call, nodes: PanelNode[]): Allocation {
  const ranges = fields.texts('deploy.port_range').flatMap(rangeOf)
  const free = freeOn(panel, nodes, fields.flag('deploy.dedicated_ip', false)).filter(
    ({ port }) =>
      ranges.length === 0 || ranges.some(({ first, last }) => port >= first && port <= last),
  )
  const chosen = free[Math.floor(panel.random() * free.length)]
  if (chosen) return chosen
  const detail = 'No allocations satisfying the requirements for automatic deployment were found.'
  throw refused(detail, 'NoViableAllocationException')
}

function freeOn({ data }: Panel, nodes: PanelNode[], dedicatedIp: boolean): Allocation[] {
  const ids = new Set(nodes.map(({ id }) => id))
  const here = data.allocations.where(({ nodeId }) => ids.has(nodeId))
  const free = here.filter(({ serverId }) => serverId === null)
  if (!dedicatedIp) return free
  const address = ({ nodeId, ip }: Allocation) => `${nodeId}-${ip}`
  const used = new Set(here.filter(({ serverId }) => serverId !== null).map(address))
  return free.filter((allocation) => !used.has(address(allocation)))
}

/** A port, or a range of them; a text that is neither says nothing. */
function rangeOf(text: string): PortRange[] {
  const parts = /^(\d{4,5})(?:-(\d{4,5}))?$/.exec(text)
  if (!parts) return []
  const first = Number(parts[1])
  const last = Number(parts[2] ?? first)
  if (last - first + 1 > MAX_PORTS) {
    throw refused('Adding more than 1000 ports in a single range at once is not supported.')
  }
  return [{ first, last }]
}
