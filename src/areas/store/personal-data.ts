import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { deleteCart, listCartCoupons, listItems } from './carts/queries.ts'

const EXPORTED = 10_000

/** What the shop stores about a person: the cart, and their uses of what each person gets once. */
export async function personalData(db: Db, user: UserKey) {
  const items = await listItems(db, user)
  const coupons = await listCartCoupons(db, user)
  return {
    cart: {
      items: items.map(
        ({ productName, planName, quantity, name, options, environment, trial }) => ({
          ...{ product: productName, plan: planName, quantity, name, options, environment, trial },
        }),
      ),
      coupons: coupons.map(({ code }) => code),
    },
    couponsUsed: () => listCouponsUsed(db, user),
    trials: () => listTrials(db, user),
    firstPaidAt: async () => (await findBuyer(db, user))?.firstPaidAt ?? null,
  }
}

/** Deletes what a person wanted to buy. */
export async function erase(tx: Tx, { tenantId, userId }: Leaving): Promise<void> {
  await deleteCart(tx, { tenantId, userId })
}

function listCouponsUsed(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('store.coupon_redemptions as redemption')
    .innerJoin('store.coupons as coupon', (join) =>
      join
        .onRef('coupon.tenantId', '=', 'redemption.tenantId')
        .onRef('coupon.id', '=', 'redemption.couponId'),
    )
    .select(['coupon.code', 'redemption.createdAt', 'redemption.confirmedAt'])
    .select('redemption.releasedAt')
    .where('redemption.tenantId', '=', tenantId)
    .where('redemption.userId', '=', userId)
    .orderBy('redemption.createdAt', 'desc')
    .limit(EXPORTED)
    .execute()
}

function listTrials(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('store.trials as trial')
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'trial.tenantId')
        .onRef('product.id', '=', 'trial.productId'),
    )
    .select(['product.name as product', 'trial.createdAt'])
    .select(
      sql<Instant | null>`(
        select max(mark.forget_at) from store.trial_marks mark
        where mark.tenant_id = trial.tenant_id and mark.reference = trial.reference
          and mark.product_id = trial.product_id
      )`.as('rememberedUntil'),
    )
    .where('trial.tenantId', '=', tenantId)
    .where('trial.userId', '=', userId)
    .orderBy('trial.createdAt', 'desc')
    .limit(EXPORTED)
    .execute()
}

function findBuyer(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('store.buyers')
    .select('firstPaidAt')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}
