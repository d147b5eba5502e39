import pg, { type Pool, type PoolClient } from 'pg'

/** A statement that takes longer than this has its server checked. */
const SILENCE_MS = 5000
/** A server that does not accept a new connection within this time is down. */
const CHECK_MS = 10_000

/** The server of each connection; none for the embedded database, which is in this process. */
const servers = new WeakMap<PoolClient, string>()

/** Registers the connections of a pool, so that statements on them do not wait for a server that is gone. */
export function watchConnections(pool: Pool, url: string): void {
  pool.on('connect', (client) => void servers.set(client, url))
}

/**
 * Runs `work` on a connection and returns its result. If a server hangs or the network drops packets, there is
 * no response, but a long statement looks the same. So after a while the server is asked through a second
 * connection whether it is still working for this one. If it is down or idle, this connection is closed, and
 * `work` fails as on any broken connection.
 */
export async function answered<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  const url = servers.get(client)
  if (url === undefined) return work()
  let ended = false
  let timer = setTimeout(check, SILENCE_MS)
  async function check(): Promise<void> {
    const isWorking = await isAtWork(url ?? '', pidOf(client))
    if (ended) return
    if (isWorking) timer = setTimeout(check, SILENCE_MS)
    else cut(client)
  }
  try {
    return await work()
  } finally {
    ended = true
    clearTimeout(timer)
  }
}

/** Whether the server is up and, as far as it knows, working for the connection with this process id. */
async function isAtWork(url: string, pid: number): Promise<boolean> {
  const limits = { connectionTimeoutMillis: CHECK_MS, query_timeout: CHECK_MS }
  const client = new pg.Client({ connectionString: url, ...limits })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ state: string | null }>(
      'select state from pg_stat_activity where pid = $1',
      [pid],
    )
    // A pooler has process ids of its own: an unknown connection may well be working.
    return !rows[0]?.state?.startsWith('idle')
  } catch (error) {
    return isFull(error)
  } finally {
    void client.end().catch(() => {})
  }
}

/** A server that refuses another connection because it has too many is up. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53300'
}

// Every connection has both, but the types of the pool omit them.
function pidOf(client: PoolClient): number {
  return (client as unknown as { processID: number }).processID
}

function cut(client: PoolClient): void {
  void (client as unknown as pg.Client).end().catch(() => {})
}
