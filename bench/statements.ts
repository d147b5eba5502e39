import type { PoolClient } from 'pg'
import { areas } from '#app/areas.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/database/index.ts'
import { openDatabaseOf, startService } from '#platform/start.ts'

/** A statement as it went to the database. */
export type Statement = { text: string; values: unknown[] }

type Query = string | { text: string; values?: unknown[] }

/**
 * Asks the service once, in this process, and answers the statements that the request took when
 * everything that is remembered was remembered. So the bare handler runs what the service runs.
 */
export async function statementsOf(
  config: Config,
  ask: (url: string) => Promise<void>,
): Promise<Statement[]> {
  const seen: Statement[] = []
  let recording = false
  const service = await startService({ ...config, port: 0, role: 'api' }, areas, {
    async openDatabase(outbox) {
      const database = await openDatabaseOf(config, outbox)
      record(database, (statement) => {
        if (recording) seen.push(statement)
      })
      return database
    },
  })
  try {
    const url = service.url ?? ''
    await ask(url)
    recording = true
    await ask(url)
    return seen
  } finally {
    await service.stop()
  }
}

function record({ pool }: Database, note: (statement: Statement) => void): void {
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client) as (query: Query, ...rest: unknown[]) => unknown
    const recorded = (it: Query, ...rest: unknown[]) => {
      const { text, values = [] } = typeof it === 'string' ? { text: it } : it
      note({ text, values })
      return query(it, ...rest)
    }
    Object.assign(client, { query: recorded })
  })
}
