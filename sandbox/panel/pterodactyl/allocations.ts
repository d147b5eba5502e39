import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Item, View } from '../http/envelope.ts'
import { notFound, refused } from '../http/errors.ts'
import { containing, exactly, pageOf } from '../http/query.ts'
import {
  type Call,
  noContent,
  ok,
  type Params,
  type Reply,
  type Route,
  reads,
  routeTo,
  writes,
} from '../http/router.ts'
import type { Panel } from '../panel.ts'
import { validate } from '../rules/validate.ts'
import type { Allocation, PanelNode } from '../state/rows.ts'

const PATH = '/api/application/nodes/{node}/allocations'
const MAX_PORTS = 1000

export function presentAllocation(view: View, allocation: Allocation): Item {
  const { data } = view.panel
  return {
    object: 'allocation',
    attributes: {
      id: allocation.id,
      ip: allocation.ip,
      alias: allocation.alias,
      port: allocation.port,
      notes: allocation.notes,
      assigned: allocation.serverId !== null,
      ...view.relations({
        node: {
          resource: 'nodes',
          load: (into) => into.present.node(into, data.nodes.get(allocation.nodeId)),
        },
        server: {
          resource: 'servers',
          load: (into) => {
            const server = allocation.serverId && data.servers.find(allocation.serverId)
            return server ? into.present.server(into, server) : null
          },
        },
      }),
    },
  }
}

export const allocationRoutes: Route[] = [
  routeTo({
    method: 'GET',
    path: PATH,
    access: reads('allocations'),
    target: nodeIn,
    run: listAllocations,
  }),
  routeTo({
    method: 'POST',
    path: PATH,
    access: writes('allocations'),
    target: nodeIn,
    run: createAllocations,
  }),
  routeTo({
    method: 'DELETE',
    path: `${PATH}/{allocation}`,
    access: writes('allocations'),
    target: allocationIn,
    run: ({ panel: { data } }, allocation) => {
      if (allocation.serverId !== null) {
        throw refused(
          'A server is currently assigned to this allocation. An allocation can only be deleted if no server is currently assigned.',
          'ServerUsingAllocationException',
        )
      }
      data.allocations.delete(allocation.id)
      return noContent
    },
  }),
]

function listAllocations(call: Call, node: PanelNode): Reply {
  const own = call.panel.data.allocations.where(({ nodeId }) => nodeId === node.id)
  const filters = {
    ip: exactly<Allocation>((it) => it.ip),
    port: exactly<Allocation>((it) => String(it.port)),
    ip_alias: containing<Allocation>((it) => it.alias),
    server_id: (it: Allocation, value: string) => {
      const wanted = Number(value)
      return Number.isInteger(wanted) && wanted !== 0
        ? it.serverId === wanted
        : it.serverId === null
    },
  }
  return ok(pageOf(call, own, { filters }, (it) => presentAllocation(call.view, it)))
}

async function createAllocations(call: Call, node: PanelNode): Promise<Reply> {
  const { fields, input, panel } = call
  validate({
    input,
    rules: {
      ip: ['required|string'],
      alias: ['sometimes|nullable|string|max:191'],
      ports: ['required|array'],
      'ports.*': ['string'],
    },
  })
  const addresses = await addressesOf(fields.text('ip'))
  const ports = fields.texts('ports').flatMap(portsOf)
  const known = new Set(
    panel.data.allocations
      .where(({ nodeId }) => nodeId === node.id)
      .map(({ ip, port }) => `${ip}:${port}`),
  )
  const alias = fields.textOrNull('alias')
  for (const ip of addresses) {
    for (const port of ports) {
      if (known.has(`${ip}:${port}`)) continue
      known.add(`${ip}:${port}`)
      panel.data.allocations.insert({
        nodeId: node.id,
        ip,
        alias,
        port,
        notes: null,
        serverId: null,
      })
    }
  }
  return noContent
}

function portsOf(text: string): number[] {
  const parts = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text)
  if (!parts) {
    throw refused(
      `The mapping provided for ${text} was invalid and could not be processed.`,
      'InvalidPortMappingException',
    )
  }
  const first = Number(parts[1])
  const last = Number(parts[2] ?? first)
  if (last - first + 1 > MAX_PORTS) {
    throw refused(
      'Adding more than 1000 ports in a single range at once is not supported.',
      'TooManyPortsInRangeException',
    )
  }
  if (first < 1025 || last > 65_535) {
    throw refused(
      'Ports in an allocation must be greater than 1024 and less than or equal to 65535.',
      'PortOutOfRangeException',
    )
  }
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** The addresses a text stands for: itself, those of a small network, or that of a host name. */
async function addressesOf(text: string): Promise<string[]> {
  const [address = '', bits] = text.split('/')
  if (bits === undefined) return isIP(address) ? [address] : [await resolve(address)]
  const prefix = Number(bits)
  if (!Number.isInteger(prefix) || prefix < 25 || prefix > 32) {
    throw refused('CIDR notation only allows masks between /25 and /32.', 'CidrOutOfRangeException')
  }
  const size = 2 ** (32 - prefix)
  const start = Math.floor(numberOf(address) / size) * size
  return Array.from({ length: size }, (_, index) => dotted(start + index))
}

async function resolve(host: string): Promise<string> {
  try {
    return (await lookup(host, 4)).address
  } catch {
    throw refused(`Could not parse provided allocation IP address (${host}).`)
  }
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function dotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
}

function allocationIn(panel: Panel, params: Params): Allocation {
  const node = nodeIn(panel, params)
  const allocation = panel.data.allocations.find(Number(params.allocation))
  if (allocation?.nodeId !== node.id) throw notFound()
  return allocation
}

/** The node that a path names; throws 404 for an unknown one. */
export function nodeIn(panel: Panel, params: Params): PanelNode {
  const node = panel.data.nodes.find(Number(params.node))
  if (!node) throw notFound()
  return node
}
