import type { Tx } from '#platform/database/index.ts'
import type { Deps, JobContext } from '#platform/deps.ts'
import { type Hold, type ImportRow, isHeld, markProgress, type Progress } from './queries.ts'

/** What an import runs with: a job's context, or that of the command line. */
export type RunContext = Pick<JobContext, 'transact' | 'db' | 'signal'> &
  Pick<Deps, 'clock' | 'secrets'> & {
    readonly files: Pick<Deps['files'], 'get'>
    /** How many rows are written at once, where it is not the usual number. */
    readonly batchRows?: number
  }

/** The import was canceled, or another process has it. */
export class Stopped extends Error {
  readonly why: 'canceled' | 'lost'

  constructor(why: 'canceled' | 'lost') {
    super(why)
    this.why = why
  }
}

/** Notes how far an import is. Throws Stopped where it is not this process's, or is to end. */
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
 * Keeps an import this process's until the transaction ends: `share` with others of its own transactions,
 * or alone. `keyShare` keeps nobody from noting how far it is. Throws Stopped where another has it.
 */
export async function hold(
  { signal }: RunContext,
  tx: Tx,
  held: ImportRow,
  how: Hold,
): Promise<void> {
  if (signal.aborted || !(await isHeld(tx, held, how))) throw new Stopped('lost')
}
