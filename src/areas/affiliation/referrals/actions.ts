import { shareMeansOfPayment } from '#billing'
import { newId } from '#lib/id.ts'
import { conflict, forbidden, notFound } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { reachOf } from '#platform/addresses.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { tokenHash } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { billingProfileOf, findUser, listAddressesSince, lockUser } from '#users'
import { findAffiliateByCode, lockAffiliate } from '../affiliates/queries.ts'
import { type AffiliateRow, assertThere, codeOf, earns } from '../affiliates/rules.ts'
import { affiliationSettings } from '../settings.ts'
import { findVisited } from '../visits/queries.ts'
import { insertReferral, lockReferralOf, updateReferral } from './queries.ts'
import { type ReferralRow, type Refusal, refusalOf, shareHome } from './rules.ts'

/** What a registration contains about a referral. */
export type Recommendation = {
  readonly referralCode: string | null
  readonly visitorToken: string | null
}

/**
 * Decides who referred a person: by the code they typed, else by a click that is still valid (R6.1). Decided once;
 * only staff change it later. Returns whether a new referral was stored.
 */
export async function attribute(
  tx: Tx,
  key: UserKey,
  recommendation: Recommendation,
  now: Instant,
): Promise<boolean> {
  const user = await findUser(tx, key)
  if (!user || user.deletedAt) return false
  const { tenantId, userId } = key
  const found = await recommender(tx, tenantId, recommendation, user.createdAt)
  if (!found || found.affiliate.userId === userId) return false
  const { affiliate, source } = found
  const other = { tenantId, userId: affiliate.userId }
  const since = later(user.createdAt, -DAY_MS)
  const added = await insertReferral(tx, {
    ...{ tenantId, id: newId(), affiliateId: affiliate.id, userId, source },
    ...{ sharedOrigin: await shareOrigin(tx, [key, other], since), createdAt: now },
  })
  return added !== undefined
}

type Found = { affiliate: AffiliateRow; source: ReferralRow['source'] }

async function recommender(
  db: Db,
  tenantId: string,
  { referralCode, visitorToken }: Recommendation,
  at: Instant,
): Promise<Found | null> {
  const { enabled, touch } = await settingsOf(db, tenantId, affiliationSettings)
  if (!enabled) return null
  if (referralCode) {
    const affiliate = await findAffiliateByCode(db, tenantId, codeOf(referralCode))
    if (affiliate && earns(affiliate)) return { affiliate, source: 'code' }
  }
  if (!visitorToken) return null
  const visitorHash = tokenHash(visitorToken)
  const affiliate = await findVisited(db, { tenantId, visitorHash }, { touch, at })
  return affiliate ? { affiliate, source: 'visit' } : null
}

export type Correction = {
  /** Null if no affiliate referred the customer. */
  readonly affiliateId: string | null
  readonly reason: string
  /** The member of staff. */
  readonly by: string
}

/**
 * Sets, changes or removes the affiliate of a customer, for payments from now on (R6.1). 403 for the affiliate account of
 * the member of staff; 404; 409 for an affiliate whose account has ended, or who is the customer (R6.2).
 */
export async function correctReferral(
  tx: Tx,
  key: UserKey,
  { affiliateId, reason, by }: Correction,
  now: Instant,
): Promise<void> {
  const user = await lockUser(tx, key)
  if (!user || user.deletedAt) throw notFound('User')
  const corrected = { correctedAt: now, correctedBy: by, correctionReason: reason }
  if (affiliateId === null) {
    const referral = await lockReferralOf(tx, key)
    if (!referral || referral.removedAt) return
    const removed = { ...corrected, removedAt: now, refusal: null, refusedAt: null }
    await updateReferral(tx, referral, removed)
    return
  }
  const { tenantId, userId } = key
  const affiliate = await lockAffiliate(tx, { tenantId, id: affiliateId })
  if (!affiliate) throw notFound('Affiliate')
  assertThere(affiliate)
  if (affiliate.userId === by) {
    throw forbidden(
      'Another member of staff has to assign customers to your own affiliate account.',
    )
  }
  const related = await compare(tx, affiliate, key)
  if (affiliate.userId === userId || related?.refusal) {
    throw conflict('The customer and the affiliate are the same person.', 'own_referral')
  }
  const set = { affiliateId, source: 'staff', sharedOrigin: false, ...corrected } as const
  if (await insertReferral(tx, { ...set, tenantId, id: newId(), userId, createdAt: now })) return
  const referral = await lockReferralOf(tx, key)
  if (!referral) return
  const isSame = referral.affiliateId === affiliateId && !referral.removedAt && !referral.refusedAt
  if (isSame) return
  await updateReferral(tx, referral, { ...set, removedAt: null, refusal: null, refusedAt: null })
}

/** How a customer and an affiliate are related, judging by what is known; null if one of them has left. */
export async function compare(
  db: Db,
  { userId: otherId }: Pick<AffiliateRow, 'userId'>,
  { tenantId, userId }: UserKey,
): Promise<{ refusal: Refusal | null; sameHome: boolean } | null> {
  const own = await billingProfileOf(db, { tenantId, userId: otherId })
  const customer = await billingProfileOf(db, { tenantId, userId })
  if (!own || !customer) return null
  const sharedMeans = await shareMeansOfPayment(db, { tenantId, userId, otherId })
  return {
    refusal: refusalOf(own, customer, { sharedMeans }),
    sameHome: shareHome(own, customer),
  }
}

/**
 * Whether two people used the same network address since a time. A private address belongs to the reverse proxy
 * and says nothing about people.
 */
export async function shareOrigin(
  db: Db,
  [one, other]: readonly [UserKey, UserKey],
  since: Instant,
): Promise<boolean> {
  const [first, second] = [
    await listAddressesSince(db, one, since),
    await listAddressesSince(db, other, since),
  ]
  const known = new Set(first)
  return second.some((address) => known.has(address) && reachOf(address) === 'public')
}
