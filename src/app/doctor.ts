import { defineCommand } from 'citty'
import type { Area } from '#platform/area.ts'
import { type Database, NOBODY_LISTENS } from '#platform/database/index.ts'
import { missingMigrations } from '#platform/database/migrate.ts'
import type { Files } from '#platform/files/index.ts'
import { filesOf } from '#platform/files/place.ts'
import { countLost } from '#platform/resealing.ts'
import { type Secrets, secretsOf } from '#platform/secrets.ts'
import { openDatabaseOf } from '#platform/start.ts'
import { listTenantIds } from '#tenants'
import { areas } from './areas.ts'
import { configured } from './configured.ts'

/** `moorage doctor`: looks for what must never be, and changes nothing. Ends with 1 if it found any. */
export const doctor = defineCommand({
  meta: {
    name: 'doctor',
    description: 'Check the books, the invoices, their files, the secret key',
  },
  async run() {
    const config = configured({})
    const database = await openDatabaseOf(config, NOBODY_LISTENS)
    let found = 0
    try {
      if ((await missingMigrations(database)).length > 0) {
        found += 1
        console.error('The database is not that of this version. Run `moorage migrate` first.')
        return
      }
      const files = filesOf(config.files)
      await files.check()
      const secrets = secretsOf(config.secretKeys)
      const looks = [faultsIn({ database, files }, areas), lostTexts(database, secrets, areas)]
      for (const faults of looks) {
        for await (const fault of faults) {
          found += 1
          console.error(fault)
        }
      }
      console.log(found === 0 ? 'Everything is in order.' : `Faults: ${found}`)
    } finally {
      await database.close()
      if (found > 0) process.exitCode = 1
    }
  },
})

/** What the areas find broken in the data of each tenant, a line each with the tenant's id. */
export async function* faultsIn(
  { database, files }: { database: Pick<Database, 'of' | 'everywhere'>; files: Files },
  asked: readonly Area[],
): AsyncIterable<string> {
  for (const tenantId of await listTenantIds(database.everywhere)) {
    for (const { faults } of asked) {
      if (!faults) continue
      for await (const fault of faults(database.of(tenantId), tenantId, files)) {
        yield `Tenant ${tenantId}: ${fault}`
      }
    }
  }
}

/** What was sealed with a key that is not configured, a line for each column: it has to be entered again. */
export async function* lostTexts(
  { everywhere }: Pick<Database, 'everywhere'>,
  secrets: Pick<Secrets, 'keyIds'>,
  asked: readonly Area[],
): AsyncIterable<string> {
  for (const column of asked.flatMap(({ sealed }) => sealed ?? [])) {
    const count = await countLost(everywhere, secrets, column)
    if (count > 0)
      yield `${column.table}: no secret key that is configured opens ${count} of its texts.`
  }
}
