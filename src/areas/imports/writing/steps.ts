import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import type { ImportKey } from '../staging/writer.ts'

export type StepRow = Row<'imports.steps'>

/** The step behind which an import is written to its end, whatever happens. */
export const DECIDED = 'decided'

/** The steps of an import that are done, by their name. */
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

/** Begins a step, which others wait for until the transaction ends. False where it is done already. */
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

/** Keeps what later steps need of one that was begun in this transaction. */
export async function keepResult(
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

/** Waits until no other step of an import is where only one may be, and keeps others waiting. */
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

/** Removes the steps of an import that is at its end. */
export async function deleteSteps(tx: Tx, { tenantId, id }: ImportKey): Promise<void> {
  await tx
    .deleteFrom('imports.steps')
    .where('tenantId', '=', tenantId)
    .where('importId', '=', id)
    .execute()
}

/** Waits for all of them, however they end: none goes on behind the back of who hears of a failure. */
export async function together(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((it) => it.status === 'rejected')
  if (failed) throw failed.reason
}
