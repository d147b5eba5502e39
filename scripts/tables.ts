import fs from 'node:fs'
import path from 'node:path'
import { tablesOf } from '#platform/database/describe.ts'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openEmbedded } from '#platform/database/open.ts'

/** Writes the types of all tables, read from a database that has just been migrated. */
const database = await openEmbedded({ dump: null }, NOBODY_LISTENS)
await migrate(database)
const file = path.join(import.meta.dirname, '../src/platform/database/tables.ts')
fs.writeFileSync(file, await tablesOf(database))
await database.close()
