import { type Item, listOf, timestamp, type View } from '../../http/envelope.ts'
import {
  allocationsOf,
  type Data,
  databasesOf,
  isInstalled,
  variablesOf,
} from '../../state/data.ts'
import type { Database, Server, Subuser } from '../../state/rows.ts'
import { presentAllocation } from '../allocations.ts'
import { presentLocation } from '../locations.ts'
import { presentNest, presentVariable } from '../nests.ts'

export function presentServer(view: View, server: Server): Item {
  const { data } = view.panel
  return {
    object: 'server',
    attributes: {
      id: server.id,
      external_id: server.externalId,
      uuid: server.uuid,
      identifier: server.uuid.slice(0, 8),
      name: server.name,
      description: server.description,
      status: server.status,
      suspended: server.status === 'suspended',
      limits: limitsOf(server),
      feature_limits: {
        databases: server.databaseLimit,
        allocations: server.allocationLimit,
        backups: server.backupLimit,
      },
      user: server.ownerId,
      node: server.nodeId,
      allocation: server.allocationId,
      nest: data.eggs.get(server.eggId).nestId,
      egg: server.eggId,
      container: {
        startup_command: server.startup,
        image: server.image,
        installed: isInstalled(server) ? 1 : 0,
        environment: environmentOf(data, server),
      },
      updated_at: timestamp(server.updatedAt),
      created_at: timestamp(server.createdAt),
      ...relationsOf(view, server),
    },
  }
}

export function limitsOf({ limits, oomDisabled }: Server) {
  const { memory, swap, disk, io, cpu, threads } = limits
  return { memory, swap, disk, io, cpu, threads, oom_disabled: oomDisabled }
}

/** Every variable of the egg, with the server's value or the default, and the panel's own. */
function environmentOf(data: Data, server: Server): Record<string, string | number> {
  const environment: Record<string, string | number> = {}
  for (const { id, envVariable, defaultValue } of variablesOf(data, server.eggId)) {
    environment[envVariable] = server.variables.get(id) ?? defaultValue
  }
  const node = data.nodes.get(server.nodeId)
  return {
    ...environment,
    STARTUP: server.startup,
    P_SERVER_LOCATION: data.locations.get(node.locationId).short,
    P_SERVER_UUID: server.uuid,
    P_SERVER_ALLOCATION_LIMIT: server.allocationLimit ?? 0,
  }
}

function relationsOf(view: View, server: Server) {
  const { data } = view.panel
  const node = data.nodes.get(server.nodeId)
  const egg = data.eggs.get(server.eggId)
  return view.relations({
    allocations: {
      resource: 'allocations',
      load: (into) =>
        listOf(allocationsOf(data, server.id).map((it) => presentAllocation(into, it))),
    },
    user: {
      resource: 'users',
      load: (into) => into.present.user(into, data.users.get(server.ownerId)),
    },
    subusers: {
      resource: 'users',
      load: (into) => {
        const own = data.subusers.where(({ serverId }) => serverId === server.id)
        return listOf(own.map((it) => presentSubuser(into, it)))
      },
    },
    nest: { resource: 'nests', load: (into) => presentNest(into, data.nests.get(egg.nestId)) },
    egg: { resource: 'eggs', load: (into) => into.present.egg(into, egg) },
    variables: { resource: 'servers', load: () => listOf(variableItems(data, server)) },
    location: {
      resource: 'locations',
      load: (into) => presentLocation(into, data.locations.get(node.locationId)),
    },
    node: { resource: 'nodes', load: (into) => into.present.node(into, node) },
    databases: {
      resource: 'server_databases',
      load: () => listOf(databasesOf(data, server.id).map(presentDatabase)),
    },
  })
}

function variableItems(data: Data, server: Server): Item[] {
  return variablesOf(data, server.eggId).map((variable) => ({
    object: 'server_variable',
    attributes: {
      ...presentVariable(variable).attributes,
      server_value: server.variables.get(variable.id) ?? null,
    },
  }))
}

/** A database as the application API tells of it. */
export function presentDatabase({
  id,
  serverId,
  name,
  username,
  remote,
  createdAt,
}: Database): Item {
  const at = timestamp(createdAt)
  return {
    object: 'server_database',
    attributes: {
      ...{ id, server: serverId, host: 1, database: name, username, remote },
      ...{ max_connections: null, created_at: at, updated_at: at },
    },
  }
}

function presentSubuser(view: View, subuser: Subuser): Item {
  const { data } = view.panel
  return {
    object: 'subuser',
    attributes: {
      id: subuser.id,
      user_id: subuser.userId,
      server_id: subuser.serverId,
      permissions: subuser.permissions,
      created_at: timestamp(subuser.createdAt),
      updated_at: timestamp(subuser.createdAt),
      ...view.relations({
        user: {
          resource: 'users',
          load: (into) => into.present.user(into, data.users.get(subuser.userId)),
        },
      }),
    },
  }
}
