import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import { compiled } from '#platform/database/compiled.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { ReferralRow, Refusal } from './rules.ts'

type Correction = Pick<ReferralRow, 'correctedAt' | 'correctedBy' | 'correctionReason'>

/** Records who referred a person, once; undefined if that was recorded before. */
export function insertReferral(
  tx: Tx,
  row: Pick<
    ReferralRow,
    'tenantId' | 'id' | 'affiliateId' | 'userId' | 'source' | 'sharedOrigin' | 'createdAt'
  > &
    Partial<Correction>,
) {
  return tx
    .insertInto('affiliation.referrals')
    .values(row)
    .onConflict((it) => it.columns(['tenantId', 'userId']).doNothing())
    .returning('id')
    .executeTakeFirst()
}

/** Compiled, because it is read for every invoice that is paid. */
const referralOf = compiled((db, { tenantId, userId }: UserKey) =>
  db
    .selectFrom('affiliation.referrals')
    .select(['id', 'refusedAt', 'correctedAt'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId),
)

/** Whether a person's payments may earn an affiliate commission, or may have earned a former one some. */
export async function wasReferred(db: Db, user: UserKey): Promise<boolean> {
  const [referral] = await referralOf(db, user)
  return referral !== undefined && (referral.refusedAt === null || referral.correctedAt !== null)
}

/** The referral of a person, if there is one. */
export function findReferralOf(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('affiliation.referrals')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** The lock that serializes decisions about a customer's payments. */
export function lockReferralOf(tx: Tx, { tenantId, userId }: UserKey) {
  return tx
    .selectFrom('affiliation.referrals')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

export async function markRefused(
  tx: Tx,
  { tenantId, id }: Pick<ReferralRow, 'tenantId' | 'id'>,
  refusal: Refusal,
  refusedAt: Instant,
): Promise<void> {
  await tx
    .updateTable('affiliation.referrals')
    .set({ refusal, refusedAt })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Changes who referred a customer. */
export async function updateReferral(
  tx: Tx,
  { tenantId, id }: Pick<ReferralRow, 'tenantId' | 'id'>,
  changes: Correction &
    Partial<
      Pick<
        ReferralRow,
        'affiliateId' | 'source' | 'sharedOrigin' | 'refusedAt' | 'refusal' | 'removedAt'
      >
    >,
): Promise<void> {
  await tx
    .updateTable('affiliation.referrals')
    .set(changes)
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Deletes the reason of a correction, which may contain facts about the customer. */
export async function forgetCorrection(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .updateTable('affiliation.referrals')
    .set({ correctionReason: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** The referral of a person with the name and code of the affiliate. */
export function findShownReferral(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('affiliation.referrals as referral')
    .innerJoin('affiliation.affiliates as affiliate', (join) =>
      join
        .onRef('affiliate.tenantId', '=', 'referral.tenantId')
        .onRef('affiliate.id', '=', 'referral.affiliateId'),
    )
    .innerJoin('users.users as user', (join) =>
      join
        .onRef('user.tenantId', '=', 'affiliate.tenantId')
        .onRef('user.id', '=', 'affiliate.userId'),
    )
    .selectAll('referral')
    .select(['affiliate.code', 'user.name'])
    .where('referral.tenantId', '=', tenantId)
    .where('referral.userId', '=', userId)
    .executeTakeFirst()
}

function withPerson(db: Db, tenantId: string) {
  return db
    .selectFrom('affiliation.referrals as referral')
    .innerJoin('users.users as user', (join) =>
      join
        .onRef('user.tenantId', '=', 'referral.tenantId')
        .onRef('user.id', '=', 'referral.userId'),
    )
    .selectAll('referral')
    .select(['user.name', 'user.email'])
    .where('referral.tenantId', '=', tenantId)
    .where('referral.removedAt', 'is', null)
}

/** The referrals of an affiliate, newest first. */
export function listReferralsOf(
  db: Db,
  { tenantId, id }: { tenantId: string; id: string },
  page: PageQuery,
) {
  return pageOf(
    withPerson(db, tenantId).where('referral.affiliateId', '=', id),
    page,
    'referral.id',
  )
}

type Filter = { affiliateId?: string | undefined; userId?: string | undefined }

/** All referrals of a tenant, newest first. */
export function listReferrals(
  db: Db,
  tenantId: string,
  { affiliateId, userId }: Filter,
  page: PageQuery,
) {
  let query = withPerson(db, tenantId)
  if (affiliateId) query = query.where('referral.affiliateId', '=', affiliateId)
  if (userId) query = query.where('referral.userId', '=', userId)
  return pageOf(query, page, 'referral.id')
}
