import type { PanelClient } from '../contract.ts'
import { liveCalls } from '../pterodactyl/live.ts'
import { type Connection, createTransport } from '../pterodactyl/transport.ts'
import { testConnection } from './connection-test.ts'
import { eggCalls } from './eggs.ts'
import { nodeCalls } from './nodes.ts'
import { serverCalls } from './servers.ts'
import { userCalls } from './users.ts'

/**
 * The client of a Pelican panel, a fork of Pterodactyl: only the differences are in this folder.
 */
export function pelicanClient(connection: Connection): PanelClient {
  const transport = createTransport(connection)
  return {
    type: 'pelican',
    test: () => testConnection(connection, transport),
    ...eggCalls(transport),
    ...nodeCalls(transport),
    ...userCalls(transport),
    ...serverCalls(transport),
    ...liveCalls(transport),
  }
}
