import type { Tx } from '#platform/database/index.ts'
import type { Deps, JobContext } from '#platform/deps.ts'
import { type Hold, type ImportRow, isHeld, markProgress, type Progress } from './queries.ts'

/** The context in which an import runs: that of a job, or of the command line. */
export type RunContext = Pick<JobContext, 'transact' | 'db' | 'signal'> &
  Pick<Deps, 'clock' | 'secrets'> & {
    readonly files: Pick<Deps['files'], 'get'>
    /** How many rows are written at once, if not the default. */
    readonly batchRows?: number
  }

/** The import was canceled, or another process has taken it. */
export class Stopped extends Error {
  readonly why: 'canceled' | 'lost'

  constructor(why: 'canceled' | 'lost') {
    super(why)
    this.why = why
  }
}

/** Records the progress of an import. Throws Stopped if another process has taken it, or it is to end. */
export async function advance(
  { signal, clock }: RunContext,
  tx: Tx,
  held: ImportRow,
  progress: Progress,
): Promise<void> {
  if (signal.aborted) throw new Stopped('lost')
  const state = await markProgress(tx, held, progress, clock.now())
  if (state !== 'ours') throw new Stopped(state)
}

/**
 * Locks an import for this process until the transaction ends: `share` lets other transactions of this
 * process lock it too, `update` does not. `keyShare` does not prevent progress from being recorded.
 * Throws Stopped if another process has taken it.
 */
export async function hold(
  { signal }: RunContext,
  tx: Tx,
  held: ImportRow,
  how: Hold,
): Promise<void> {
  if (signal.aborted || !(await isHeld(tx, held, how))) throw new Stopped('lost')
}
