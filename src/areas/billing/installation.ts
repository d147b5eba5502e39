import { newId } from '#lib/id.ts'
import { type Database, type Db, transact } from '#platform/database/index.ts'

const known = new WeakMap<Database, Promise<string>>()

/** The id stored with all we create at a provider: money with another installation's is not ours. */
export function installationIdOf(database: Database): Promise<string> {
  let id = known.get(database)
  if (!id) {
    id = read(database.everywhere)
    id.catch(() => known.delete(database))
    known.set(database, id)
  }
  return id
}

async function read(db: Db): Promise<string> {
  const row = await db.selectFrom('billing.installation').selectAll().executeTakeFirst()
  if (row) return row.installationId
  await transact(db, (tx) =>
    tx
      .insertInto('billing.installation')
      .values({ installationId: newId() })
      .onConflict((it) => it.doNothing())
      .execute(),
  )
  return read(db)
}
