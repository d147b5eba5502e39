import { type RawBuilder, sql } from 'kysely'
import { importCommissionOpenings } from '#ledger'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  affiliatesOfImport,
  type ImportedAffiliate,
  type ImportedCommission,
  type ImportedReferral,
  insertImportedAffiliates,
  insertImportedBalances,
  insertImportedCommissions,
  insertImportedReferrals,
  openingRows,
} from './queries.ts'
import type { ChangedBalance } from './updates.ts'

/** Affiliates of another system, their referrals and their earnings, each as a query. */
export type ImportedAffiliation = {
  readonly tenantId: string
  readonly importId: string
  readonly affiliates: RawBuilder<ImportedAffiliate>
  readonly referrals: RawBuilder<ImportedReferral>
  readonly commissions: RawBuilder<ImportedCommission>
  /** Changed balances of existing affiliates, as `updateImportedAffiliation` has stored them. */
  readonly balances: RawBuilder<ChangedBalance>
}

/**
 * Creates affiliates for people who were affiliates in another system. Their balance there is booked
 * as an opening balance; their earnings are stored as history. No commission arises, and nobody is notified.
 */
export async function importAffiliation(
  tx: Tx,
  { tenantId, importId, affiliates, referrals, commissions, balances }: ImportedAffiliation,
  now: Instant,
): Promise<void> {
  const which = { tenantId, importId }
  await insertImportedAffiliates(tx, tenantId, affiliates)
  await insertImportedBalances(tx, which, affiliates, now)
  await insertImportedReferrals(tx, tenantId, referrals)
  await insertImportedCommissions(tx, which, commissions, now)
  await importCommissionOpenings(tx, { ...which, rows: openingRows(which, balances) }, now)
}

/**
 * Removes what an import has written about affiliates: those it created, their referrals (`referrals`, ids), balances
 * and earnings.
 */
export async function removeImportedAffiliation(
  tx: Tx,
  {
    tenantId,
    importId,
    referrals,
  }: Pick<ImportedAffiliation, 'tenantId' | 'importId'> & { referrals: RawBuilder<unknown> },
): Promise<void> {
  const made = affiliatesOfImport({ tenantId, importId })
  const their = sql`tenant_id = ${tenantId} and import_id = ${importId}::uuid`
  await sql`delete from affiliation.imported_commissions where ${their}`.execute(tx)
  await sql`delete from affiliation.referrals
    where tenant_id = ${tenantId} and id in (${referrals})`.execute(tx)
  await sql`delete from affiliation.visits
    where tenant_id = ${tenantId} and affiliate_id in (${made})`.execute(tx)
  await sql`
    with balance as (
      delete from affiliation.imported_balances where ${their} returning id
    )
    delete from affiliation.affiliates
    where tenant_id = ${tenantId} and id in (select id from balance)`.execute(tx)
}
