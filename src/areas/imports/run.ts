import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Deps, JobContext } from '#platform/deps.ts'
import { DumpFault } from './dump/fault.ts'
import { unpacked } from './dump/unpack.ts'
import { judgeRows, planForBulk } from './outcomes/judge.ts'
import { insertNotes } from './outcomes/notes.ts'
import { type Material, type Report, reportOn, tableOf } from './outcomes/report.ts'
import { settle } from './outcomes/settle.ts'
import { noteOutcomes, REPORTED, sumEverything } from './outcomes/totals.ts'
import { noteWarnings } from './outcomes/warnings.ts'
import {
  deleteStaged,
  type ImportRow,
  leaseImport,
  markFinished,
  markProgress,
  type Progress,
  waitForNoDisk,
} from './queries.ts'
import { type Detected, detect } from './sources/index.ts'
import { type Batch, stageDump } from './staging/reader.ts'
import type { Resource } from './staging/resources.ts'
import { type Survey, surveyDump } from './staging/survey.ts'
import type { ImportKey } from './staging/writer.ts'
import { differencesOf } from './writing/check.ts'
import { type Written, writeAll } from './writing/write.ts'

/** The import was canceled, or another process has it. */
class Stopped extends Error {
  readonly why: 'canceled' | 'lost'

  constructor(why: 'canceled' | 'lost') {
    super(why)
    this.why = why
  }
}

/** What an import runs with: a job's context, or that of the command line. */
export type RunContext = Pick<JobContext, 'transact' | 'db' | 'signal'> &
  Pick<Deps, 'clock' | 'secrets'> & {
    readonly files: Pick<Deps['files'], 'get'>
    /** How many rows are written at once, where it is not the usual number. */
    readonly batchRows?: number
  }

/** So much may come out of one file, and so many times its own length. */
const UNPACK_LIMITS = { maxBytes: 64 * 2 ** 30, maxRatio: 100 }

const BATCH_ROWS = 2000

/** Whoever takes it after so many others, none of which got further, finds that it cannot be done. */
const MAX_TRIES = 10

/** How often progress is written while nothing else is. */
const TELL_MS = 1000

/**
 * Takes an import and brings it to its end; nothing happens where another process has it. What was
 * staged before stays: a new start goes on behind it. Throws what is nobody's fault, to be tried again.
 */
export async function runImport(context: RunContext, key: ImportKey): Promise<void> {
  const held = await context.transact((tx) => leaseImport(tx, key, context.clock.now()))
  if (!held) return
  const run = new Run(context, held)
  if (held.tries - held.advancedInTry > MAX_TRIES) {
    return run.end({ status: 'failed', fault: { code: 'given_up', byte: null, line: null } })
  }
  try {
    await run.toTheEnd()
  } catch (error) {
    if (error instanceof Stopped && error.why === 'lost') return
    if (error instanceof Stopped) return run.end({ status: 'canceled' })
    if (!(error instanceof DumpFault)) throw error
    const { code, byte, line } = error
    await run.end({ status: 'rejected', fault: { code, byte, line } })
  }
}

class Run {
  readonly #context: RunContext
  readonly #held: ImportRow
  #toldAtMs = 0

  constructor(context: RunContext, held: ImportRow) {
    this.#context = context
    this.#held = held
  }

  async toTheEnd(): Promise<void> {
    const survey = await this.#survey()
    const detected = detect(columnsIn(survey), this.#held.wantedSystem)
    assertOneDatabase(survey, detected)
    const totals = { bytesTotal: survey.bytes, rowsTotal: survey.rows }
    await this.#tell({ phase: 'staging', bytesRead: 0, ...totals })
    const batchRows = this.#context.batchRows ?? BATCH_ROWS
    const { stagedTo: after, createdAt: since } = this.#held
    const findings = await stageDump(
      this.#pieces(),
      { survey, detected, after, since, batchRows },
      {
        onBatch: (batch, bytesRead) => this.#write(batch, bytesRead),
        onPiece: (bytesRead) => this.#tellNowAndThen({ phase: 'staging', bytesRead }),
      },
    )
    const { source, prefix } = detected
    await this.#finish({ survey, source, prefix, findings })
  }

  async #survey(): Promise<Survey> {
    await this.#tell({ phase: 'survey', bytesRead: 0 })
    return surveyDump(this.#pieces(), (bytesRead) =>
      this.#tellNowAndThen({ phase: 'survey', bytesRead }),
    )
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    const file = await this.#context.files.get(this.#held.fileKey)
    if (!file) throw new DumpFault('file_missing')
    try {
      yield* unpacked(file, UNPACK_LIMITS)
    } finally {
      file.destroy()
    }
  }

  /** Stages a batch, together with the place in the file that it reaches. */
  async #write({ writer, notes, place }: Batch, bytesRead: number): Promise<void> {
    const stagedTo = Math.max(place, this.#held.stagedTo)
    await this.#context.transact(async (tx) => {
      await this.#assertOurs(tx, { phase: 'staging', bytesRead, rowsRead: place, stagedTo })
      await waitForNoDisk(tx)
      await writer.flush(tx, this.#held)
      await insertNotes(tx, this.#held, notes)
    })
    this.#toldAtMs = performance.now()
  }

  async #tellNowAndThen(progress: Progress): Promise<void> {
    if (performance.now() - this.#toldAtMs > TELL_MS) await this.#tell(progress)
  }

  async #tell(progress: Progress): Promise<void> {
    await this.#context.transact((tx) => this.#assertOurs(tx, progress))
    this.#toldAtMs = performance.now()
  }

  async #assertOurs(tx: Tx, progress: Progress): Promise<void> {
    if (this.#context.signal.aborted) throw new Stopped('lost')
    const state = await markProgress(tx, this.#held, progress, this.#context.clock.now())
    if (state !== 'ours') throw new Stopped(state)
  }

  /** Decides about every row, writes, and reports: all of it happens, or nothing. */
  async #finish(material: Material): Promise<void> {
    const now = this.#context.clock.now()
    const phase = this.#held.dryRun ? 'resolving' : 'writing'
    await this.#tell({ phase, rowsRead: material.survey.rows })
    await this.#context.transact(async (tx) => {
      await this.#assertOurs(tx, { phase })
      await planForBulk(tx)
      const { source, findings } = material
      const table = (resource: Resource) => tableOf(source, resource)
      const holds = (resource: Resource) =>
        material.survey.tables.has(`${material.prefix}${table(resource) ?? ''}`)
      const origin = { system: source.system, tableOf: table, holds }
      const settledBy = source.settledBy?.(findings.settings) ?? {}
      await settle(tx, this.#held, source.settled ?? [], settledBy)
      await judgeRows(tx, this.#held, origin)
      const { taxMode } = source.describe(findings.settings)
      if (!this.#held.dryRun) await this.#writeAll(tx, { ...origin, taxMode }, now)
      await noteWarnings(tx, this.#held, { tableOf: table, settled: source.settled })
      const sums = await sumEverything(tx, this.#held)
      const report = await reportOn(tx, this.#held, { ...material, sums })
      if (!this.#held.dryRun) {
        report.differences.push(...(await differencesOf(tx, this.#held, sums)))
      }
      for (const { resource } of REPORTED) {
        const name = table(resource)
        if (name) await noteOutcomes(tx, this.#held, resource, name)
      }
      await deleteStaged(tx, this.#held)
      await markFinished(tx, this.#held, { status: statusOf(report), report }, now)
    })
  }

  /** Nothing of it is seen before all of it is there; whoever dies meanwhile has written nothing. */
  async #writeAll(tx: Tx, written: Written, now: Instant): Promise<void> {
    await writeAll(tx, this.#context.secrets, { ...this.#held, now }, written)
  }

  async end(end: Parameters<typeof markFinished>[2]): Promise<void> {
    const now = this.#context.clock.now()
    await this.#context.transact(async (tx) => {
      if (await markFinished(tx, this.#held, end, now)) await deleteStaged(tx, this.#held)
    })
  }
}

function statusOf({ differences, resources }: Report): ImportRow['status'] {
  if (differences.length > 0) return 'not_reconciled'
  const failed = Object.values(resources).some((it) => it.failed > 0)
  return failed ? 'completed_with_failures' : 'completed'
}

function columnsIn(survey: Survey): Map<string, Set<string>> {
  return new Map(
    [...survey.tables].map(([name, { columns }]) => [
      name,
      new Set((columns ?? []).map((it) => it.toLowerCase())),
    ]),
  )
}

/** Two installations in one dump would be mixed up: their ids are the same numbers. */
function assertOneDatabase({ tables }: Survey, { source, prefix }: Detected): void {
  for (const name of Object.keys(source.tables)) {
    if ((tables.get(prefix + name)?.databases.size ?? 0) > 1) {
      throw new DumpFault('several_databases')
    }
  }
}
