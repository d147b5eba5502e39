import type { Insertable, Updateable } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { ProviderRef } from '../gateways/snapshots.ts'

export type AttemptRow = Row<'billing.payment_attempts'>
export type AttemptKey = { tenantId: string; attemptId: string }

export async function insertAttempt(
  tx: Tx,
  row: Insertable<Tables['billing.payment_attempts']>,
  invoiceIds: readonly string[],
): Promise<AttemptRow> {
  const inserted = await tx
    .insertInto('billing.payment_attempts')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { tenantId, id: attemptId } = inserted
  if (invoiceIds.length > 0) {
    await tx
      .insertInto('billing.attempt_invoices')
      .values(invoiceIds.map((invoiceId) => ({ tenantId, attemptId, invoiceId })))
      .execute()
  }
  return inserted
}

export function findAttempt(db: Db, { tenantId, attemptId }: AttemptKey) {
  return db
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', attemptId)
    .executeTakeFirst()
}

/** An attempt of any customer: the browser that comes back from a provider knows only its id. */
export function findAttemptAnywhere(db: Db, attemptId: string) {
  return db
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('id', '=', attemptId)
    .executeTakeFirst()
}

export function lockAttempt(tx: Tx, { tenantId, attemptId }: AttemptKey) {
  return tx
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', attemptId)
    .forUpdate()
    .executeTakeFirst()
}

/** The attempt with a provider's id of the payment or the checkout. */
export function findByRef(
  db: Db,
  { tenantId, gatewayId }: { tenantId: string; gatewayId: string },
  { checkoutId, paymentId }: ProviderRef,
) {
  return db
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('gatewayId', '=', gatewayId)
    .where((it) =>
      it.or([
        ...(checkoutId ? [it('checkoutId', '=', checkoutId)] : []),
        ...(paymentId ? [it('providerPaymentId', '=', paymentId)] : []),
      ]),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** Which invoices an attempt would pay, in the order of their ids. */
export async function invoiceIdsOf(
  db: Db,
  { tenantId, id }: Pick<AttemptRow, 'tenantId' | 'id'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('billing.attempt_invoices')
    .select('invoiceId')
    .where('tenantId', '=', tenantId)
    .where('attemptId', '=', id)
    .orderBy('invoiceId')
    .execute()
  return rows.map(({ invoiceId }) => invoiceId)
}

/** Attempts for an invoice that could still bring money, newest first. */
export function listUnfinished(db: Db, tenantId: string, invoiceIds: readonly string[]) {
  return db
    .selectFrom('billing.payment_attempts as attempt')
    .selectAll('attempt')
    .where('attempt.tenantId', '=', tenantId)
    .where('attempt.state', 'in', ['created', 'open', 'action_required', 'processing', 'unknown'])
    .where((it) =>
      it.exists(
        it
          .selectFrom('billing.attempt_invoices as part')
          .select('part.invoiceId')
          .whereRef('part.tenantId', '=', 'attempt.tenantId')
          .whereRef('part.attemptId', '=', 'attempt.id')
          .where('part.invoiceId', 'in', [...invoiceIds]),
      ),
    )
    .orderBy('attempt.id', 'desc')
    .execute()
}

/** Those of the given invoices that are paid or being paid: nobody is asked to pay them again. */
export async function listUnderWay(
  db: Db,
  tenantId: string,
  invoiceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (invoiceIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('billing.attempt_invoices as part')
    .innerJoin('billing.payment_attempts as attempt', (join) =>
      join
        .onRef('attempt.tenantId', '=', 'part.tenantId')
        .onRef('attempt.id', '=', 'part.attemptId'),
    )
    .select('part.invoiceId')
    .where('part.tenantId', '=', tenantId)
    .where('part.invoiceId', 'in', [...invoiceIds])
    .where('attempt.state', 'in', ['processing', 'unknown', 'paid'])
    .execute()
  return new Set(rows.map(({ invoiceId }) => invoiceId))
}

export function updateAttempt(
  tx: Tx,
  { tenantId, id }: Pick<AttemptRow, 'tenantId' | 'id'>,
  changes: Updateable<Tables['billing.payment_attempts']>,
): Promise<AttemptRow> {
  return tx
    .updateTable('billing.payment_attempts')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks attempts that are due for a check, without those that another process has locked. */
export function lockDue(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('nextCheckAt', '<=', now)
    .orderBy('nextCheckAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}
