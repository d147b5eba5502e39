import { type Item, listOf, timestamp, type View } from '../http/envelope.ts'
import { notFound } from '../http/errors.ts'
import { ok, type Route, reads, route, routeTo } from '../http/router.ts'
import { presentAllocation } from '../pterodactyl/allocations.ts'
import { listNodes } from '../pterodactyl/nodes.ts'
import { allocatedOn, serversOn } from '../state/data.ts'
import type { PanelNode } from '../state/rows.ts'

const PATH = '/api/application/nodes'

/** A machine of this panel: tags in place of a location, and its cores are counted too. */
export function presentNode(view: View, node: PanelNode): Item {
  const { data } = view.panel
  return {
    object: 'node',
    attributes: {
      id: node.id,
      uuid: node.uuid,
      public: node.public,
      name: node.name,
      description: node.description,
      tags: node.tags,
      fqdn: node.fqdn,
      scheme: node.scheme,
      behind_proxy: node.behindProxy,
      maintenance_mode: node.maintenanceMode,
      memory: node.memory,
      memory_overallocate: node.memoryOverallocate,
      disk: node.disk,
      disk_overallocate: node.diskOverallocate,
      cpu: node.cpu,
      cpu_overallocate: node.cpuOverallocate,
      upload_size: node.uploadSize,
      daemon_listen: node.daemonListen,
      daemon_connect: node.daemonListen,
      daemon_sftp: node.daemonSftp,
      daemon_sftp_alias: null,
      daemon_base: node.daemonBase,
      created_at: timestamp(node.createdAt),
      updated_at: timestamp(node.updatedAt),
      allocated_resources: allocatedOn(data, node.id),
      ...view.relations({
        allocations: {
          resource: 'allocations',
          load: (into) => {
            const own = data.allocations.where(({ nodeId }) => nodeId === node.id)
            return listOf(own.map((it) => presentAllocation(into, it)))
          },
        },
        servers: {
          resource: 'servers',
          load: (into) =>
            listOf(serversOn(data, node.id).map((it) => into.present.server(into, it))),
        },
      }),
    },
  }
}

export const nodeRoutes: Route[] = [
  route({ method: 'GET', path: PATH, access: reads('nodes'), run: listNodes }),
  routeTo({
    method: 'GET',
    path: `${PATH}/{node}`,
    access: reads('nodes'),
    target: ({ data }, params) => {
      const node = data.nodes.find(Number(params.node))
      if (!node) throw notFound()
      return node
    },
    run: (call, node) => ok(presentNode(call.view, node)),
  }),
]
