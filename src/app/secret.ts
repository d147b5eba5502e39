import { defineCommand } from 'citty'
import { type Database, NOBODY_LISTENS } from '#platform/database/index.ts'
import { missingMigrations } from '#platform/database/migrate.ts'
import { type Resealed, resealColumn } from '#platform/resealing.ts'
import { type Secrets, secretsOf } from '#platform/secrets.ts'
import { openDatabaseOf } from '#platform/start.ts'
import { listTenantIds, resealSettings } from '#tenants'
import { areas } from './areas.ts'
import { configured, installed } from './configured.ts'
import { mending } from './failure.ts'
import { addGeneratedKey } from './secret-file.ts'

/** `moorage secret rotate`: seals again with the first key what is sealed with an older one. */
export const rotateSecret = defineCommand({
  meta: { name: 'rotate', description: 'Seal everything under the newest secret key' },
  run: mending(async () => {
    const before = installed()
    if (
      before.secretKeys.length === 1 &&
      (process.env.MOORAGE_SECRET_KEY || process.env.MOORAGE_SECRET_KEY_FILE)
    ) {
      console.error('There is one key. Put a new one before it: MOORAGE_SECRET_KEY=new,old')
      process.exitCode = 1
      return
    }
    // Opened first: beside a running service, which would not know the new key, this fails before
    // anything is changed.
    const database = await openDatabaseOf(before, NOBODY_LISTENS)
    try {
      if ((await missingMigrations(database)).length > 0) {
        console.error('The database is not of this version. Run `moorage migrate` first.')
        process.exitCode = 1
        return
      }
      // The keys open everything before and after: a crash here leaves a new key that has sealed nothing yet.
      if (before.secretKeys.length === 1) console.log(`A new key is in ${addGeneratedKey(before)}.`)
      report(await reseal(database, secretsOf(configured().secretKeys)))
    } finally {
      await database.close()
    }
  }),
})

/** Seals everything in the database again with the current key that another key sealed. */
export async function reseal(database: Database, secrets: Secrets): Promise<Resealed> {
  const results: Resealed[] = []
  const db = database.everywhere
  for (const column of areas.flatMap(({ sealed }) => sealed ?? [])) {
    results.push(await resealColumn(db, secrets, column))
  }
  const sections = areas.flatMap(({ settings }) => settings ?? [])
  for (const tenantId of await listTenantIds(db)) {
    results.push(await resealSettings(database.of(tenantId), secrets, tenantId, sections))
  }
  return {
    sealed: results.reduce((sum, it) => sum + it.sealed, 0),
    unreadable: results.flatMap((it) => it.unreadable),
  }
}

function report({ sealed, unreadable }: Resealed): void {
  console.log(`Sealed anew: ${sealed}`)
  for (const place of unreadable) console.error(`No key that is configured opens ${place}`)
  if (unreadable.length > 0) {
    console.error('Keep the old keys, or enter what is named here again.')
    process.exitCode = 1
    return
  }
  console.log('Keep the old key for seven days, for links that were mailed. Then it can go.')
}
