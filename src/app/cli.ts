import { defineCommand } from 'citty'
import { migrate, missingMigrations } from '#platform/database/migrate.ts'
import { migrateQueue } from '#platform/queue.ts'
import { type Service, startService, unusableDatabase } from '#platform/start.ts'
import { setupLink } from '#rbac'
import packageFile from '../../package.json' with { type: 'json' }
import { adminCreation, createAdmin, passwordReset, resetPassword } from './admin.ts'
import { areas } from './areas.ts'
import { checkConfig } from './config-check.ts'
import { configured } from './configured.ts'
import { type Control, startControl } from './control.ts'
import { doctor, examination } from './doctor.ts'
import { mending } from './failure.ts'
import { fileImport, importDump, importUndo } from './import.ts'
import { importReport } from './import-reports.ts'
import { openapi } from './openapi.ts'
import { rotateSecret } from './secret.ts'
import { runTask, type Task } from './task.ts'

/**
 * The longest duration of a stop, after the time in which it is only announced. A request that waits for a
 * payment provider (20 s) or a panel (25 s) is answered before.
 */
const STOP_MS = 30_000

/** `moorage <command>`. */
export const main = defineCommand({
  meta: {
    name: 'moorage',
    version: packageFile.version,
    description: 'Billing and administration for game server hosts',
  },
  subCommands: {
    serve: defineCommand({
      meta: {
        name: 'serve',
        description: 'Serve the API, and work unless MOORAGE_ROLE says otherwise',
      },
      run: mending(() => serve({})),
    }),
    worker: defineCommand({
      meta: { name: 'worker', description: 'Run jobs only' },
      run: mending(() => serve({ MOORAGE_ROLE: 'worker' })),
    }),
    migrate: defineCommand({
      meta: { name: 'migrate', description: 'Bring the database to this version, then end' },
      run: mending(() => runTask(migration, {})),
    }),
    doctor,
    config: defineCommand({
      meta: { name: 'config', description: 'The configuration' },
      subCommands: { check: checkConfig },
    }),
    import: importDump,
    openapi,
    secret: defineCommand({
      meta: { name: 'secret', description: 'The key that encrypts what must be read back' },
      subCommands: { rotate: rotateSecret },
    }),
    admin: defineCommand({
      meta: { name: 'admin', description: 'Administrators' },
      subCommands: { create: createAdmin, 'reset-password': resetPassword },
    }),
  },
})

async function serve(overrides: Record<string, string>): Promise<void> {
  const config = configured(overrides)
  const service = await startService(config, areas)
  console.log(service.url ? `Moorage ${config.version} listens on ${service.url}` : 'Moorage works')
  // With port 0 the system has chosen the port, which the link uses unless PUBLIC_URL is set.
  const publicUrl =
    config.port === 0 && service.url && !process.env.PUBLIC_URL ? service.url : config.publicUrl
  const seen = { ...service.deps, config: { ...config, publicUrl } }
  const link = service.url ? await setupLink(seen) : null
  if (link) console.log(`Make the first administrator, once: ${link}`)
  endWithSignals(service, config.databaseUrl ? null : await startControl(service, TASKS))
}

const migration: Task<object> = {
  name: 'migrate',
  migrates: false,
  makesDatabase: true,
  async run({ config, database, print }) {
    const jobs = areas.flatMap((area) => area.jobs ?? [])
    const applied = await migrate(database)
      .then(async (names) => {
        await migrateQueue(database, jobs)
        return names
      })
      .catch((error) => {
        throw unusableDatabase(error, config) ?? error
      })
    print(applied.length > 0 ? `Applied ${applied.join(', ')}` : UP_TO_DATE)
    return 0
  },
}
const UP_TO_DATE = 'The database is up to date'

/** `migrate` beside a running service, which migrated the database when it started. */
const migrationCheck: Task<object> = {
  ...migration,
  async run({ database, print, complain }) {
    const missing = await missingMigrations(database)
    if (missing.length === 0) {
      print(UP_TO_DATE)
      return 0
    }
    complain(`The database lacks ${missing.join(', ')}. Restart the service, which applies them.`)
    return 1
  },
}

/** The tasks that a running service does for commands while it has the embedded database open. */
const TASKS = [
  ...[examination, migrationCheck, adminCreation, passwordReset],
  ...[fileImport, importUndo, importReport],
]

function endWithSignals(service: Service, control: Control | null): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      const { log, config } = service.deps
      log.info({ event: 'stopping', signal, drainMs: config.drainMs }, 'stopping')
      setTimeout(() => process.exit(1), STOP_MS + config.drainMs).unref()
      void control?.close()
      service.stop().then(
        () => {
          log.info({ event: 'stopped' }, 'stopped')
          process.exit(0)
        },
        (error) => {
          log.error({ err: error }, 'the stop failed')
          process.exit(1)
        },
      )
    })
  }
}
