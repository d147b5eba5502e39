import os from 'node:os'
import path from 'node:path'
import { defineCommand } from 'citty'
import type { Area } from '#platform/area.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/database/index.ts'
import { missingMigrations } from '#platform/database/migrate.ts'
import type { Files } from '#platform/files/index.ts'
import { filesOf } from '#platform/files/place.ts'
import { openDataOf } from '#platform/private-files.ts'
import { countLost } from '#platform/resealing.ts'
import { type Secrets, secretsOf } from '#platform/secrets.ts'
import { listTenantIds } from '#tenants'
import { areas } from './areas.ts'
import { mending } from './failure.ts'
import { runTask, type Task } from './task.ts'

/** `moorage doctor`: looks for faults, and changes nothing. Exits with 1 if it found any. */
export const doctor = defineCommand({
  meta: {
    name: 'doctor',
    description: 'Check the books, the invoices, their files, the secret key, the data folder',
  },
  run: mending(() => runTask(examination, {})),
})

/** Prints a line for each fault of the installation. */
export const examination: Task<object> = {
  name: 'doctor',
  migrates: false,
  async run({ config, database, print, complain }) {
    if ((await missingMigrations(database)).length > 0) {
      complain('The database is not of this version. Run `moorage migrate` first.')
      return 1
    }
    const files = filesOf(config.files)
    await files.check()
    const secrets = secretsOf(config.secretKeys)
    let found = 0
    const searches = [
      folderFaults(config),
      lockFaults(config),
      faultsIn({ database, files }, areas),
      lostTexts(database, secrets, areas),
    ]
    for (const faults of searches) {
      for await (const fault of faults) {
        found += 1
        complain(fault)
      }
    }
    print(found === 0 ? 'Everything is in order.' : `Faults: ${found}`)
    return found > 0 ? 1 : 0
  },
}

/** The files of the data folder that other users of the machine may read or write, a line each. */
export function* folderFaults({ dataDir }: Pick<Config, 'dataDir'>): Iterable<string> {
  for (const { path, mode } of openDataOf(dataDir)) {
    const what = mode & 0o022 ? 'write' : 'read'
    yield `Other users of this machine may ${what} ${path} (mode ${mode.toString(8)}). Start the service as the owner of the file, or run: chmod go= ${path}`
  }
}

/** Reports another process that has the embedded database open at the same time. */
export async function* lockFaults({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): AsyncIterable<string> {
  if (databaseUrl !== null) return
  // An installation with a server does not load the code of the lock.
  const { secondHolderOf } = await import('#platform/database/folder-lock.ts')
  const folder = path.join(dataDir, 'database')
  const second = secondHolderOf(folder)
  if (!second) return
  const { pid, hostName, command, since } = second
  yield `The database in ${folder} is open twice: process ${pid} on ${hostName} (moorage ${command}, since ${since}) has it open beside process ${process.pid} on ${os.hostname()}. Stop both, compare the data with the last backup, and start one of them.`
}

/** The faults that the areas find in the data of each tenant, a line each with the tenant's id. */
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

/** Texts that were sealed with a key that is not configured, a line for each column: they have to be entered again. */
async function* lostTexts(
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
