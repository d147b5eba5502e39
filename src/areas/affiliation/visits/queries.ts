import { sql } from 'kysely'
import type { Day, Instant } from '#lib/time.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type VisitRow = Row<'affiliation.visits'>

export async function insertVisit(tx: Tx, row: VisitRow): Promise<void> {
  await tx.insertInto('affiliation.visits').values(row).execute()
}

/** Counts a click on a link of an affiliate. The count holds nothing about the visitor, and stays. */
export async function countClick(
  tx: Tx,
  { tenantId, affiliateId }: Pick<VisitRow, 'tenantId' | 'affiliateId'>,
  day: Day,
): Promise<void> {
  await tx
    .insertInto('affiliation.click_days')
    .values({ tenantId, affiliateId, day, clicks: 1 })
    .onConflict((it) =>
      it
        .columns(['tenantId', 'affiliateId', 'day'])
        .doUpdateSet({ clicks: sql<number>`click_days.clicks + 1` }),
    )
    .execute()
}

export async function countFrom(
  db: Db,
  { tenantId, originHash }: Pick<VisitRow, 'tenantId' | 'originHash'>,
): Promise<number> {
  const { count } = await db
    .selectFrom('affiliation.visits')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenantId', '=', tenantId)
    .where('originHash', '=', originHash)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The affiliate whose link a visitor followed, first or last (`touch`): of the clicks that are
 * valid at a time, on links of affiliates who may earn.
 */
export function findVisited(
  db: Db,
  { tenantId, visitorHash }: Pick<VisitRow, 'tenantId' | 'visitorHash'>,
  { touch, at }: { touch: 'first' | 'last'; at: Instant },
) {
  return db
    .selectFrom('affiliation.visits as visit')
    .innerJoin('affiliation.affiliates as affiliate', (join) =>
      join
        .onRef('affiliate.tenantId', '=', 'visit.tenantId')
        .onRef('affiliate.id', '=', 'visit.affiliateId'),
    )
    .selectAll('affiliate')
    .where('visit.tenantId', '=', tenantId)
    .where('visit.visitorHash', '=', visitorHash)
    .where('visit.createdAt', '<=', at)
    .where('visit.expiresAt', '>', at)
    .where('affiliate.suspendedAt', 'is', null)
    .where('affiliate.closedAt', 'is', null)
    .orderBy('visit.id', touch === 'first' ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes expired clicks, of every tenant; returns how many. */
export async function deleteExpired(tx: Tx, before: Instant, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('affiliation.visits as visit')
    .using((it) =>
      it
        .selectFrom('affiliation.visits')
        .select(['tenantId', 'id'])
        .where('expiresAt', '<=', before)
        .orderBy('expiresAt')
        .limit(limit)
        .forUpdate()
        .skipLocked()
        .as('old'),
    )
    .whereRef('visit.tenantId', '=', 'old.tenantId')
    .whereRef('visit.id', '=', 'old.id')
    .executeTakeFirst()
  return Number(numDeletedRows)
}
