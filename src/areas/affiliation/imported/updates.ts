import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'

/** The present balance of an account in another system, and the resulting change of the balance here. */
export type ChangedBalance = {
  id: string
  affiliate_id: string
  currency: string
  balance_cents: number
  withdrawn_cents: number
  /** How much of the balance was imported before as pending, and becomes available here by itself. */
  cleared_cents: number
  change_cents: number
}

type Changes = {
  readonly tenantId: string
  readonly importId: string
  readonly balances: RawBuilder<ChangedBalance>
  /** Commissions that are no longer pending in the other system. */
  readonly cleared: RawBuilder<{ id: string }>
  /** When existing referrals first earned something in the other system. */
  readonly earned: RawBuilder<{ id: string; earned_at: Instant }>
}

/** Locks affiliates, in the order of their ids. */
export async function lockImportedAffiliates(
  tx: Tx,
  tenantId: string,
  ids: RawBuilder<{ id: string }>,
): Promise<void> {
  await sql`
    select from affiliation.affiliates
    where tenant_id = ${tenantId} and id in (${ids}) order by id for update`.execute(tx)
}

/**
 * Stores the present balances in the other system of affiliates from an earlier import, whose rows are locked; the
 * import books the differences.
 */
export async function updateImportedAffiliation(
  tx: Tx,
  { tenantId, importId, balances, cleared, earned }: Changes,
  now: Instant,
): Promise<void> {
  await sql`
    update affiliation.imported_commissions as commission set cleared_at = ${now}
    where tenant_id = ${tenantId} and id in (${cleared})`.execute(tx)
  await sql`
    update affiliation.imported_balances as balance
    set balance_cents = change.balance_cents, withdrawn_cents = change.withdrawn_cents,
      cleared_cents = balance.cleared_cents + change.cleared_cents, updated_by = ${importId}::uuid
    from (${balances}) as change
    where balance.tenant_id = ${tenantId} and balance.id = change.id`.execute(tx)
  await sql`
    update affiliation.referrals as referral set earned_elsewhere_at = known.earned_at
    from (${earned}) as known
    where referral.tenant_id = ${tenantId} and referral.id = known.id
      and referral.source = 'imported' and referral.earned_elsewhere_at is null`.execute(tx)
}

/** Rows as they were before an import changed them, each part a query with `before`. */
type Before = Readonly<Record<'balances' | 'commissions' | 'referrals', RawBuilder<unknown>>>

/** Restores what an import has changed about affiliates. */
export async function restoreImportedAffiliation(
  tx: Tx,
  tenantId: string,
  { balances, commissions, referrals }: Before,
): Promise<void> {
  await sql`
    update affiliation.imported_balances as balance
    set balance_cents = old.balance_cents, withdrawn_cents = old.withdrawn_cents,
      cleared_cents = old.cleared_cents, updated_by = old.updated_by
    from (${balances}) as kept
    cross join lateral jsonb_populate_record(null::affiliation.imported_balances, kept.before) as old
    where balance.tenant_id = ${tenantId} and balance.id = old.id`.execute(tx)
  await sql`
    update affiliation.imported_commissions as commission set cleared_at = old.cleared_at
    from (${commissions}) as kept
    cross join lateral jsonb_populate_record(null::affiliation.imported_commissions, kept.before) as old
    where commission.tenant_id = ${tenantId} and commission.id = old.id`.execute(tx)
  await sql`
    update affiliation.referrals as referral set earned_elsewhere_at = old.earned_elsewhere_at
    from (${referrals}) as kept
    cross join lateral jsonb_populate_record(null::affiliation.referrals, kept.before) as old
    where referral.tenant_id = ${tenantId} and referral.id = old.id`.execute(tx)
}
