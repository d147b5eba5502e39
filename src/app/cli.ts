import { defineCommand } from 'citty'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'
import { migrateQueue } from '#platform/queue.ts'
import { openDatabaseOf, type Service, startService } from '#platform/start.ts'
import { setupLink } from '#rbac'
import { createAdmin } from './admin.ts'
import { areas } from './areas.ts'
import { configured } from './configured.ts'
import { doctor } from './doctor.ts'
import { importDump } from './import.ts'
import { openapi } from './openapi.ts'
import { rotateSecret } from './secret.ts'

/**
 * An end takes so long at most, beside the time in which it is only said: a request that waits for a payment
 * provider (20 s) or a panel (25 s) is answered before.
 */
const STOP_MS = 30_000

/** `moorage <command>`. */
export const main = defineCommand({
  meta: { name: 'moorage', description: 'Billing and administration for game server hosts' },
  subCommands: {
    serve: defineCommand({
      meta: {
        name: 'serve',
        description: 'Serve the API, and work unless MOORAGE_ROLE says otherwise',
      },
      run: () => serve({}),
    }),
    worker: defineCommand({
      meta: { name: 'worker', description: 'Run jobs only' },
      run: () => serve({ MOORAGE_ROLE: 'worker' }),
    }),
    migrate: defineCommand({
      meta: { name: 'migrate', description: 'Bring the database to this version, then end' },
      run: migrateOnly,
    }),
    doctor,
    import: importDump,
    openapi,
    secret: defineCommand({
      meta: { name: 'secret', description: 'The key that encrypts what must be read back' },
      subCommands: { rotate: rotateSecret },
    }),
    admin: defineCommand({
      meta: { name: 'admin', description: 'Administrators' },
      subCommands: { create: createAdmin },
    }),
  },
})

async function serve(overrides: Record<string, string>): Promise<void> {
  const config = configured(overrides)
  const service = await startService(config, areas)
  console.log(service.url ? `Moorage ${config.version} listens on ${service.url}` : 'Moorage works')
  const link = service.url ? await setupLink(service.deps) : null
  if (link) console.log(`Make the first administrator, once: ${link}`)
  endWithSignals(service)
}

async function migrateOnly(): Promise<void> {
  const config = configured({})
  const database = await openDatabaseOf(config, NOBODY_LISTENS)
  const applied = await migrate(database)
  await migrateQueue(
    database,
    areas.flatMap((area) => area.jobs ?? []),
  )
  await database.close()
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date')
}

function endWithSignals(service: Service): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), STOP_MS + service.deps.config.drainMs).unref()
      service.stop().then(
        () => process.exit(0),
        (error) => {
          service.deps.log.error({ err: error }, 'stop')
          process.exit(1)
        },
      )
    })
  }
}
