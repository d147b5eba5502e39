import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg from 'pg'
import { EmbeddedStream } from './embedded-stream.ts'
import { type Database, databaseOf, type Outbox } from './index.ts'
import { takeAppRole } from './open.ts'
import { parserOf } from './types.ts'

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
