import { randomUUID } from 'node:crypto'
import { type Item, listOf, timestamp, type View } from '../http/envelope.ts'
import { refused } from '../http/errors.ts'
import { containing, pageOf } from '../http/query.ts'
import {
  type Call,
  created,
  noContent,
  ok,
  type Reply,
  type Route,
  reads,
  route,
  routeTo,
  writes,
} from '../http/router.ts'
import { validate } from '../rules/validate.ts'
import { allocatedOn, serversOn } from '../state/data.ts'
import { randomText } from '../state/keys.ts'
import type { PanelNode } from '../state/rows.ts'
import { nodeIn, presentAllocation } from './allocations.ts'
import { presentLocation } from './locations.ts'

const PATH = '/api/application/nodes'
const ONE = `${PATH}/{node}`

export function presentNode(view: View, node: PanelNode): Item {
  const { data } = view.panel
  const used = allocatedOn(data, node.id)
  return {
    object: 'node',
    attributes: {
      id: node.id,
      uuid: node.uuid,
      public: node.public,
      name: node.name,
      description: node.description,
      location_id: node.locationId,
      fqdn: node.fqdn,
      scheme: node.scheme,
      behind_proxy: node.behindProxy,
      maintenance_mode: node.maintenanceMode,
      memory: node.memory,
      memory_overallocate: node.memoryOverallocate,
      disk: node.disk,
      disk_overallocate: node.diskOverallocate,
      upload_size: node.uploadSize,
      daemon_listen: node.daemonListen,
      daemon_sftp: node.daemonSftp,
      daemon_base: node.daemonBase,
      created_at: timestamp(node.createdAt),
      updated_at: timestamp(node.updatedAt),
      allocated_resources: { memory: used.memory, disk: used.disk },
      ...view.relations({
        allocations: {
          resource: 'allocations',
          load: (into) => {
            const own = data.allocations.where(({ nodeId }) => nodeId === node.id)
            return listOf(own.map((it) => presentAllocation(into, it)))
          },
        },
        location: {
          resource: 'locations',
          load: (into) => presentLocation(into, data.locations.get(node.locationId)),
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
  route({ method: 'POST', path: PATH, access: writes('nodes'), run: createNode }),
  routeTo({
    method: 'GET',
    path: ONE,
    access: reads('nodes'),
    target: nodeIn,
    run: (call, node) => ok(presentNode(call.view, node)),
  }),
  routeTo({
    method: 'GET',
    path: `${ONE}/configuration`,
    access: reads('nodes'),
    target: nodeIn,
    run: (call, node) => ok(configurationOf(node, call.url.origin)),
  }),
  routeTo({
    method: 'PATCH',
    path: ONE,
    access: writes('nodes'),
    target: nodeIn,
    run: (call, node) => {
      checkFields(call)
      Object.assign(node, valuesOf(call, node), { updatedAt: call.now })
      return ok(presentNode(call.view, node))
    },
  }),
  routeTo({
    method: 'DELETE',
    path: ONE,
    access: writes('nodes'),
    target: nodeIn,
    run: ({ panel: { data } }, node) => {
      if (serversOn(data, node.id).length > 0) {
        throw refused(
          'A node must have no servers linked to it in order to be deleted.',
          'HasActiveServersException',
        )
      }
      for (const { id } of data.allocations.where(({ nodeId }) => nodeId === node.id)) {
        data.allocations.delete(id)
      }
      data.nodes.delete(node.id)
      return noContent
    },
  }),
]

export function listNodes(call: Call): Reply {
  const filters = {
    uuid: containing<PanelNode>((it) => it.uuid),
    name: containing<PanelNode>((it) => it.name),
    fqdn: containing<PanelNode>((it) => it.fqdn),
    daemon_token_id: containing<PanelNode>((it) => it.daemonTokenId),
  }
  const sorts = {
    id: (it: PanelNode) => it.id,
    uuid: (it: PanelNode) => it.uuid,
    memory: (it: PanelNode) => it.memory,
    disk: (it: PanelNode) => it.disk,
  }
  const nodes = call.panel.data.nodes.all()
  return ok(pageOf(call, nodes, { filters, sorts }, (it) => call.view.present.node(call.view, it)))
}

function createNode(call: Call): Reply {
  checkFields(call)
  const node = call.panel.data.nodes.insert({
    ...valuesOf(call, null),
    uuid: randomUUID(),
    daemonTokenId: randomText(16),
    daemonToken: randomText(64),
    daemon: 'up',
    createdAt: call.now,
    updatedAt: call.now,
  })
  return created(presentNode(call.view, node), `${call.url.origin}${PATH}/${node.id}`)
}

function valuesOf({ fields }: Call, before: PanelNode | null) {
  return {
    name: fields.text('name'),
    description: fields.textOrNull('description'),
    locationId: fields.number('location_id'),
    tags: [],
    fqdn: fields.text('fqdn'),
    scheme: fields.text('scheme'),
    public: fields.flag('public', before?.public ?? true),
    behindProxy: fields.flag('behind_proxy', before?.behindProxy ?? false),
    maintenanceMode: fields.flag('maintenance_mode', before?.maintenanceMode ?? false),
    memory: fields.number('memory'),
    memoryOverallocate: fields.number('memory_overallocate'),
    disk: fields.number('disk'),
    diskOverallocate: fields.number('disk_overallocate'),
    cpu: 0,
    cpuOverallocate: 0,
    uploadSize: fields.numberOrNull('upload_size') ?? before?.uploadSize ?? 100,
    daemonListen: fields.number('daemon_listen'),
    daemonSftp: fields.number('daemon_sftp'),
    daemonBase: fields.textOrNull('daemon_base') ?? '/var/lib/pterodactyl/volumes',
  }
}

function checkFields({ input, panel }: Call): void {
  const exists = (value: unknown) => panel.data.locations.find(Number(value)) !== undefined
  const port = ['required|numeric|between:1,65535']
  validate({
    input,
    rules: {
      name: ['required|string|between:1,100', 'regex:/^([\\w .-]{1,100})$/'],
      description: ['sometimes|nullable|string'],
      location_id: ['required|integer', { name: 'exists', passes: exists }],
      fqdn: ['required|string'],
      scheme: ['required|in:http,https'],
      public: ['sometimes|boolean'],
      behind_proxy: ['sometimes|boolean'],
      maintenance_mode: ['sometimes|boolean'],
      memory: ['required|numeric|min:1'],
      memory_overallocate: ['required|numeric|min:-1'],
      disk: ['required|numeric|min:1'],
      disk_overallocate: ['required|numeric|min:-1'],
      upload_size: ['sometimes|integer|between:1,1024'],
      daemon_listen: port,
      daemon_sftp: port,
      daemon_base: ['sometimes|nullable|regex:/^([\\/][\\d\\w.\\-\\/]+)$/'],
    },
  })
}

/** What the daemon of a node is configured with, its secret too. */
function configurationOf(node: PanelNode, origin: string): Record<string, unknown> {
  return {
    debug: false,
    uuid: node.uuid,
    token_id: node.daemonTokenId,
    token: node.daemonToken,
    api: {
      host: '0.0.0.0',
      port: node.daemonListen,
      ssl: {
        enabled: node.scheme === 'https' && !node.behindProxy,
        cert: `/etc/letsencrypt/live/${node.fqdn}/fullchain.pem`,
        key: `/etc/letsencrypt/live/${node.fqdn}/privkey.pem`,
      },
      upload_limit: node.uploadSize,
    },
    system: { data: node.daemonBase, sftp: { bind_port: node.daemonSftp } },
    allowed_mounts: [],
    remote: origin,
  }
}
