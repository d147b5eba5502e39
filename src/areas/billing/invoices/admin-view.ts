import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { namesOf } from '#users'
import { asOfNow } from './drafts.ts'
import { type InvoiceRow, partsOfAll } from './queries.ts'
import { adminInvoiceView } from './view.ts'

/** Invoices of one tenant as administrators see them, drafts priced as of now (R2.7). */
export async function adminViewsOf(
  db: Db,
  tenantId: string,
  rows: readonly InvoiceRow[],
  now: Instant,
) {
  const ids = rows.map(({ id }) => id)
  const [stored, customers] = await Promise.all([
    partsOfAll(db, tenantId, ids),
    namesOf(
      db,
      tenantId,
      rows.map(({ userId }) => userId),
    ),
  ])
  const views = []
  for (const row of rows) {
    const fresh = await asOfNow(db, row, stored, now)
    views.push(adminInvoiceView(fresh.row, fresh.parts, customers.get(row.userId), now))
  }
  return views
}

/** One invoice as administrators see it. */
export async function adminViewOf(db: Db, row: InvoiceRow, now: Instant) {
  const [view] = await adminViewsOf(db, row.tenantId, [row], now)
  if (!view) throw new Error('An invoice has no view')
  return view
}
