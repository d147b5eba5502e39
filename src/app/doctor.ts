import { defineCommand } from 'citty'
import type { Area } from '#platform/area.ts'
import { type Database, NOBODY_LISTENS } from '#platform/database/index.ts'
import { missingMigrations } from '#platform/database/migrate.ts'
import { openDatabaseOf } from '#platform/start.ts'
import { listTenantIds } from '#tenants'
import { areas } from './areas.ts'
import { configured } from './configured.ts'

/** `moorage doctor`: looks for what must never be, and changes nothing. Ends with 1 if it found any. */
export const doctor = defineCommand({
  meta: { name: 'doctor', description: 'Check the books, the invoices and their numbers' },
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
      for await (const fault of faultsIn(database, areas)) {
        found += 1
        console.error(fault)
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
  database: Pick<Database, 'of' | 'everywhere'>,
  asked: readonly Area[],
): AsyncIterable<string> {
  for (const tenantId of await listTenantIds(database.everywhere)) {
    for (const { faults } of asked) {
      if (!faults) continue
      for await (const fault of faults(database.of(tenantId), tenantId)) {
        yield `Tenant ${tenantId}: ${fault}`
      }
    }
  }
}
