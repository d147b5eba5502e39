import { type Item, listOf, timestamp, type View } from '../../http/envelope.ts'
import { presentAllocation } from '../../pterodactyl/allocations.ts'
import { limitsOf, presentDatabase } from '../../pterodactyl/servers/present.ts'
import {
  allocationsOf,
  type Data,
  databasesOf,
  isInstalled,
  variablesOf,
} from '../../state/data.ts'
import type { Server } from '../../state/rows.ts'
import { presentVariable } from '../eggs.ts'

/** A server of this panel: of no nest, and perhaps without an address. */
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
      limits: { ...limitsOf(server), oom_killer: !server.oomDisabled },
      feature_limits: {
        databases: server.databaseLimit,
        allocations: server.allocationLimit,
        backups: server.backupLimit,
      },
      user: server.ownerId,
      node: server.nodeId,
      allocation: server.allocationId,
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

function environmentOf(data: Data, server: Server): Record<string, string> {
  const values = variablesOf(data, server.eggId).map(({ id, envVariable, defaultValue }) => [
    envVariable,
    server.variables.get(id) ?? defaultValue,
  ])
  return { ...Object.fromEntries(values), STARTUP: server.startup, P_SERVER_UUID: server.uuid }
}

function relationsOf(view: View, server: Server) {
  const { data } = view.panel
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
    egg: {
      resource: 'eggs',
      load: (into) => into.present.egg(into, data.eggs.get(server.eggId)),
    },
    variables: {
      resource: 'servers',
      load: () =>
        listOf(
          variablesOf(data, server.eggId).map((variable) => ({
            object: 'server_variable',
            attributes: {
              ...presentVariable(variable).attributes,
              server_value: server.variables.get(variable.id) ?? null,
            },
          })),
        ),
    },
    node: {
      resource: 'nodes',
      load: (into) => into.present.node(into, data.nodes.get(server.nodeId)),
    },
    databases: {
      resource: 'server_databases',
      load: () => listOf(databasesOf(data, server.id).map(presentDatabase)),
    },
  })
}
