import { type RawBuilder, sql } from 'kysely'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { compiled } from '#platform/database/compiled.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { PlanPrice, PlanRow } from './rules.ts'

export type PlanKey = Pick<PlanRow, 'tenantId' | 'id'>
type PlainRow = Row<'store.plans'>

function selectPlans(db: Db, tenantId: string) {
  return db
    .selectFrom('store.plans as plan')
    .selectAll('plan')
    .select(
      sql<PlanPrice[]>`(
        select coalesce(jsonb_agg(jsonb_build_object(
          'currency', currency, 'priceCents', price_cents,
          'setupFeeCents', setup_fee_cents, 'priceMicros', price_micros
        ) order by currency), '[]')
        from store.plan_prices
        where tenant_id = plan.tenant_id and plan_id = plan.id
      )`.as('prices'),
    )
    .where('plan.tenantId', '=', tenantId)
}

/**
 * The prices of a `plan` as columns: its own if `own` is true, else those of the joined `price`, which
 * are null if the plan has none in that currency.
 */
export function pricesWhen(own: RawBuilder<boolean>) {
  return [
    sql<Cents | null>`case when ${own} then plan.price_cents else price.price_cents end`.as(
      'priceCents',
    ),
    sql<Cents | null>`case when ${own} then plan.setup_fee_cents else price.setup_fee_cents end`.as(
      'setupFeeCents',
    ),
    sql<number | null>`case when ${own} then plan.price_micros else price.price_micros end`.as(
      'priceMicros',
    ),
  ] as const
}

/** Whether a `plan`, joined to its `product`, can no longer be ordered. */
export const NOT_SOLD = sql<boolean>`(plan.archived_at is not null
  or product.archived_at is not null or product.published_at is null
  or product.sellable_since is null)`

function selectPlansOnSale(db: Db, tenantId: string) {
  return selectPlans(db, tenantId).where('plan.archivedAt', 'is', null)
}

/** A plan, archived or not: what was sold keeps its plan. */
export function findPlan(db: Db, { tenantId, id }: PlanKey): Promise<PlanRow | undefined> {
  return selectPlans(db, tenantId).where('plan.id', '=', id).executeTakeFirst()
}

/** Several plans, archived or not. */
export function findPlans(db: Db, tenantId: string, ids: readonly string[]): Promise<PlanRow[]> {
  return selectPlans(db, tenantId)
    .where('plan.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

export function findPlanOnSale(db: Db, { tenantId, id }: PlanKey) {
  return selectPlansOnSale(db, tenantId).where('plan.id', '=', id).executeTakeFirst()
}

/** A plan that customers may order: it is on sale, and its product is published and can be delivered. */
export function findPlanSold(db: Db, { tenantId, id }: PlanKey) {
  return selectPlansOnSale(db, tenantId)
    .where('plan.id', '=', id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('store.products as product')
          .select('product.id')
          .whereRef('product.tenantId', '=', 'plan.tenantId')
          .whereRef('product.id', '=', 'plan.productId')
          .where('product.archivedAt', 'is', null)
          .where('product.publishedAt', 'is not', null)
          .where('product.sellableSince', 'is not', null),
      ),
    )
    .executeTakeFirst()
}

export function lockPlan(tx: Tx, { tenantId, id }: PlanKey) {
  return selectPlansOnSale(tx, tenantId)
    .where('plan.id', '=', id)
    .forUpdate('plan')
    .executeTakeFirst()
}

export function listPlans(
  db: Db,
  { tenantId, productId, archived }: { tenantId: string; productId?: string; archived?: boolean },
  page: PageQuery,
) {
  const query = selectPlans(db, tenantId).where('plan.archivedAt', archived ? 'is not' : 'is', null)
  return pageOf(productId ? query.where('plan.productId', '=', productId) : query, page, 'plan.id')
}

const plansOf = compiled(
  (db, { tenantId, productIds }: { tenantId: string; productIds: readonly string[] }) =>
    selectPlansOnSale(db, tenantId)
      .where('plan.productId', '=', sql<string>`any(${productIds}::uuid[])`)
      .orderBy('plan.id'),
)

/** The plans on sale of several products, oldest first. */
export function listPlansOf(db: Db, tenantId: string, productIds: readonly string[]) {
  return plansOf(db, { tenantId, productIds })
}

/** Which of these products have a plan on sale with a price in a currency. */
export async function listProductsPricedIn(
  db: Db,
  { tenantId, currency }: { tenantId: string; currency: string },
  productIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('store.plans as plan')
    .select('plan.productId')
    .distinct()
    .where('plan.tenantId', '=', tenantId)
    .where('plan.productId', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .where('plan.archivedAt', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('plan.currency', '=', currency),
        exists(
          selectFrom('store.plan_prices as price')
            .select('price.planId')
            .whereRef('price.tenantId', '=', 'plan.tenantId')
            .whereRef('price.planId', '=', 'plan.id')
            .where('price.currency', '=', currency),
        ),
      ]),
    )
    .execute()
  return new Set(rows.map(({ productId }) => productId))
}

/** Plans on sale by their ids; others are left out. */
export function listPlansOnSale(db: Db, tenantId: string, ids: readonly string[]) {
  return selectPlansOnSale(db, tenantId)
    .where('plan.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

const currenciesOf = compiled((db, { tenantId }: { tenantId: string }) =>
  db
    .selectFrom('store.plans as plan')
    .select('plan.currency')
    .where('plan.tenantId', '=', tenantId)
    .where('plan.archivedAt', 'is', null)
    .union(
      db
        .selectFrom('store.plans as plan')
        .innerJoin('store.plan_prices as price', (join) =>
          join.onRef('price.tenantId', '=', 'plan.tenantId').onRef('price.planId', '=', 'plan.id'),
        )
        .select('price.currency')
        .where('plan.tenantId', '=', tenantId)
        .where('plan.archivedAt', 'is', null),
    ),
)

/** The currencies in which plans are on sale, in alphabetical order. */
export async function listCurrencies(db: Db, tenantId: string): Promise<string[]> {
  const rows = await currenciesOf(db, { tenantId })
  return rows.map(({ currency }) => currency).sort()
}

export async function insertPlan(tx: Tx, plan: Omit<PlainRow, 'archivedAt'>): Promise<void> {
  await tx.insertInto('store.plans').values(plan).execute()
}

export async function updatePlan(tx: Tx, { tenantId, id }: PlanKey, change: Partial<PlainRow>) {
  await tx
    .updateTable('store.plans')
    .set({ ...change, id })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Replaces the prices of a plan in other currencies. */
export async function replacePrices(
  tx: Tx,
  { tenantId, id: planId }: PlanKey,
  prices: readonly PlanPrice[],
): Promise<void> {
  await tx
    .deleteFrom('store.plan_prices')
    .where('tenantId', '=', tenantId)
    .where('planId', '=', planId)
    .execute()
  if (prices.length === 0) return
  await tx
    .insertInto('store.plan_prices')
    .values(prices.map((price) => ({ ...price, tenantId, planId })))
    .execute()
}

export function archivePlan(tx: Tx, { tenantId, id }: PlanKey, now: Instant) {
  return tx
    .updateTable('store.plans')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .returning('productId')
    .executeTakeFirst()
}

/** Puts an archived plan on sale again. */
export async function restorePlanRow(tx: Tx, { tenantId, id }: PlanKey): Promise<void> {
  await tx
    .updateTable('store.plans')
    .set({ archivedAt: null })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Puts the plans of a product on sale again that were archived together with it. */
export async function restorePlansOf(
  tx: Tx,
  { tenantId, productId }: { tenantId: string; productId: string },
  archivedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('store.plans')
    .set({ archivedAt: null })
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .where('archivedAt', '=', archivedAt)
    .execute()
}

export async function archivePlansOf(
  tx: Tx,
  { tenantId, productId }: { tenantId: string; productId: string },
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('store.plans')
    .set({ archivedAt: now })
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .where('archivedAt', 'is', null)
    .execute()
}
