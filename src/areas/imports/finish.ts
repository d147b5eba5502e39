import { isUniqueViolation, type Tx } from '#platform/database/index.ts'
import { storeSnapshot } from './cutover/snapshots.ts'
import { advance, hold, type RunContext, Stopped } from './hold.ts'
import {
  cameBefore,
  judgeAgain,
  judgeDocuments,
  judgePeople,
  planForBulk,
} from './outcomes/judge.ts'
import { type Kept, keptOf, type Material, materialOf, originOf } from './outcomes/material.ts'
import { type Report, reportOn } from './outcomes/report.ts'
import { settle } from './outcomes/settle.ts'
import { REPORTED, storeOutcomes, sumEverything } from './outcomes/totals.ts'
import { storeWarnings } from './outcomes/warnings.ts'
import {
  analyzeStaged,
  beginAnew,
  deleteStaged,
  type ImportRow,
  markFinished,
  type Progress,
  STAGED_HALVES,
} from './queries.ts'
import { statusOf } from './rules.ts'
import {
  type Compared,
  decidedSums,
  differencesOf,
  historySums,
  writtenSums,
} from './writing/check.ts'
import { LANES, type Writing } from './writing/rows.ts'
import {
  beginStep,
  DECIDED,
  deleteSteps,
  findSteps,
  type StepRow,
  storeStepResult,
  together,
  waitInTurn,
} from './writing/steps.ts'
import { type Written, writeFirst, writeLast, writePart } from './writing/write.ts'

/** The status of an import from the point of no return on. */
const BEGUN = { status: 'importing', phase: 'writing' } as const

/** It is decided who people are, and the outcome of everything except their documents. */
const SORTED = 'sorted'
/** The outcome of documents is decided. */
const JUDGED = 'judged'
/** The report is created from these decisions. */
const TOLD = 'told'
/** The steps after the parts. */
const TIED = 'tied'
const SUMMED = 'summed'
/** The state of the rows is stored for comparison with the next dump. */
const COMPARED = 'compared'

/** Sums by name, as a step stores them. */
type KeptSums = readonly (readonly [string, string])[]

/** The decisions: the report, and the sums that have to be there in the end. */
type Told = { readonly report: Report; readonly decided: KeptSums }

/** The sums of what was written: of the history that connects parts, or of everything else. */
type Summed = { readonly written: KeptSums }

/** Decides about every row and reports. A dry run ends after this. */
export async function report(context: RunContext, held: ImportRow, material: Material) {
  const origin = originOf(material)
  await context.transact(async (tx) => {
    await advance(context, tx, held, { phase: 'resolving' })
    await planForBulk(tx)
    await settleAll(tx, held, material)
    if (await cameBefore(tx, held, origin)) {
      await judgeAgain(tx, held, origin)
    } else {
      await judgePeople(tx, held, origin)
      await judgeDocuments(tx, held, origin)
    }
    await analyzeStaged(tx)
    const { report: made } = await tell(tx, held, material)
    await storeSnapshot(tx, held, material.source.system, context.clock.now())
    await deleteStaged(tx, held)
    await end(context, tx, held, made)
  })
}

/**
 * Decides about every row and writes the records to which everything else refers. From then on the import is
 * always completed, by this or another process, and its file is no longer needed. Returns false if another
 * user has taken an address or a code since it was decided about: then nothing of the import is left, and
 * the file has to be read again.
 */
export async function begin(
  context: RunContext,
  held: ImportRow,
  material: Material,
): Promise<boolean> {
  const writing = { ...held, now: context.clock.now() }
  const origin = originOf(material)
  if (await cameBefore(context.db, held, origin)) {
    await beginAgain(context, writing, material)
    return true
  }
  await alone(context, writing, SORTED, { phase: 'writing' }, async (tx) => {
    await settleAll(tx, held, material)
    await judgePeople(tx, held, origin)
    // The owner of every row is known by now.
    await analyzeStaged(tx)
  })
  try {
    await together([
      alone(context, writing, DECIDED, BEGUN, async (tx) => {
        const first = { ...writtenOf(material), again: false }
        await writeFirst(tx, context.secrets, writing, first)
        await storeStepResult(tx, held, DECIDED, keptOf(material))
      }),
      judgeBeside(context, writing, material).then(() => tellBeside(context, writing, material)),
    ])
    return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await context.transact(async (tx) => {
      await hold(context, tx, held, 'update')
      if ((await findSteps(tx, held)).has(DECIDED)) throw error
      await beginAnew(tx, held)
    })
    return false
  }
}

/** Compares, locks and writes what a newer dump of a system changes, in one transaction. */
async function beginAgain(
  context: RunContext,
  writing: Writing & ImportRow,
  material: Material,
): Promise<void> {
  await alone(context, writing, DECIDED, BEGUN, async (tx) => {
    await settleAll(tx, writing, material)
    await judgeAgain(tx, writing, originOf(material))
    await analyzeStaged(tx)
    await writeFirst(tx, context.secrets, writing, { ...writtenOf(material), again: true })
    await beginStep(tx, writing, JUDGED, writing.now)
    await storeStepResult(tx, writing, DECIDED, keptOf(material))
  })
}

/** Decides about documents while another transaction may record the progress of the import. */
function judgeBeside(context: RunContext, writing: Writing & ImportRow, material: Material) {
  const work = (tx: Tx) => judgeDocuments(tx, writing, originOf(material))
  return step(context, writing, JUDGED, work, (tx) => hold(context, tx, writing, 'keyShare'))
}

/** Creates the report, once it is decided about every row. */
function tellBeside(context: RunContext, writing: Writing & ImportRow, material: Material) {
  const work = async (tx: Tx) =>
    storeStepResult(tx, writing, TOLD, await tell(tx, writing, material))
  return step(context, writing, TOLD, work, (tx) => hold(context, tx, writing, 'keyShare'))
}

/**
 * Completes an import that was begun: first parts of its people in parallel, each with all of its records in
 * one transaction; then what connects the parts, while all else is added up. Steps that are done are
 * skipped. Returns false for an import that was not begun.
 */
export async function goOn(context: RunContext, held: ImportRow): Promise<boolean> {
  const done = await findSteps(context.db, held)
  const begun = done.get(DECIDED)
  if (!begun) return false
  const material = materialOf(begun.result as Kept)
  const written = writtenOf(material)
  const writing = { ...held, now: begun.at }
  const lanes = Array.from({ length: LANES }, (_, lane) => lane)
  if (!done.has(JUDGED)) await judgeBeside(context, writing, material)
  await together(
    lanes.map((lane) =>
      step(context, writing, `part ${lane}`, (tx) =>
        writePart(tx, { ...writing, lane }, written, () => waitInTurn(tx, held)),
      ),
    ),
  )
  await together([
    step(context, writing, TIED, async (tx) => {
      await writeLast(tx, writing, written)
      await keepSums(tx, held, TIED, await historySums(tx, held))
    }),
    step(context, writing, SUMMED, async (tx) => {
      await keepSums(tx, held, SUMMED, await writtenSums(tx, held))
    }),
    tellBeside(context, writing, material),
    step(context, writing, COMPARED, (tx) =>
      storeSnapshot(tx, held, material.source.system, writing.now),
    ),
  ])
  // From here on the staged rows are no longer needed.
  await together(
    STAGED_HALVES.map((half) =>
      context.transact(async (tx) => {
        await hold(context, tx, held, 'share')
        await deleteStaged(tx, held, half)
      }),
    ),
  )
  await context.transact(async (tx) => {
    await hold(context, tx, held, 'update')
    const steps = await findSteps(tx, held)
    const { report: made, decided } = resultOf<Told>(steps, TOLD)
    const there = [TIED, SUMMED].flatMap((name) => resultOf<Summed>(steps, name).written)
    const differences = differencesOf(new Map(decided), new Map(there))
    await deleteSteps(tx, held)
    await end(context, tx, held, {
      ...made,
      differences: [...made.differences, ...differences],
    })
  })
  return true
}

/** Stores what a step has added up. */
async function keepSums(tx: Tx, held: ImportRow, name: string, sums: Compared): Promise<void> {
  const result: Summed = { written: [...sums] }
  await storeStepResult(tx, held, name, result)
}

/** The result that a step has stored for later steps. */
function resultOf<T>(steps: ReadonlyMap<string, StepRow>, step: string): T {
  const row = steps.get(step)
  if (!row) throw new Error(`An import has not come to ${step}`)
  return row.result as T
}

function writtenOf(material: Material): Written {
  const { source, findings } = material
  const { taxMode } = source.describe(findings.settings)
  const origin = originOf(material)
  return { ...origin, taxMode, hasRates: taxMode === 'exclusive' && origin.holds('tax_rates') }
}

/**
 * Does a step of an import in a transaction of its own, unless it is done. `take` locks the import for this
 * process meanwhile.
 */
async function step(
  context: RunContext,
  writing: Writing & ImportRow,
  name: string,
  work: (tx: Tx) => Promise<void>,
  take = (tx: Tx) => hold(context, tx, writing, 'share'),
): Promise<void> {
  await context.transact(async (tx) => {
    await take(tx)
    if (!(await beginStep(tx, writing, name, writing.now))) return
    await planForBulk(tx)
    await work(tx)
  })
}

/**
 * Does a step whose progress is recorded before the work: a request to cancel the import waits for it.
 * Throws Stopped if the import was already canceled.
 */
function alone(
  context: RunContext,
  writing: Writing & ImportRow,
  name: string,
  progress: Progress,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  return step(context, writing, name, work, (tx) => advance(context, tx, writing, progress))
}

/** Fills in what follows from several tables of a system. */
async function settleAll(tx: Tx, held: ImportRow, { source, findings }: Material): Promise<void> {
  const settledBy = source.settledBy?.(findings.settings) ?? {}
  await settle(tx, held, source.settled ?? [], settledBy)
}

/** Stores notes about single rows, and puts the report together. */
async function tell(tx: Tx, held: ImportRow, material: Material): Promise<Told> {
  const { tableOf } = originOf(material)
  await storeWarnings(tx, held, { tableOf, settled: material.source.settled })
  const sums = await sumEverything(tx, held)
  const made = await reportOn(tx, held, { ...material, sums })
  for (const { resource } of REPORTED) {
    const name = tableOf(resource)
    if (name) await storeOutcomes(tx, held, resource, name)
  }
  return { report: made, decided: [...(await decidedSums(tx, held, sums))] }
}

async function end({ clock }: RunContext, tx: Tx, held: ImportRow, made: Report): Promise<void> {
  const ended = { status: statusOf(made), report: made }
  if (!(await markFinished(tx, held, ended, clock.now()))) throw new Stopped('lost')
}
