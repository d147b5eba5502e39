import { sql } from 'kysely'
import { commissionBalances } from '#ledger'
import { type Cents, cents } from '#lib/money.ts'
import { DAY_MS, dayOf, type Instant, later } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { AffiliateRow } from './rules.ts'
import type { Affiliate, AffiliateTotals } from './schema.ts'

/** The days of `recentClickCount`, today included. */
const RECENT_DAYS = 30

export type AffiliateKey = Pick<AffiliateRow, 'tenantId' | 'id'>

/** Adds an affiliate; undefined if the person is one already, or the code is taken. */
export function insertAffiliate(
  tx: Tx,
  row: Pick<AffiliateRow, 'tenantId' | 'id' | 'userId' | 'code' | 'createdAt'>,
) {
  return tx
    .insertInto('affiliation.affiliates')
    .values(row)
    .onConflict((it) => it.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findAffiliate(db: Db, { tenantId, id }: AffiliateKey) {
  return db
    .selectFrom('affiliation.affiliates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findAffiliateByCode(db: Db, tenantId: string, code: string) {
  return db
    .selectFrom('affiliation.affiliates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('code', '=', code)
    .executeTakeFirst()
}

export function findAffiliateOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('affiliation.affiliates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Whether a person is an affiliate whose account has not ended. */
export async function isAffiliate(db: Db, user: UserKey): Promise<boolean> {
  const affiliate = await findAffiliateOf(db, user)
  return affiliate !== undefined && affiliate.closedAt === null
}

/** The lock for everything that reduces an affiliate's balance. */
export function lockAffiliateOf(tx: Tx, { tenantId, userId }: UserKey) {
  return tx
    .selectFrom('affiliation.affiliates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

export function lockAffiliate(tx: Tx, { tenantId, id }: AffiliateKey) {
  return tx
    .selectFrom('affiliation.affiliates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Prevents an affiliate from being suspended or closed; several transactions may hold this lock at once. */
export function lockAffiliateShared(tx: Tx, { tenantId, id }: AffiliateKey) {
  return tx
    .selectFrom('affiliation.affiliates')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow()
}

export function updateAffiliate(
  tx: Tx,
  { tenantId, id }: AffiliateKey,
  changes: Partial<Pick<AffiliateRow, 'suspendedAt' | 'suspendedReason' | 'closedAt'>>,
) {
  return tx
    .updateTable('affiliation.affiliates')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function withPerson(db: Db, tenantId: string) {
  return db
    .selectFrom('affiliation.affiliates as affiliate')
    .innerJoin('users.users as user', (join) =>
      join
        .onRef('user.tenantId', '=', 'affiliate.tenantId')
        .onRef('user.id', '=', 'affiliate.userId'),
    )
    .selectAll('affiliate')
    .select(['user.name', 'user.email', 'user.company', 'user.vatNumber', 'user.country'])
    .select((it) =>
      it
        .selectFrom('affiliation.referrals as referral')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('referral.tenantId', '=', 'affiliate.tenantId')
        .whereRef('referral.affiliateId', '=', 'affiliate.id')
        .where('referral.removedAt', 'is', null)
        .$asScalar()
        .$notNull()
        .as('referralCount'),
    )
    .where('affiliate.tenantId', '=', tenantId)
}

/** An affiliate with their name, and how many people they referred. */
export function findListedAffiliate(db: Db, { tenantId, id }: AffiliateKey) {
  return withPerson(db, tenantId).where('affiliate.id', '=', id).executeTakeFirst()
}

export type ListedAffiliate = NonNullable<Awaited<ReturnType<typeof findListedAffiliate>>>

type Filter = { status?: Affiliate['status'] | undefined; code?: string | undefined }

/** Affiliates of a tenant, newest first. */
export function listAffiliates(
  db: Db,
  tenantId: string,
  { status, code }: Filter,
  page: PageQuery,
) {
  let query = withPerson(db, tenantId)
  if (code) query = query.where('affiliate.code', '=', code)
  if (status === 'closed') query = query.where('affiliate.closedAt', 'is not', null)
  if (status && status !== 'closed') {
    const suspended = status === 'suspended' ? 'is not' : 'is'
    query = query.where('affiliate.closedAt', 'is', null)
    query = query.where('affiliate.suspendedAt', suspended, null)
  }
  return pageOf(query, page, 'affiliate.id')
}

/** The earnings of affiliates, by currency: for each affiliate a row per currency. */
export async function totalsOf(
  db: Db,
  tenantId: string,
  affiliateIds: readonly string[],
): Promise<ReadonlyMap<string, AffiliateTotals[]>> {
  if (affiliateIds.length === 0) return new Map()
  const ids = sql<string>`any(${[...affiliateIds]}::uuid[])`
  const balances = await commissionBalances(db, tenantId, affiliateIds)
  const reversed = await db
    .selectFrom('affiliation.commissions')
    .select(['affiliateId', 'currency', sql<Cents>`sum(reversed_cents)::bigint`.as('sum')])
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', ids)
    .groupBy(['affiliateId', 'currency'])
    .execute()
  const converted = await db
    .selectFrom('affiliation.conversions')
    .select(['affiliateId', 'currency', sql<Cents>`sum(amount_cents)::bigint`.as('sum')])
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', ids)
    .where('kind', '=', 'credit')
    .groupBy(['affiliateId', 'currency'])
    .execute()
  type Sum = { affiliateId: string; currency: string; sum: Cents }
  const sumIn = (sums: Sum[], of: { affiliateId: string; currency: string }) =>
    sums.find((it) => it.affiliateId === of.affiliateId && it.currency === of.currency)?.sum ??
    cents(0)
  const rows = balances.map(({ affiliateId, ...balance }) => {
    const of = { affiliateId, currency: balance.currency }
    const sums = { convertedCents: sumIn(converted, of), reversedCents: sumIn(reversed, of) }
    return { affiliateId, totals: { ...balance, ...sums } }
  })
  const byAffiliate = Map.groupBy(rows, (it) => it.affiliateId)
  return new Map([...byAffiliate].map(([id, all]) => [id, all.map(({ totals }) => totals)]))
}

type Clicks = Pick<Affiliate, 'clickCount' | 'recentClickCount'>

/** The recorded clicks on the link of an affiliate, in all and of the last `RECENT_DAYS` days. */
export async function clicksOf(
  db: Db,
  { tenantId, id }: AffiliateKey,
  now: Instant,
): Promise<Clicks> {
  const clicks = (await clicksAmong(db, tenantId, [id], now)).get(id)
  return clicks ?? { clickCount: 0, recentClickCount: 0 }
}

/** The recorded clicks by affiliate; who had none is left out. */
async function clicksAmong(
  db: Db,
  tenantId: string,
  affiliateIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, Clicks>> {
  const recent = dayOf(later(now, (1 - RECENT_DAYS) * DAY_MS))
  const rows = await db
    .selectFrom('affiliation.click_days')
    .select(['affiliateId', sql<number>`sum(clicks)::int`.as('clickCount')])
    .select(
      sql<number>`coalesce(sum(clicks) filter (where day >= ${recent}), 0)::int`.as(
        'recentClickCount',
      ),
    )
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', sql<string>`any(${[...affiliateIds]}::uuid[])`)
    .groupBy('affiliateId')
    .execute()
  return new Map(rows.map(({ affiliateId, ...clicks }) => [affiliateId, clicks]))
}

export type Brought = Pick<Affiliate, 'clickCount' | 'recentClickCount' | 'orderCount'>

/** Clicks on the links of affiliates, and the paid orders of the customers they referred. */
export async function broughtBy(
  db: Db,
  tenantId: string,
  affiliateIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, Brought>> {
  if (affiliateIds.length === 0) return new Map()
  const ids = sql<string>`any(${[...affiliateIds]}::uuid[])`
  const clicks = await clicksAmong(db, tenantId, affiliateIds, now)
  const orders = await db
    .selectFrom('affiliation.referrals as referral')
    .innerJoin('orders.orders as order', (join) =>
      join
        .onRef('order.tenantId', '=', 'referral.tenantId')
        .onRef('order.userId', '=', 'referral.userId'),
    )
    .select(['referral.affiliateId', sql<number>`count(*)::int`.as('orderCount')])
    .where('referral.tenantId', '=', tenantId)
    .where('referral.affiliateId', '=', ids)
    .where('referral.removedAt', 'is', null)
    .where('order.paidAt', 'is not', null)
    .groupBy('referral.affiliateId')
    .execute()
  const ordersOf = new Map(orders.map((it) => [it.affiliateId, it.orderCount]))
  return new Map(
    affiliateIds.map((id) => {
      const { clickCount = 0, recentClickCount = 0 } = clicks.get(id) ?? {}
      return [id, { clickCount, recentClickCount, orderCount: ordersOf.get(id) ?? 0 }]
    }),
  )
}

/** How many people an affiliate has referred. */
export async function countReferrals(db: Db, { tenantId, id }: AffiliateKey): Promise<number> {
  const { count } = await db
    .selectFrom('affiliation.referrals')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
