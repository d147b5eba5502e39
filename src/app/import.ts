import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { defineCommand } from 'citty'
import {
  type ImportView,
  importFile,
  inUse,
  isImportTable,
  SYSTEMS,
  type TableOptions,
  undoImport,
} from '#imports'
import { isId } from '#lib/id.ts'
import { notFound, Problem } from '#lib/problem.ts'
import { startClock } from '#platform/clock.ts'
import { secretsOf } from '#platform/secrets.ts'
import { reasonOf } from '#platform/start-error.ts'
import { mending } from './failure.ts'
import { type Format, importReport } from './import-reports.ts'
import { summaryOf } from './import-summary.ts'
import { shopAt } from './shop.ts'
import { type Place, runTask, type Task } from './task.ts'

const TELL_MS = 500
const BAR = 30

/**
 * `moorage import FILE`: imports the dump of another system, or reports its content. `moorage import undo ID` removes
 * everything that an import has written, `moorage import preview ID` prints the first invoices after the import, and
 * `moorage import reconciliation ID` compares them with those that were issued.
 */
export const importDump = defineCommand({
  meta: { name: 'import', description: 'Import the dump of another system, and report' },
  args: {
    file: { type: 'positional', required: true, description: 'The dump: .sql, .sql.gz or .zip' },
    id: {
      type: 'positional',
      required: false,
      description: 'With `undo`, `preview`, `changes` or `reconciliation`: the import',
    },
    'dry-run': { type: 'boolean', default: false, description: 'Report only; change nothing' },
    source: { type: 'enum', options: [...SYSTEMS], description: 'What it is; else, found out' },
    tenant: { type: 'string', description: 'A host name of the shop; the first shop without it' },
    json: { type: 'boolean', default: false, description: 'The whole report, as JSON' },
    csv: {
      type: 'boolean',
      default: false,
      description: 'With `preview`, `changes` or `reconciliation`: print CSV',
    },
    days: {
      type: 'enum',
      options: ['7', '30'],
      description: 'With `reconciliation`: after so many days; 30 without it',
    },
    price: {
      type: 'enum',
      options: ['keep_total', 'keep_amount'],
      description:
        'With `preview`: convert prices to the tax mode of the shop, or keep the amounts',
    },
    'running-periods': {
      type: 'enum',
      options: ['leave', 'invoice'],
      description: 'With `preview`: current periods that the old system never invoiced',
    },
  },
  async run({ args }) {
    if (args.file === 'undo' && args.id !== undefined) {
      const wanted = { id: args.id, host: args.tenant ?? null, dryRun: args['dry-run'] }
      return mending(() => runTask(importUndo, wanted))(null)
    }
    if (isImportTable(args.file) && args.id !== undefined) {
      const format: Format = args.csv ? 'csv' : args.json ? 'json' : 'table'
      const options: TableOptions = {
        ...(args.price && { price: args.price as NonNullable<TableOptions['price']> }),
        ...(args.days && { days: Number(args.days) }),
        ...(args['running-periods'] && {
          runningPeriods: args['running-periods'] as NonNullable<TableOptions['runningPeriods']>,
        }),
      }
      const wanted = { report: args.file, id: args.id, host: args.tenant ?? null, format, options }
      return mending(() => runTask(importReport, wanted))(null)
    }
    if (args.file === 'undo' || isImportTable(args.file)) {
      console.error(`moorage import ${args.file} needs the id of an import.`)
      process.exit(2)
    }
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

/** Undoes an import, or with `dryRun` only prints the obstacles. */
export const importUndo: Task<{ id: string; host: string | null; dryRun: boolean }> = {
  name: 'import-undo',
  migrates: true,
  async run({ database, print, complain }, { id, host, dryRun }) {
    try {
      if (!isId(id)) throw notFound('Import')
      const { tenantId } = await shopAt(database, host)
      const { status, obstacles } = await undoImport(
        database.of(tenantId),
        { tenantId, id },
        { dryRun, now: startClock().now() },
      )
      if (obstacles.length > 0) throw inUse(obstacles)
      print(status === 'undone' ? 'The import is undone.' : 'The import can be undone.')
      return 0
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      complain(error.message)
      return 2
    }
  },
}

type Wanted = {
  file: string
  json: boolean
  host: string | null
  dryRun: boolean
  system: (typeof SYSTEMS)[number] | null
}

/** Imports a dump on this machine, and prints the report. */
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
  const { tenantId } = await shopAt(database, host)
  const sha256 = createHash('sha256')
  for await (const piece of contentOf(file)) sha256.update(piece)
  const upload = {
    tenantId,
    fileName: path.basename(file).slice(0, 255),
    sizeBytes: fs.statSync(file).size,
    sha256: sha256.digest(),
    content: () => contentOf(file),
  }
  const deps = { database, clock: startClock(), secrets: secretsOf(config.secretKeys) }
  const watch = { onProgress: isTerminal ? showProgress : () => {}, everyMs: TELL_MS }
  return await importFile(deps, upload, { dryRun, system }, watch)
}

/**
 * Throws a 404 if the dump cannot be read: the running service may be another user than the one who runs the command.
 */
function assertReadable(file: string): void {
  try {
    fs.accessSync(file, fs.constants.R_OK)
  } catch (error) {
    const user = process.getuid?.() ?? 'that Moorage runs as'
    throw new Problem(404, `User ${user} cannot read ${file}: ${reasonOf(error)}.`)
  }
}

/** Reading a large file in pieces of this size is faster than in Node's default of 64 KB. */
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
