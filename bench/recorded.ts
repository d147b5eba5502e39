import assert from 'node:assert/strict'
import type { Pool, PoolClient } from 'pg'
import type { Service } from '#platform/start.ts'

export type Statement = { readonly text: string; readonly values: readonly unknown[] }

/** A request: what its handler asks of the database, and what is answered. */
export type Recorded = {
  readonly path: string
  readonly statements: readonly Statement[]
  readonly body: string
}

/** Neither the audit log's entry of what an administrator reads, nor the choice of a tenant. */
const READS = /^(select|with)\b(?! set_config)/

/** Whoever asks for what is nowhere is asked all the same who they are. */
const NOWHERE = '/v1/admin/nowhere'

/**
 * Makes each request once more than needed, and notes the statements of the second time: who calls and
 * whose shop it is are known by then. What an administrator is asked each time is left out.
 */
export async function record(
  { deps, url }: Service,
  requests: readonly { path: string; headers: Record<string, string> }[],
): Promise<Recorded[]> {
  const seen = watchStatements(deps.database.pool)
  async function ask(path: string, headers: Record<string, string>) {
    seen.length = 0
    const response = await fetch(url + path, { headers })
    return { body: await response.text(), status: response.status, statements: [...seen] }
  }
  const recorded: Recorded[] = []
  for (const { path, headers } of requests) {
    await ask(path, headers)
    const { body, status, statements } = await ask(path, headers)
    assert.equal(status, 200, `${path}: ${body}`)
    const known = new Set((await ask(NOWHERE, headers)).statements.map(({ text }) => text))
    const own = statements.filter(({ text }) => READS.test(text) && !known.has(text))
    assert.ok(own.length > 0, path)
    recorded.push({ path, body, statements: own })
  }
  return recorded
}

/** The statements that a pool's connections are asked from now on, as they come. */
export function watchStatements(pool: Pool): Statement[] {
  const seen: Statement[] = []
  const watched = new WeakSet<PoolClient>()
  pool.on('acquire', (client) => {
    if (!watched.has(client)) watch(client, seen)
    watched.add(client)
  })
  return seen
}

/** Copies what a connection is asked. Others count on its `query` as it is: it is called as before. */
function watch(client: PoolClient, seen: Statement[]): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  Object.assign(client, {
    query(...args: unknown[]) {
      const [statement] = args
      if (typeof statement === 'object' && statement !== null) seen.push(...statementsOf(statement))
      return query(...args)
    },
  })
}

/** One that the driver is given as it is, or those of a piece. */
function statementsOf(asked: object): Statement[] {
  const { statements = [asked] } = asked as { statements?: object[] }
  return statements
    .filter((it): it is Statement => 'text' in it)
    .map(({ text, values = [] }) => ({ text, values }))
}
