import pg, { type PoolClient } from 'pg'
import { watchConnections } from './connection-watchdog.ts'
import { type Database, databaseOf, type Outbox } from './index.ts'
import { parserOf } from './types.ts'

const POOL_SIZE = 10
const CONNECT_MS = 5000
const STATEMENT_MS = 30_000
/**
 * A process that sends nothing for this long within a transaction has stopped or lost its connection. Its
 * transaction is ended, which releases its locks.
 */
const IDLE_MS = 30_000

/** The role of the application, which cannot bypass row-level security. */
export const APP_ROLE = 'moorage_app'

/** Connects to a PostgreSQL server. */
export function openServer(url: string, outbox: Outbox): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    types: { getTypeParser: parserOf },
    options: [
      ...['timezone=UTC', 'datestyle=ISO', `statement_timeout=${STATEMENT_MS}`],
      `idle_in_transaction_session_timeout=${IDLE_MS}`,
    ]
      .map((it) => `-c ${it}`)
      .join(' '),
  })
  // A broken idle connection is replaced by the next query; an error without a listener would end the process.
  pool.on('error', () => {})
  // So would one that breaks while it is used: there the statement fails, which is enough.
  pool.on('connect', (client) => void client.on('error', () => {}))
  watchConnections(pool, url)
  return databaseOf({
    pool,
    outbox,
    embedded: false,
    prepare: dropOwnerRole,
    listen: (channel, heard, missed) => listenOn(url, channel, { heard, missed }),
    close: () => pool.end(),
  })
}

/** Gives up the owner's rights. A user who is bound by row-level security anyway keeps its role. */
export async function dropOwnerRole(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ bypasses: boolean }>(
    `select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = session_user`,
  )
  if (rows[0]?.bypasses) await client.query(`set role ${APP_ROLE}`)
  await client.query(`set timezone = 'UTC'`)
}

const RECONNECT_MS = 1000
const LISTENING = {
  ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS },
  ...{ keepAlive: true, keepAliveInitialDelayMillis: 10_000 },
}

type Listener = { heard: (payload: string) => void; missed?: (() => void) | undefined }

/** Listens on a connection of its own, and on a new one if that is lost or silent for long. */
async function listenOn(url: string, channel: string, { heard, missed }: Listener) {
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, ...LISTENING })
    fresh.on('notification', ({ payload }) => heard(payload ?? ''))
    // The 'end' event handles failures; an error without a listener would end the process.
    fresh.on('error', () => {})
    try {
      await fresh.connect()
      await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      void fresh.end().catch(() => {})
      throw error
    }
    client = fresh
    fresh.once('end', again)
    if (stopped) await fresh.end()
  }
  function again(): void {
    if (stopped) return
    client = null
    timer = setTimeout(() => connect().then(missed, again), RECONNECT_MS)
  }
  await connect()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await client?.end()
  }
}
