import type { PanelLocation, PanelTest } from '../contract.ts'
import {
  ONE,
  orRefused,
  PROBES,
  type TestDialect,
  testConnection as testPanel,
} from '../pterodactyl/connection-test.ts'
import { mapOf, pageOf } from '../pterodactyl/envelope.ts'
import type { Connection, Transport } from '../pterodactyl/transport.ts'
import { locationsOf, nodeOf } from './nodes.ts'

const PELICAN: TestDialect = {
  type: 'pelican',
  probes: [...PROBES, ['eggs:read', { method: 'GET', path: '/eggs' }]],
  hidden: [['roles:read', mayReadRoles]],
  locations: readLocations,
  locationPermission: 'nodes:read',
  remark: 'This panel has no locations: the tags of its nodes stand for them.',
}

/** Asks a Pelican panel for one object of each kind that the service needs. */
export function testConnection(connection: Connection, transport: Transport): Promise<PanelTest> {
  return testPanel(connection, transport, PELICAN)
}

/** Without this permission an administrator's account cannot be told from a customer's. */
async function mayReadRoles({ call }: Transport): Promise<boolean> {
  const query = { ...ONE, include: 'roles' }
  const readable = call({ method: 'GET', path: '/users', query, probe: true }, (body) =>
    pageOf(body).rows.every(({ relationships }) => !isWithheld(mapOf(relationships).roles)),
  )
  // A key that may not even read users was detected before.
  return (await orRefused(readable)) ?? true
}

/** A panel too old for roles leaves the relation out; one that refuses it marks it as null. */
function isWithheld(roles: unknown): boolean {
  return mapOf(roles).object === 'null_resource'
}

async function readLocations({ listAll }: Transport): Promise<PanelLocation[] | undefined> {
  const query = { sort: 'id' }
  const nodes = await orRefused(listAll({ path: '/nodes', query, probe: true }, nodeOf))
  return nodes && locationsOf(nodes)
}
