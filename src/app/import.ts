import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import { type ImportView, importFile, SYSTEMS } from '#imports'
import { Problem } from '#lib/problem.ts'
import { startClock } from '#platform/clock.ts'
import { secretsOf } from '#platform/secrets.ts'
import { reasonOf } from '#platform/start-error.ts'
import { findDefaultTenant, findTenantOfHost } from '#tenants'
import { mending } from './failure.ts'
import { summaryOf } from './import-summary.ts'
import { type Place, runTask, type Task } from './task.ts'

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
    const file = path.resolve(args.file)
    await mending(() => runTask(fileImport, { ...wanted, file, json: args.json }))(null)
  },
})

type Wanted = {
  file: string
  json: boolean
  host: string | null
  dryRun: boolean
  system: (typeof SYSTEMS)[number] | null
}

/** Imports a dump of this machine's, and prints the report. */
export const fileImport: Task<Wanted> = {
  name: 'import',
  migrates: true,
  async run(place, wanted) {
    try {
      const ended = await readDump(place, wanted)
      if (place.isTerminal) process.stderr.write('\n')
      place.print(wanted.json ? JSON.stringify(ended, null, 2) : summaryOf(ended))
      return ended.status === 'completed' ? 0 : 1
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      place.complain(error.message)
      return 2
    }
  },
}

async function readDump(
  { config, database, isTerminal }: Place,
  { file, host, dryRun, system }: Wanted,
): Promise<ImportView> {
  assertReadable(file)
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
  const watch = { onProgress: isTerminal ? showProgress : () => {}, everyMs: TELL_MS }
  return await importFile(deps, upload, { dryRun, system }, watch)
}

/** The running service may be another user than the one who runs the command. Throws a 404. */
function assertReadable(file: string): void {
  try {
    fs.accessSync(file, fs.constants.R_OK)
  } catch (error) {
    const user = process.getuid?.() ?? 'that Moorage runs as'
    throw new Problem(404, `User ${user} cannot read ${file}: ${reasonOf(error)}.`)
  }
}

/** A large file is read sooner in pieces like this than in those of Node's own choice, of 64 KB. */
function contentOf(file: string): fs.ReadStream {
  return fs.createReadStream(file, { highWaterMark: 512 << 10 })
}

function showProgress({ progress }: Pick<ImportView, 'progress'>): void {
  const { phase, bytes, bytesTotal, rows, bytesPerSecond } = progress
  const done = bytesTotal ? bytes / bytesTotal : 0
  const bar = '#'.repeat(Math.round(done * BAR)).padEnd(BAR)
  const speed = bytesPerSecond ? ` ${(bytesPerSecond / 1e6).toFixed(1)} MB/s` : ''
  process.stderr.write(`\r[${bar}] ${phase} ${(bytes / 1e6).toFixed(1)} MB, ${rows} rows${speed}  `)
}
