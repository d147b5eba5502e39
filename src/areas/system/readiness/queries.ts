import { sql } from 'kysely'
import type { Db } from '#platform/database/index.ts'

/** Whether a tenant has a panel connection whose last test succeeded. */
export async function hasWorkingPanel(db: Db, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('panel.nodes')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('deletedAt', 'is', null)
    .where('status', '=', 'ok')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a tenant shows a published product that can be delivered and has a plan. */
export async function hasProduct(db: Db, tenantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('store.products as product')
    .innerJoin('store.plans as plan', (join) =>
      join
        .onRef('plan.tenantId', '=', 'product.tenantId')
        .onRef('plan.productId', '=', 'product.id')
        .on('plan.archivedAt', 'is', null),
    )
    .select(sql<boolean>`true`.as('there'))
    .where('product.tenantId', '=', tenantId)
    .where('product.archivedAt', 'is', null)
    .where('product.hidden', '=', false)
    .where('product.publishedAt', 'is not', null)
    .where('product.sellableSince', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
