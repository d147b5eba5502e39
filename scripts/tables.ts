import fs from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { tablesOf } from '#platform/database/describe.ts'
import { EXTENSIONS, embedded, sessionOf } from '#platform/database/embedded.ts'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'

/** Writes the types of all tables, read from a database that has just been migrated. */
const pglite = await PGlite.create({ extensions: EXTENSIONS })
const session = sessionOf(pglite)
const database = embedded(session, NOBODY_LISTENS, () => pglite.close())
await migrate(database)
const file = path.join(import.meta.dirname, '../src/platform/database/tables.ts')
fs.writeFileSync(file, await tablesOf(database))
await database.close()
