import pg, { type Pool, type PoolClient } from 'pg'

/** So long nobody asks why a statement is not answered yet. */
const SILENCE_MS = 5000
/** A server that does not answer a new connection within this is away. */
const LOOK_MS = 10_000

/** The server of a connection; nothing for the embedded database, which cannot go away. */
const servers = new WeakMap<PoolClient, string>()

/** From now on nobody waits on a connection of the pool for a server that is not there any more. */
export function watchSilence(pool: Pool, url: string): void {
  pool.on('connect', (client) => void servers.set(client, url))
}

/**
 * Waits for what a connection answers. A server that hangs, and a network that swallows, say nothing, and
 * that for ever; a long statement says nothing either. So when nothing has come for a while the server is
 * asked over a new connection, and if it is not there, or knows of no work, this one is cut: what is
 * waited for fails like any other work on a connection that broke.
 */
export async function answered<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  const url = servers.get(client)
  if (url === undefined) return work()
  let ended = false
  let timer = setTimeout(look, SILENCE_MS)
  async function look(): Promise<void> {
    const isWorking = await isAtWork(url ?? '', pidOf(client))
    if (ended) return
    if (isWorking) timer = setTimeout(look, SILENCE_MS)
    else cut(client)
  }
  try {
    return await work()
  } finally {
    ended = true
    clearTimeout(timer)
  }
}

/** Whether the server is there and, as far as it knows of the connection, at work for it. */
async function isAtWork(url: string, pid: number): Promise<boolean> {
  const limits = { connectionTimeoutMillis: LOOK_MS, query_timeout: LOOK_MS }
  const client = new pg.Client({ connectionString: url, ...limits })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ state: string | null }>(
      'select state from pg_stat_activity where pid = $1',
      [pid],
    )
    // A pooler has numbers of its own: a connection that nobody knows may well be at work.
    return !rows[0]?.state?.startsWith('idle')
  } catch (error) {
    return isFull(error)
  } finally {
    void client.end().catch(() => {})
  }
}

/** A server that has no room for one more connection is there. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300'
}

// Both are there on every connection; the types of the pool leave them out.
function pidOf(client: PoolClient): number {
  return (client as unknown as { processID: number }).processID
}

function cut(client: PoolClient): void {
  void (client as unknown as pg.Client).end().catch(() => {})
}
