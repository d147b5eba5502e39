import { newId } from '#lib/id.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { reachOf } from '#platform/addresses.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { tokenHash } from '#platform/secrets.ts'
import { settingsOf } from '#tenants'
import { findUser, listAddressesSince } from '#users'
import { findAffiliateByCode } from '../affiliates/queries.ts'
import { type AffiliateRow, codeOf, earns } from '../affiliates/rules.ts'
import { affiliationSettings } from '../settings.ts'
import { findVisited } from '../visits/queries.ts'
import { insertReferral } from './queries.ts'
import type { ReferralRow } from './rules.ts'

/** What a registration contains about a referral. */
export type Recommendation = {
  readonly referralCode: string | null
  readonly visitorToken: string | null
}

/**
 * Decides who referred a person: by the code they typed, else by a click that is still valid (R6.1). Decided once,
 * for good. Returns whether a new referral was stored.
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
