import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { findAffiliateOf, totalsOf } from './affiliates/queries.ts'
import { statusOf } from './affiliates/rules.ts'
import { listCommissions } from './commissions/queries.ts'
import { statusOf as commissionStatusOf } from './commissions/rules.ts'
import { listConversionsOf } from './conversions/queries.ts'
import { importedBalances, listImportedCommissions } from './imported/queries.ts'
import { listPayoutsOf } from './payouts/queries.ts'
import { findReferralOf, listReferralsOf } from './referrals/queries.ts'
import { maskedName } from './referrals/rules.ts'

const PAGE = 100

/** A person's earnings as an affiliate, with the names of customers masked, and whether they were referred. */
export async function personalData(db: Db, user: UserKey) {
  const affiliate = await findAffiliateOf(db, user)
  const referral = await findReferralOf(db, user)
  const own = affiliate && {
    ...{ id: affiliate.id, code: affiliate.code, status: statusOf(affiliate) },
    createdAt: affiliate.createdAt,
    totals: (await totalsOf(db, user.tenantId, [affiliate.id])).get(affiliate.id) ?? [],
  }
  const key = { tenantId: user.tenantId, id: affiliate?.id ?? '' }
  return {
    affiliation: own ?? null,
    broughtBySomebody:
      referral && !referral.removedAt
        ? { since: referral.createdAt, source: referral.source }
        : null,
    referrals: affiliate
      ? allOf(
          (page) => listReferralsOf(db, key, page),
          ({ id, name, source, createdAt }) => ({ id, name: maskedName(name), source, createdAt }),
        )
      : [],
    commissions: affiliate
      ? allOf(
          (page) => listCommissions(db, key.tenantId, { affiliateId: key.id }, page),
          (it) => {
            const { id, invoiceId, amountCents, reversedCents, currency } = it
            const { availableAt, createdAt } = it
            const amounts = { id, invoiceId, amountCents, reversedCents, currency }
            return { ...amounts, status: commissionStatusOf(it), availableAt, createdAt }
          },
        )
      : [],
    conversions: affiliate
      ? allOf(
          (page) => listConversionsOf(db, key, page),
          (it) => it,
        )
      : [],
    payouts: affiliate
      ? allOf(
          (page) => listPayoutsOf(db, key, page),
          (it) => it,
        )
      : [],
    importedBalances: affiliate ? await importedBalances(db, key.tenantId, [key.id]) : [],
    importedCommissions: affiliate
      ? allOf(
          (page) => listImportedCommissions(db, key, page),
          (it) => it,
        )
      : [],
  }
}

type List<R> = (page: { limit: number; cursor?: string }) => Promise<{
  data: R[]
  nextCursor: string | null
}>

/** Page by page, so that a long list is never in memory as a whole. */
async function* allOf<R, V>(list: List<R>, view: (row: R) => V): AsyncGenerator<V> {
  let cursor: string | null | undefined
  do {
    const page = await list({ limit: PAGE, ...(cursor && { cursor }) })
    yield* page.data.map(view)
    cursor = page.nextCursor
  } while (cursor)
}
