import type { Database } from '#platform/database/index.ts'

type Owned = Pick<Database, 'pool'>

/** Runs one statement as the owner of the database, whom no row-level security stops. */
export function asOwner(database: Owned, statement: string, values: unknown[] = []) {
  return run(database, '', statement, values)
}

/** As `asOwner`, past the triggers too: what only somebody who means to break things does. */
export function pastTriggers(database: Owned, statement: string, values: unknown[] = []) {
  return run(database, 'set local session_replication_role = replica', statement, values)
}

async function run({ pool }: Owned, before: string, statement: string, values: unknown[]) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local role none')
    if (before) await client.query(before)
    const { rows, rowCount } = await client.query(statement, values)
    await client.query('commit')
    return { rows, rowCount }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
