import { type Item, listOf } from '../../http/envelope.ts'
import type { Call } from '../../http/router.ts'
import { allocationsOf, type Data, isInstalled, variablesOf } from '../../state/data.ts'
import type { Allocation, Server } from '../../state/rows.ts'
import { limitsOf } from '../servers/present.ts'
import { userOf } from './access.ts'
import { permissionsOf } from './permissions.ts'

/** A server as its user sees it, with its allocations and the variables a user may see. */
export function presentClientServer({ panel, key }: Call, server: Server): Item {
  const { data } = panel
  const user = userOf(panel, key)
  const node = data.nodes.get(server.nodeId)
  const permissions = permissionsOf(panel, user, server)
  const may = (permission: string) => permissions.includes('*') || permissions.includes(permission)
  const allocations = allocationsOf(data, server.id).filter(
    ({ id }) => may('allocation.read') || id === server.allocationId,
  )
  const variables = listOf(visibleVariables(data, server))
  return {
    object: 'server',
    attributes: {
      server_owner: user.id === server.ownerId,
      identifier: server.uuid.slice(0, 8),
      internal_id: server.id,
      uuid: server.uuid,
      name: server.name,
      node: node.name,
      is_node_under_maintenance: node.maintenanceMode,
      sftp_details: { ip: node.fqdn, port: node.daemonSftp },
      description: server.description,
      limits: limitsOf(server),
      invocation: invocationOf(data, server),
      docker_image: server.image,
      egg_features: data.eggs.get(server.eggId).features,
      feature_limits: {
        databases: server.databaseLimit,
        allocations: server.allocationLimit,
        backups: server.backupLimit,
      },
      status: server.status,
      is_suspended: server.status === 'suspended',
      is_installing: !isInstalled(server),
      is_transferring: server.transferring,
      relationships: {
        allocations: listOf(allocations.map((it) => presentAllocation(it, server.allocationId))),
        variables: may('startup.read') ? variables : { object: 'null_resource', attributes: null },
      },
    },
  }
}

function presentAllocation(allocation: Allocation, primaryId: number | null): Item {
  return {
    object: 'allocation',
    attributes: {
      id: allocation.id,
      ip: allocation.ip,
      ip_alias: allocation.alias,
      port: allocation.port,
      notes: allocation.notes,
      is_default: allocation.id === primaryId,
    },
  }
}

function visibleVariables(data: Data, server: Server): Item[] {
  return variablesOf(data, server.eggId)
    .filter(({ userViewable }) => userViewable)
    .map((variable) => ({
      object: 'egg_variable',
      attributes: {
        name: variable.name,
        description: variable.description,
        env_variable: variable.envVariable,
        default_value: variable.defaultValue,
        server_value: server.variables.get(variable.id) ?? null,
        is_editable: variable.userEditable,
        rules: variable.rules.join('|'),
      },
    }))
}

/** The start command with everything filled in; what a user may not see stays hidden. */
function invocationOf(data: Data, server: Server): string {
  const primary = data.allocations.find(server.allocationId ?? 0)
  const values = new Map([
    ['SERVER_MEMORY', String(server.limits.memory)],
    ['SERVER_IP', primary?.ip ?? ''],
    ['SERVER_PORT', String(primary?.port ?? '')],
  ])
  for (const { id, envVariable, defaultValue, userViewable } of variablesOf(data, server.eggId)) {
    values.set(envVariable, userViewable ? (server.variables.get(id) ?? defaultValue) : '[hidden]')
  }
  return server.startup.replace(/\{\{(\w+)\}\}/g, (whole, name) => values.get(name) ?? whole)
}
