import type { PanelClient } from '../contract.ts'
import { testConnection } from './connection-test.ts'
import { eggCalls } from './eggs.ts'
import { liveCalls } from './live.ts'
import { nodeCalls } from './nodes.ts'
import { serverCalls } from './servers.ts'
import { type Connection, createTransport } from './transport.ts'
import { userCalls } from './users.ts'

/** The client of a Pterodactyl panel, version 1.8 or newer. */
export function pterodactylClient(connection: Connection): PanelClient {
  const transport = createTransport(connection)
  return {
    type: 'pterodactyl',
    test: () => testConnection(connection, transport),
    ...eggCalls(transport),
    ...nodeCalls(transport),
    ...userCalls(transport),
    ...serverCalls(transport),
    ...liveCalls(transport),
  }
}
