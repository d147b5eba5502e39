import { sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'

/** Overdue amounts of numbered open invoices, by currency. */
export function sumOverdue(
  db: Db,
  tenantId: string,
  now: Instant,
): Promise<{ currency: string; dueCents: Cents; invoices: number }[]> {
  return db
    .selectFrom('billing.invoices')
    .select('currency')
    .select(
      sql<Cents>`sum(total_cents - credited_cents
        - (paid_cents - refunded_cents - reversed_cents))::bigint`.as('dueCents'),
    )
    .select(sql<number>`count(*)::integer`.as('invoices'))
    .where('tenantId', '=', tenantId)
    .where('status', '=', 'open')
    .where('number', 'is not', null)
    .where('kind', '<>', 'top_up')
    .where('dueAt', '<', now)
    .groupBy('currency')
    .orderBy('currency')
    .execute()
}

const MOST_COUNTED = 1000

/** The number of unpaid orders, and of paid orders that are not fulfilled; at most 1000 of each. */
export async function countOrders(
  db: Db,
  tenantId: string,
): Promise<{ unpaid: number; inProgress: number }> {
  const part = (paid: boolean) => sql<number>`(select count(*)::integer from (
    select from orders.orders
    where tenant_id = ${tenantId} and fulfilled_at is null and canceled_at is null
      and paid_at is ${paid ? sql`not null` : sql`null`}
    limit ${MOST_COUNTED}) as bounded)`
  return db
    .selectNoFrom([part(false).as('unpaid'), part(true).as('inProgress')])
    .executeTakeFirstOrThrow()
}

/** Panel connections. */
export function listNodes(db: Db, tenantId: string) {
  return db
    .selectFrom('panel.nodes as node')
    .select(['node.id', 'node.name', 'node.status', 'node.testedAt'])
    .where('node.tenantId', '=', tenantId)
    .where('node.deletedAt', 'is', null)
    .orderBy('node.id')
    .execute()
}

/** The most recent import. */
export function findLastImport(db: Db, tenantId: string) {
  return db
    .selectFrom('imports.imports')
    .select(['id', 'status', 'createdAt'])
    .where('tenantId', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
