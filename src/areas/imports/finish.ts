import type { Tx } from '#platform/database/index.ts'
import { advance, hold, type RunContext, Stopped } from './hold.ts'
import { judgeRows, planForBulk } from './outcomes/judge.ts'
import { type Kept, keptOf, type Material, materialOf, originOf } from './outcomes/material.ts'
import { type Report, reportOn } from './outcomes/report.ts'
import { settle } from './outcomes/settle.ts'
import { noteOutcomes, REPORTED, sumEverything } from './outcomes/totals.ts'
import { noteWarnings } from './outcomes/warnings.ts'
import { deleteStaged, type ImportRow, lookAtStaged, markFinished } from './queries.ts'
import { type Compared, decidedSums, differencesOf } from './writing/check.ts'
import { LANES, type Writing } from './writing/rows.ts'
import { beginStep, DECIDED, findSteps, keepResult, waitInTurn } from './writing/steps.ts'
import { type Written, writeFirst, writeLast, writePart } from './writing/write.ts'

const TOLD = 'told'

/** What is known of an import before anything of it is written: its report, and what it has to add up to. */
type Told = { readonly report: Report; readonly decided: readonly (readonly [string, string])[] }

/** Decides about every row and reports: a dry run ends here. */
export async function report(context: RunContext, held: ImportRow, material: Material) {
  await context.transact(async (tx) => {
    await advance(context, tx, held, { phase: 'resolving' })
    await planForBulk(tx)
    await decide(tx, held, material)
    const { report: made } = await tell(tx, held, material)
    await end(context, tx, held, made)
  })
}

/**
 * Decides about every row and writes what everything else refers to: all of it happens, or nothing. From
 * then on the import is written to its end, whoever does it, and its file is needed no longer.
 */
export async function begin(context: RunContext, held: ImportRow, material: Material) {
  const now = context.clock.now()
  await context.transact(async (tx) => {
    await advance(context, tx, held, { status: 'importing', phase: 'writing' })
    await planForBulk(tx)
    const again = await decide(tx, held, material)
    await writeFirst(tx, context.secrets, { ...held, now }, { ...writtenOf(material), again })
    await beginStep(tx, held, DECIDED, now)
    await keepResult(tx, held, DECIDED, keptOf(material))
  })
}

/**
 * Writes an import that was begun to its end: parts of its people side by side, each with all that is
 * theirs, as a whole or not at all; parts that are there are left alone. Answers false for one that was
 * not begun.
 */
export async function goOn(context: RunContext, held: ImportRow): Promise<boolean> {
  const begun = (await findSteps(context.db, held)).get(DECIDED)
  if (!begun) return false
  const material = materialOf(begun.result as Kept)
  const writing = { ...held, now: begun.at }
  const lanes = Array.from({ length: LANES }, (_, lane) => lane)
  await together([
    ...lanes.map((lane) =>
      step(context, writing, `part ${lane}`, (tx) =>
        writePart(tx, { ...writing, lane }, writtenOf(material), () => waitInTurn(tx, held)),
      ),
    ),
    step(context, writing, TOLD, async (tx) => {
      await keepResult(tx, held, TOLD, await tell(tx, held, material))
    }),
  ])
  await context.transact(async (tx) => {
    await hold(context, tx, held, 'update')
    await planForBulk(tx)
    await writeLast(tx, writing, writtenOf(material))
    const { report: made, decided } = await resultOf<Told>(tx, held, TOLD)
    const differences = await differencesOf(tx, held, new Map(decided))
    await end(context, tx, held, {
      ...made,
      differences: [...made.differences, ...differences],
    })
  })
  return true
}

/** What a step has left for those behind it. */
async function resultOf<T>(tx: Tx, held: ImportRow, step: string): Promise<T> {
  const row = (await findSteps(tx, held)).get(step)
  if (!row) throw new Error(`Import ${held.id} has not come to ${step}`)
  return row.result as T
}

function writtenOf(material: Material): Written {
  const { source, findings } = material
  const { taxMode } = source.describe(findings.settings)
  return { ...originOf(material), taxMode }
}

/** Waits for all of them, however they end: none goes on behind the back of who hears of a failure. */
async function together(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((it) => it.status === 'rejected')
  if (failed) throw failed.reason
}

/** Does a step of an import in a transaction of its own, unless it is done. */
async function step(
  context: RunContext,
  writing: Writing & ImportRow,
  name: string,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  await context.transact(async (tx) => {
    await hold(context, tx, writing, 'share')
    if (!(await beginStep(tx, writing, name, writing.now))) return
    await planForBulk(tx)
    await work(tx)
  })
}

/** Answers whether anything of that system was imported before. */
async function decide(tx: Tx, held: ImportRow, material: Material): Promise<boolean> {
  const { source, findings } = material
  const settledBy = source.settledBy?.(findings.settings) ?? {}
  await settle(tx, held, source.settled ?? [], settledBy)
  const again = await judgeRows(tx, held, originOf(material))
  // Whose rows are is known by now.
  await lookAtStaged(tx)
  return again
}

/** Notes what is told of single rows, and puts the report together. */
async function tell(tx: Tx, held: ImportRow, material: Material): Promise<Told> {
  const { tableOf } = originOf(material)
  await noteWarnings(tx, held, { tableOf, settled: material.source.settled })
  const sums = await sumEverything(tx, held)
  const made = await reportOn(tx, held, { ...material, sums })
  for (const { resource } of REPORTED) {
    const name = tableOf(resource)
    if (name) await noteOutcomes(tx, held, resource, name)
  }
  const decided: Compared = await decidedSums(tx, held, sums)
  return { report: made, decided: [...decided] }
}

async function end({ clock }: RunContext, tx: Tx, held: ImportRow, made: Report): Promise<void> {
  await deleteStaged(tx, held)
  const ended = { status: statusOf(made), report: made }
  if (!(await markFinished(tx, held, ended, clock.now()))) throw new Stopped('lost')
}

function statusOf({ differences, resources }: Report): ImportRow['status'] {
  if (differences.length > 0) return 'not_reconciled'
  const failed = Object.values(resources).some((it) => it.failed > 0)
  return failed ? 'completed_with_failures' : 'completed'
}
