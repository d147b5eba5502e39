import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import { type ImportView, importFile, SYSTEMS } from '#imports'
import { Problem } from '#lib/problem.ts'
import { startClock } from '#platform/clock.ts'
import { NOBODY_LISTENS } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'
import { secretsOf } from '#platform/secrets.ts'
import { openDatabaseOf } from '#platform/start.ts'
import { findDefaultTenant, findTenantOfHost } from '#tenants'
import { configured } from './configured.ts'
import { summaryOf } from './import-summary.ts'

const TELL_MS = 500
const BAR = 30

/** `moorage import FILE`: takes over the dump of another system, or says what is in it. */
export const importDump = defineCommand({
  meta: { name: 'import', description: 'Import the dump of another system, and report' },
  args: {
    file: { type: 'positional', required: true, description: 'The dump: .sql, .sql.gz or .zip' },
    'dry-run': { type: 'boolean', default: false, description: 'Report only; change nothing' },
    source: { type: 'enum', options: [...SYSTEMS], description: 'What it is; else, found out' },
    tenant: { type: 'string', description: 'A host name of the shop; the first shop without it' },
    json: { type: 'boolean', default: false, description: 'The whole report, as JSON' },
  },
  async run({ args }) {
    if (!fs.statSync(args.file, { throwIfNoEntry: false })?.isFile()) {
      console.error(`There is no file ${args.file}.`)
      process.exit(2)
    }
    const system = SYSTEMS.find((it) => it === args.source) ?? null
    const wanted = { host: args.tenant ?? null, dryRun: args['dry-run'], system }
    try {
      const ended = await readDump(args.file, wanted)
      if (process.stderr.isTTY) process.stderr.write('\n')
      console.log(args.json ? JSON.stringify(ended, null, 2) : summaryOf(ended))
      process.exit(ended.status === 'completed' ? 0 : 1)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      console.error(error.message)
      process.exit(2)
    }
  },
})

type Wanted = { host: string | null; dryRun: boolean; system: (typeof SYSTEMS)[number] | null }

async function readDump(file: string, { host, dryRun, system }: Wanted): Promise<ImportView> {
  const config = configured()
  const database = await openDatabaseOf(config, NOBODY_LISTENS)
  try {
    await migrate(database)
    const everywhere = database.everywhere
    const tenant = host
      ? await findTenantOfHost(everywhere, host)
      : await findDefaultTenant(everywhere)
    if (!tenant) {
      const shop = host
        ? `There is no shop ${host}.`
        : 'There is no shop yet: start the service once.'
      throw new Problem(404, shop)
    }
    const sha256 = createHash('sha256')
    for await (const piece of contentOf(file)) sha256.update(piece)
    const upload = {
      tenantId: tenant.id,
      fileName: path.basename(file).slice(0, 255),
      sizeBytes: fs.statSync(file).size,
      sha256: sha256.digest(),
      content: () => contentOf(file),
    }
    const deps = { database, clock: startClock(), secrets: secretsOf(config.secretKeys) }
    const watch = { onProgress: showProgress, everyMs: TELL_MS }
    return await importFile(deps, upload, { dryRun, system }, watch)
  } finally {
    await database.close()
  }
}

/** A large file is read sooner in pieces like this than in those of Node's own choice, of 64 KB. */
function contentOf(file: string): fs.ReadStream {
  return fs.createReadStream(file, { highWaterMark: 512 << 10 })
}

function showProgress({ progress }: Pick<ImportView, 'progress'>): void {
  if (!process.stderr.isTTY) return
  const { phase, bytes, bytesTotal, rows, bytesPerSecond } = progress
  const done = bytesTotal ? bytes / bytesTotal : 0
  const bar = '#'.repeat(Math.round(done * BAR)).padEnd(BAR)
  const speed = bytesPerSecond ? ` ${(bytesPerSecond / 1e6).toFixed(1)} MB/s` : ''
  process.stderr.write(`\r[${bar}] ${phase} ${(bytes / 1e6).toFixed(1)} MB, ${rows} rows${speed}  `)
}
