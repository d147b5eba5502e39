import { DumpFault } from './dump/fault.ts'
import { unpacked } from './dump/unpack.ts'
import { begin, goOn, report } from './finish.ts'
import { advance, type RunContext, Stopped } from './hold.ts'
import { assertSameInstallation } from './outcomes/installation.ts'
import type { Material } from './outcomes/material.ts'
import { insertNotes } from './outcomes/notes.ts'
import {
  analyzeStaged,
  deleteNotes,
  deleteStaged,
  type ImportRow,
  leaseImport,
  markFinished,
  type Progress,
  waitForNoDisk,
} from './queries.ts'
import { assertWhole, type Detected, detect } from './sources/index.ts'
import { type Batch, stageDump } from './staging/reader.ts'
import { type Survey, surveyDump } from './staging/survey.ts'
import type { ImportKey } from './staging/writer.ts'

export type { RunContext } from './hold.ts'

/** The maximum unpacked size of a file, and the maximum ratio to its packed size. */
const UNPACK_LIMITS = { maxBytes: 64 * 2 ** 30, maxRatio: 100 }

const BATCH_ROWS = 8000

/**
 * After this many tries without progress an import fails. One that is being written is never given up: it
 * would stay incomplete.
 */
const MAX_TRIES = 10

/** How often a file is read again because another user took an address or a code in the meantime. */
const MAX_READS = 3

/** How often progress is recorded while nothing else is written. */
const TELL_MS = 1000

/**
 * Takes an import and completes it; does nothing if another process has it. What was staged or written
 * before stays, and the import continues after it. Throws errors that the dump has not caused, so that the
 * job is tried again.
 */
export async function runImport(context: RunContext, key: ImportKey): Promise<void> {
  const held = await context.transact((tx) => leaseImport(tx, key, context.clock.now()))
  if (!held) return
  const run = new Run(context, held)
  try {
    if (await goOn(context, held)) return
    if (held.tries - held.advancedInTry > MAX_TRIES) {
      return await run.end({
        status: 'failed',
        fault: { code: 'given_up', byte: null, line: null },
      })
    }
    await run.toTheEnd()
  } catch (error) {
    if (error instanceof Stopped && error.why === 'lost') return
    if (error instanceof Stopped) return run.end({ status: 'canceled' })
    if (!(error instanceof DumpFault)) throw error
    const { code, byte, line, detail } = error
    await run.end({ status: 'rejected', fault: { code, byte, line, detail } })
  }
}

class Run {
  readonly #context: RunContext
  #held: ImportRow
  #toldAtMs = 0

  constructor(context: RunContext, held: ImportRow) {
    this.#context = context
    this.#held = held
  }

  async toTheEnd(): Promise<void> {
    for (let reads = 1; ; reads += 1) {
      const material = await this.#staged()
      if (this.#held.dryRun) return report(this.#context, this.#held, material)
      if (await begin(this.#context, this.#held, material)) break
      if (reads === MAX_READS) throw new Error('Others take what an import needs, again and again')
      this.#held = { ...this.#held, stagedTo: 0 }
    }
    await goOn(this.#context, this.#held)
  }

  /** Reads the file, and stages its rows. */
  async #staged(): Promise<Material> {
    const survey = await this.#survey()
    const detected = detect(columnsIn(survey), this.#held.wantedSystem)
    assertOneDatabase(survey, detected)
    assertWhole(survey.tables, detected)
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
    const { rows: rowsRead, statements, charset, declaredCharset: declared } = survey
    const phase = this.#held.dryRun ? 'resolving' : 'writing'
    const { version, installation = null } = detected.source.describe(findings.settings)
    assertWhole(survey.tables, detected, version)
    await this.#context.transact(async (tx) => {
      await advance(this.#context, tx, this.#held, { phase, rowsRead, installation })
      await analyzeStaged(tx)
      await assertSameInstallation(tx, this.#held, { ...detected, installation })
    })
    const tables = new Map([...survey.tables].map(([name, { rows }]) => [name, rows]))
    return { ...detected, tables, statements, charset: { declared, used: charset }, findings }
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

  /** Stages a batch, together with the position in the file up to which it reaches. */
  async #write({ writer, notes, place }: Batch, bytesRead: number): Promise<void> {
    const stagedTo = Math.max(place, this.#held.stagedTo)
    await this.#context.transact(async (tx) => {
      await advance(this.#context, tx, this.#held, {
        phase: 'staging',
        bytesRead,
        rowsRead: place,
        stagedTo,
      })
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
    await this.#context.transact((tx) => advance(this.#context, tx, this.#held, progress))
    this.#toldAtMs = performance.now()
  }

  async end(end: Parameters<typeof markFinished>[2]): Promise<void> {
    const now = this.#context.clock.now()
    await this.#context.transact(async (tx) => {
      if (!(await markFinished(tx, this.#held, end, now))) return
      await deleteStaged(tx, this.#held)
      // A rejected file keeps the notes about rows that could not be read; otherwise notes are deleted, as
      // nothing was imported.
      if (end.status !== 'rejected') await deleteNotes(tx, this.#held)
    })
  }
}

function columnsIn(survey: Survey): Map<string, Set<string>> {
  return new Map(
    [...survey.tables].map(([name, { columns }]) => [
      name,
      new Set((columns ?? []).map((it) => it.toLowerCase())),
    ]),
  )
}

/** Two installations in one dump would be mixed up, because both number their rows from 1. */
function assertOneDatabase({ tables }: Survey, { source, prefix }: Detected): void {
  for (const name of Object.keys(source.tables)) {
    if ((tables.get(prefix + name)?.databases.size ?? 0) > 1) {
      throw new DumpFault('several_databases')
    }
  }
}
