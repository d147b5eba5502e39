import { newId } from '#lib/id.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { settingsOf } from '#tenants'
import { lockUser } from '#users'
import { affiliationSettings } from '../settings.ts'
import {
  type AffiliateKey,
  findAffiliateOf,
  insertAffiliate,
  lockAffiliate,
  updateAffiliate,
} from './queries.ts'
import { type AffiliateRow, assertThere, newCode } from './rules.ts'

const TRIES = 5

/** Makes a person an affiliate, with a code of their own. 409 if they are one, or the shop wants none. */
export async function enrol(
  tx: Tx,
  { tenantId, userId }: UserKey,
  now: Instant,
): Promise<AffiliateRow> {
  const { enabled } = await settingsOf(tx, tenantId, affiliationSettings)
  if (!enabled) throw conflict('This shop has no affiliates.', 'affiliation_disabled')
  const user = await lockUser(tx, { tenantId, userId })
  if (!user || user.deletedAt) throw notFound('User')
  if (await findAffiliateOf(tx, { tenantId, userId })) {
    throw conflict('You have a code already.', 'already_enrolled')
  }
  for (let tried = 0; tried < TRIES; tried += 1) {
    const row = { tenantId, id: newId(), userId, code: newCode(), createdAt: now }
    const affiliate = await insertAffiliate(tx, row)
    if (affiliate) return affiliate
  }
  throw new Error('Every code that was tried is taken')
}

/** Suspends an affiliate: no commission arises, nothing is converted. 404, 409 if their account has ended. */
export async function suspendAffiliate(
  tx: Tx,
  key: AffiliateKey,
  reason: string | null,
  now: Instant,
): Promise<AffiliateRow> {
  const affiliate = await lockAffiliate(tx, key)
  if (!affiliate) throw notFound('Affiliate')
  assertThere(affiliate)
  const suspendedAt = affiliate.suspendedAt ?? now
  return updateAffiliate(tx, key, { suspendedAt, suspendedReason: reason })
}

/** Ends the suspension of an affiliate. Payments made meanwhile earn nothing. 404, 409 as `suspendAffiliate`. */
export async function unsuspendAffiliate(tx: Tx, key: AffiliateKey): Promise<AffiliateRow> {
  const affiliate = await lockAffiliate(tx, key)
  if (!affiliate) throw notFound('Affiliate')
  assertThere(affiliate)
  return updateAffiliate(tx, key, { suspendedAt: null, suspendedReason: null })
}
