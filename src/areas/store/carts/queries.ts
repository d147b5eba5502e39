import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled, compiledFirst } from '#platform/database/compiled.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import type { Selection } from '../components/selection.ts'
import type { Chosen } from '../locations/rules.ts'
import { NOT_SOLD, pricesWhen } from '../plans/queries.ts'
import { triedBy } from '../trials/queries.ts'

export type CartRow = Row<'store.carts'>
export type CartItemRow = Row<'store.cart_items'>

export const findCart = compiledFirst((db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('store.carts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId),
)

/** Locks the cart's row: transactions that change or buy the cart wait for each other. */
export function lockCart(tx: Tx, { tenantId, userId }: UserKey) {
  return tx
    .selectFrom('store.carts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** The cart's row, locked; created if there was none. */
export function upsertCart(
  tx: Tx,
  { tenantId, userId }: UserKey,
  { currency, now }: { currency: string; now: Instant },
) {
  return tx
    .insertInto('store.carts')
    .values({ tenantId, userId, currency, createdAt: now, updatedAt: now })
    .onConflict((it) => it.columns(['tenantId', 'userId']).doUpdateSet({ updatedAt: now }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateCurrency(tx: Tx, { tenantId, userId }: UserKey, currency: string) {
  await tx
    .updateTable('store.carts')
    .set({ currency })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/**
 * What is in a cart, oldest first, with its plan in the cart's currency. The price is null if the
 * plan, or its price in that currency, no longer exists.
 */
export const listItems = compiled((db, { tenantId, userId }: UserKey) => {
  const ownCurrency = sql<boolean>`plan.currency = cart.currency`
  return db
    .selectFrom('store.cart_items as item')
    .innerJoin('store.carts as cart', (join) =>
      join.onRef('cart.tenantId', '=', 'item.tenantId').onRef('cart.userId', '=', 'item.userId'),
    )
    .innerJoin('store.plans as plan', (join) =>
      join.onRef('plan.tenantId', '=', 'item.tenantId').onRef('plan.id', '=', 'item.planId'),
    )
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'plan.tenantId')
        .onRef('product.id', '=', 'plan.productId'),
    )
    .leftJoin('store.plan_prices as price', (join) =>
      join
        .onRef('price.tenantId', '=', 'plan.tenantId')
        .onRef('price.planId', '=', 'plan.id')
        .onRef('price.currency', '=', 'cart.currency'),
    )
    .select(['item.id', 'item.planId', 'item.quantity', 'item.name'])
    .select(['item.options', 'item.environment', 'item.trial', 'item.locationId'])
    .select(['plan.name as planName', 'plan.interval', 'plan.intervalCount', 'plan.trialDays'])
    .select(['product.id as productId', 'product.name as productName', 'product.categoryId'])
    .select(['product.slug as productSlug', 'product.taxRateId', 'product.stock'])
    .select(['product.locationIds', 'product.provisioning'])
    .select(pricesWhen(ownCurrency))
    .select(NOT_SOLD.as('gone'))
    .select(triedBy(userId).as('tried'))
    .where('item.tenantId', '=', tenantId)
    .where('item.userId', '=', userId)
    .orderBy('item.id')
})

/** The items of a cart, oldest first, with the servers that will be created from them. */
export const listCartServers = compiled((db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('store.cart_items as item')
    .innerJoin('store.plans as plan', (join) =>
      join.onRef('plan.tenantId', '=', 'item.tenantId').onRef('plan.id', '=', 'item.planId'),
    )
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'plan.tenantId')
        .onRef('product.id', '=', 'plan.productId'),
    )
    .innerJoin('store.carts as cart', (join) =>
      join.onRef('cart.tenantId', '=', 'item.tenantId').onRef('cart.userId', '=', 'item.userId'),
    )
    .select(['item.id', 'item.quantity', 'item.environment', 'item.locationId'])
    .select(['item.options', 'item.trial', 'plan.trialDays'])
    .select(['plan.interval', 'plan.intervalCount', 'cart.currency'])
    .select(['product.id as productId', 'product.provisioning', 'product.locationIds'])
    .where('item.tenantId', '=', tenantId)
    .where('item.userId', '=', userId)
    .orderBy('item.id'),
)

/** How many units are in a user's cart. */
export async function countCartUnits(db: Db, { tenantId, userId }: UserKey): Promise<number> {
  const row = await db
    .selectFrom('store.cart_items')
    .select(sql<number>`coalesce(sum(quantity), 0)::int`.as('units'))
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.units ?? 0
}

/** An item of a cart, with the location of its server, and what was chosen beside its plan. */
export type ItemRow = Awaited<ReturnType<typeof listItems>>[number] & Chosen & Selection

type ItemKey = UserKey & { id: string }
type Written = Partial<
  Pick<
    CartItemRow,
    'planId' | 'quantity' | 'name' | 'options' | 'environment' | 'trial' | 'locationId'
  >
>

function columnsOf({ options, environment, ...rest }: Written) {
  return {
    ...rest,
    ...(options && { options: json(options) }),
    ...(environment && { environment: json(environment) }),
  }
}

export function findItem(db: Db, { tenantId, userId, id }: ItemKey) {
  return db
    .selectFrom('store.cart_items')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertItem(
  tx: Tx,
  { tenantId, userId, id }: ItemKey,
  item: Written & { planId: string; quantity: number; createdAt: Instant },
): Promise<void> {
  const { planId, quantity, createdAt } = item
  await tx
    .insertInto('store.cart_items')
    .values({ ...columnsOf(item), tenantId, userId, id, planId, quantity, createdAt })
    .execute()
}

export async function updateItem(tx: Tx, { tenantId, userId, id }: ItemKey, change: Written) {
  await tx
    .updateTable('store.cart_items')
    .set({ ...columnsOf(change), id })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

export function deleteItem(tx: Tx, { tenantId, userId, id }: ItemKey) {
  return tx
    .deleteFrom('store.cart_items')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

export async function deleteItems(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('store.cart_items')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

export async function deleteCart(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('store.carts')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** The coupons in a cart, by code, with how often this customer has used each of them. */
export const listCartCoupons = compiled((db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('store.cart_coupons as entry')
    .innerJoin('store.coupons as coupon', (join) =>
      join
        .onRef('coupon.tenantId', '=', 'entry.tenantId')
        .onRef('coupon.id', '=', 'entry.couponId'),
    )
    .selectAll('coupon')
    .select(
      sql<number>`(
        select count(*) from store.coupon_redemptions
        where tenant_id = coupon.tenant_id and coupon_id = coupon.id
          and user_id = entry.user_id and released_at is null
      )`.as('usedByCustomer'),
    )
    .where('entry.tenantId', '=', tenantId)
    .where('entry.userId', '=', userId)
    .orderBy('coupon.code'),
)

export type CartCouponRow = Awaited<ReturnType<typeof listCartCoupons>>[number]

export async function upsertCartCoupon(
  tx: Tx,
  { tenantId, userId, couponId }: UserKey & { couponId: string },
  now: Instant,
): Promise<void> {
  await tx
    .insertInto('store.cart_coupons')
    .values({ tenantId, userId, couponId, createdAt: now })
    .onConflict((it) => it.doNothing())
    .execute()
}

export async function deleteCartCoupon(
  tx: Tx,
  { tenantId, userId, couponId }: UserKey & { couponId: string },
): Promise<void> {
  await tx
    .deleteFrom('store.cart_coupons')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('couponId', '=', couponId)
    .execute()
}

export async function deleteCartCoupons(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('store.cart_coupons')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
