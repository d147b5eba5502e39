import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { notifyAdmins } from '#notifications'
import type { Db, Tx } from '#platform/database/index.ts'
import { expectedInvoices, type PreviewTerms } from '#services'
import { findImport } from '../queries.ts'
import type { ReconciledCustomer, Reconciliation } from '../schema.ts'
import type { ImportKey } from '../staging/writer.ts'
import { numberCursorOf, numberIn } from './cursors.ts'
import {
  insertExpected,
  insertReconciled,
  listReconciled,
  listReconciliations,
  listTotals,
  lockReconciliation,
  markReady,
  type ReconciliationKey,
} from './queries.ts'

const AT_ONCE = 500

/** Stores the invoices of the first 60 days that the preview shows, to compare them with those that are issued. */
export async function storeExpectedInvoices(
  tx: Tx,
  key: ImportKey,
  terms: PreviewTerms,
  now: Instant,
): Promise<void> {
  const which = { tenantId: key.tenantId, importId: key.id, limit: AT_ONCE }
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof expectedInvoices>> = await expectedInvoices(
      tx,
      { ...which, after },
      terms,
      now,
    )
    await insertExpected(tx, key, page.invoices)
    if (page.last === null) return
    after = page.last
  }
}

/** Runs a reconciliation that is due, once, and notifies the staff. */
export async function reconcile(tx: Tx, key: ReconciliationKey, now: Instant): Promise<void> {
  const row = await lockReconciliation(tx, key)
  const imported = await findImport(tx, key)
  if (!row || !imported) return
  await insertReconciled(tx, row)
  await markReady(tx, row, now)
  const totals = (await listTotals(tx, key)).filter(({ days }) => days === key.days)
  const customers = totals.reduce((sum, it) => sum + it.customers, 0)
  const unexplained = totals.reduce((sum, it) => sum + it.unexplained, 0)
  const facts = { file: imported.fileName, days: row.days, customers, unexplained }
  const link = `/admin/imports/${key.id}`
  await notifyAdmins(tx, { tenantId: key.tenantId, topic: 'import_reconciled', facts, link }, now)
}

/** The reconciliations of an import: when they are due, and their totals. Throws 404. */
export async function reconciliationsOf(db: Db, key: ImportKey): Promise<Reconciliation[]> {
  if (!(await findImport(db, key))) throw notFound('Import')
  const totals = await listTotals(db, key)
  return (await listReconciliations(db, key)).map(({ days, beganAt, throughAt, readyAt }) => {
    const own = totals.filter((it) => it.days === days)
    return {
      ...{ days, beganAt, throughAt, readyAt },
      totals: own.map(({ days: _, ...total }) => total),
    }
  })
}

type Wanted = { readonly cursor?: string | undefined; readonly limit: number }

/** A page of the customers of a reconciliation, those with an unexplained difference first. Throws 404 and 409. */
export async function reconciledPage(
  db: Db,
  key: ReconciliationKey,
  { cursor, limit }: Wanted,
): Promise<{ data: ReconciledCustomer[]; nextCursor: string | null }> {
  const rows = await listReconciliations(db, key)
  const row = rows.find(({ days }) => days === key.days)
  if (!row) throw notFound('Reconciliation')
  if (row.readyAt === null) {
    throw conflict('This reconciliation is not ready yet.', 'reconciliation_not_ready')
  }
  const after = cursor === undefined ? 0 : numberIn(cursor)
  const found = await listReconciled(db, key, { after, limit: limit + 1 })
  const data = found.slice(0, limit)
  const last = found.length > limit ? data.at(-1) : undefined
  return {
    data: data.map(({ place: _, ...it }) => {
      return { ...it, differenceCents: it.billedCents - it.expectedCents }
    }),
    nextCursor: last ? numberCursorOf(last.place) : null,
  }
}

type TableRow = Omit<ReconciledCustomer, 'reasons' | 'serviceIds'> & {
  reasons: string
  serviceIds: string
}

/** The columns of a reconciliation as a table. */
export const RECONCILED_COLUMNS = [
  ...(['userId', 'email', 'currency', 'formerCents', 'expectedCents', 'billedCents'] as const),
  ...(['differenceCents', 'unexplainedCents', 'reasons', 'serviceIds'] as const),
] as const

/** A whole reconciliation as rows of a table, a page at a time. */
export async function* reconciledOf(db: Db, key: ReconciliationKey): AsyncGenerator<TableRow[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await reconciledPage(db, key, { cursor, limit: AT_ONCE })
    yield page.data.map((row) => {
      return { ...row, reasons: row.reasons.join(' '), serviceIds: row.serviceIds.join(' ') }
    })
    if (page.nextCursor === null) return
    cursor = page.nextCursor
  }
}
