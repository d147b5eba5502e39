import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg, { type PoolClient } from 'pg'
import { EmbeddedStream } from './embedded-stream.ts'
import { type Database, databaseOf, type Outbox } from './index.ts'
import { watchSilence } from './silence.ts'
import { parserOf } from './types.ts'

const POOL_SIZE = 10
const CONNECT_MS = 5000
const STATEMENT_MS = 30_000

/** The role the application works as: it cannot bypass row-level security. */
export const APP_ROLE = 'moorage_app'

/** Connects to a PostgreSQL server. */
export function openServer(url: string, outbox: Outbox): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_MS,
    types: { getTypeParser: parserOf },
    options: `-c timezone=UTC -c datestyle=ISO -c statement_timeout=${STATEMENT_MS}`,
  })
  // An idle connection that breaks is replaced by the next query; without a listener it would end the process.
  pool.on('error', () => {})
  // So would one that breaks while somebody works on it: its statement fails, and that is how they hear.
  pool.on('connect', (client) => void client.on('error', () => {}))
  watchSilence(pool, url)
  return databaseOf({
    pool,
    outbox,
    embedded: false,
    prepare: takeAppRole,
    listen: (channel, heard, missed) => listenOn(url, channel, { heard, missed }),
    close: () => pool.end(),
  })
}

/** Opens the embedded database in a folder. */
export async function openEmbedded(folder: string, outbox: Outbox): Promise<Database> {
  const pglite = await PGlite.create({
    extensions: EXTENSIONS,
    fs: new DurableFiles(folder),
    startParams: DURABLE,
  })
  const session = sessionOf(pglite)
  return embedded(session, outbox, async () => {
    await session.pool.end()
    await pglite.close()
  })
}

/** What the migrations need beside PostgreSQL itself. */
export const EXTENSIONS = { btree_gist }

/** The one connection that an embedded database has, and who hears its notifications. */
export type Session = { pool: pg.Pool; listeners: EventEmitter<Record<string, [payload: string]>> }

/** Connects to an instance that runs already. */
export function sessionOf(pglite: PGlite): Session {
  const listeners: Session['listeners'] = new EventEmitter()
  const pool = new pg.Pool({
    // It has what the driver asks of a socket, which is less than the type of one says.
    stream: () => new EmbeddedStream(pglite) as unknown as Duplex,
    max: 1,
    idleTimeoutMillis: 0,
    types: { getTypeParser: parserOf },
  })
  pool.on('connect', (client) => {
    client.on('notification', ({ channel, payload = '' }) => listeners.emit(channel, payload))
  })
  return { pool, listeners }
}

/** The embedded database on a session of it; `close` says what becomes of both. */
export function embedded(
  { pool, listeners }: Session,
  outbox: Outbox,
  close: () => Promise<void>,
): Database {
  return databaseOf({
    pool,
    outbox,
    embedded: true,
    async prepare(client) {
      await takeAppRole(client)
      // In WebAssembly a plan takes longer to make than a small table to read.
      await client.query('set plan_cache_mode = force_generic_plan')
    },
    async listen(channel, heard) {
      const name = pg.escapeIdentifier(channel)
      listeners.on(channel, heard)
      await pool.query(`listen ${name}`)
      return async () => {
        listeners.off(channel, heard)
        if (listeners.listenerCount(channel) === 0) await pool.query(`unlisten ${name}`)
      }
    },
    close,
  })
}

/** PGlite's own start parameters without `-F`, which would switch the disk's guarantees off. */
const DURABLE = [
  ...['--single', '-O', '-j'],
  ...['search_path=public', 'exit_on_error=false', 'log_checkpoints=false'].flatMap(setting),
  ...['max_worker_processes=0', 'max_parallel_workers=0', 'io_method=sync'].flatMap(setting),
  ...['max_parallel_workers_per_gather=0', 'max_parallel_maintenance_workers=0'].flatMap(setting),
  ...['fsync=on', 'synchronous_commit=on', 'wal_sync_method=fsync'].flatMap(setting),
]

function setting(text: string): string[] {
  return ['-c', text]
}

type EmscriptenFiles = {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } }
}

/** Files on disk whose `fsync` really waits for the disk; the library's own does nothing. */
class DurableFiles extends NodeFS {
  constructor(folder: string) {
    fs.mkdirSync(path.dirname(folder), { recursive: true })
    super(folder)
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args)
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (module: unknown) => {
            ;(module as EmscriptenFiles).NODEFS.stream_ops.fsync = ({ nfd }) => {
              fs.fdatasyncSync(nfd)
              return 0
            }
          },
        ],
      },
    }
  }
}

/** Leaves the owner's rights behind. A user who is bound by row-level security anyway stays itself. */
async function takeAppRole(client: PoolClient): Promise<void> {
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

/** Hears on a connection of its own, and on another one when that is lost or silent for long. */
async function listenOn(url: string, channel: string, { heard, missed }: Listener) {
  let stopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, ...LISTENING })
    fresh.on('notification', ({ payload }) => heard(payload ?? ''))
    // What is wrong is said by its end; an unheard error would end the process.
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
