import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import type { Duplex } from 'node:stream'
import v8 from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg from 'pg'
import { makeFolder, makePrivate } from '../private-files.ts'
import { EmbeddedStream } from './embedded-stream.ts'
import { lockFolder } from './folder-lock.ts'
import { type Database, databaseOf, type Outbox } from './index.ts'
import { dropOwnerRole } from './open.ts'
import { copyPrepared } from './prepared.ts'
import { parserOf } from './types.ts'

/**
 * Opens the embedded database in a folder. No other process may have it open: that would destroy it. Throws
 * a `FolderInUse`.
 */
export async function openEmbedded(folder: string, outbox: Outbox): Promise<Database> {
  const lock = lockFolder(folder)
  try {
    makeFolder(folder)
    makePrivate(folder)
    if (fs.readdirSync(folder).length === 0) await copyPrepared(fs.realpathSync(folder))
    const pglite = await PGlite.create({
      extensions: EXTENSIONS,
      fs: new DurableFiles(folder),
      startParams: DURABLE,
    })
    const session = sessionOf(pglite)
    return embedded(session, outbox, async () => {
      await session.pool.end()
      await pglite.close()
      lock.release()
    })
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * From now on V8 does not recompile WebAssembly in this process with its optimizing compiler, which takes 600 MB for one
 * function of PostgreSQL. Statements take a quarter longer (decision 234).
 */
export function withoutOptimizer(): void {
  // The last two follow from the first on a command line only.
  v8.setFlagsFromString('--liftoff-only --no-wasm-tier-up --no-wasm-dynamic-tiering')
}

/** The extensions that the migrations need. */
export const EXTENSIONS = { btree_gin, btree_gist }

/** The one connection of an embedded database, and the listeners for its notifications. */
export type Session = { pool: pg.Pool; listeners: EventEmitter<Record<string, [payload: string]>> }

/** Connects to an instance that is already running. */
export function sessionOf(pglite: PGlite): Session {
  const listeners: Session['listeners'] = new EventEmitter()
  const pool = new pg.Pool({
    // It has what the driver needs of a socket, which is less than the type requires.
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

/** The embedded database on its session; `close` closes both. */
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
      await dropOwnerRole(client)
      // In WebAssembly, planning takes longer than reading a small table.
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

/** PGlite's own start parameters without `-F`, which would disable fsync. */
const DURABLE = [
  ...['--single', '-O', '-j'],
  ...['search_path=public', 'exit_on_error=false', 'log_checkpoints=false'].flatMap(setting),
  ...['max_worker_processes=0', 'max_parallel_workers=0', 'io_method=sync'].flatMap(setting),
  ...['max_parallel_workers_per_gather=0', 'max_parallel_maintenance_workers=0'].flatMap(setting),
  ...['fsync=on', 'synchronous_commit=on', 'wal_sync_method=fsync'].flatMap(setting),
  // The cache of the operating system holds the files as well.
  ...['shared_buffers=32MB'].flatMap(setting),
]

function setting(text: string): string[] {
  return ['-c', text]
}

type Attributes = { mode?: number }
type EmscriptenFiles = {
  NODEFS: {
    node_ops: {
      mknod: (parent: unknown, name: string, mode: number, device: number) => unknown
      setattr: (node: unknown, attributes: Attributes) => void
    }
    stream_ops: {
      setattr: (stream: unknown, attributes: Attributes) => void
      fsync?: (stream: { nfd: number }) => number
    }
  }
}

/** The permissions of all users but the owner. */
const OTHERS = 0o077

/**
 * Files on disk whose `fsync` really waits for the disk, which the library's own does not, and that only
 * their owner may access: the library makes them writable for everybody, whatever the umask is.
 */
class DurableFiles extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args)
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (module: unknown) => {
            const { node_ops: nodes, stream_ops: streams } = (module as EmscriptenFiles).NODEFS
            streams.fsync = ({ nfd }) => {
              fs.fdatasyncSync(nfd)
              return 0
            }
            const { mknod } = nodes
            nodes.mknod = (parent, name, mode, device) =>
              mknod(parent, name, mode & ~OTHERS, device)
            for (const operations of [nodes, streams]) restrictModes(operations)
          },
        ],
      },
    }
  }
}

function restrictModes(operations: {
  setattr: (it: unknown, attributes: Attributes) => void
}): void {
  const { setattr } = operations
  operations.setattr = (it, { mode, ...others }) => {
    setattr(it, mode === undefined ? others : { ...others, mode: mode & ~OTHERS })
  }
}
