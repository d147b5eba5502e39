import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import type { ImportKey } from '../staging/writer.ts'

export type StepRow = Row<'imports.steps'>

/** The step after which an import is always written to its end. */
export const DECIDED = 'decided'

/** The finished steps of an import, by their name. */
export async function findSteps(
  db: Db,
  { tenantId, id }: ImportKey,
): Promise<ReadonlyMap<string, StepRow>> {
  const rows = await db
    .selectFrom('imports.steps')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .execute()
  return new Map(rows.map((it) => [it.step, it]))
}

/**
 * Begins a step; other transactions that begin the same step wait until this one ends. Returns false
 * if the step is done already.
 */
export async function beginStep(
  tx: Tx,
  { tenantId, id }: ImportKey,
  step: string,
  at: Instant,
): Promise<boolean> {
  const row = await tx
    .insertInto('imports.steps')
    .values({ tenantId, importId: id, step, at })
    .onConflict((it) => it.doNothing())
    .returning('step')
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the result of a step that was begun in this transaction, for later steps. */
export async function storeStepResult(
  tx: Tx,
  { tenantId, id }: ImportKey,
  step: string,
  result: object,
): Promise<void> {
  await tx
    .updateTable('imports.steps')
    .set({ result: json(result) })
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .where('step', '=', step)
    .execute()
}

/**
 * Waits until no other step of this import is in the section that only one may enter at a time, and
 * enters it until the transaction ends.
 */
export async function waitInTurn(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await tx
    .selectFrom('imports.steps')
    .select('step')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .where('step', '=', DECIDED)
    .forUpdate()
    .execute()
}

/** Removes the steps of an import that has ended. */
export async function deleteSteps(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await tx
    .deleteFrom('imports.steps')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .execute()
}

/** Waits for all works, however they end, so that none still runs when the caller gets an error. */
export async function together(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((it) => it.status === 'rejected')
  if (failed) throw failed.reason
}
