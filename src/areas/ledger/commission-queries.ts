import { sql } from 'kysely'
import { type Cents, cents } from '#lib/money.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { affiliateAvailable } from './accounts.ts'
import { lockBalances } from './queries.ts'

/** An affiliate's commission in one currency, in cents: pending, available (below 0: owed back). */
export type CommissionBalance = {
  affiliateId: string
  currency: string
  pendingCents: Cents
  availableCents: Cents
}

/** The balances of these affiliates, one row for each currency in which they earned commission. */
export async function commissionBalances(
  db: Db,
  tenantId: string,
  affiliateIds: readonly string[],
): Promise<CommissionBalance[]> {
  if (affiliateIds.length === 0) return []
  return db
    .selectFrom('ledger.accounts as account')
    .innerJoin('ledger.balances as balance', (join) =>
      join
        .onRef('balance.tenantId', '=', 'account.tenantId')
        .onRef('balance.accountId', '=', 'account.id'),
    )
    .select([
      sql<string>`account.owner_id`.as('affiliateId'),
      'balance.currency',
      heldIn('affiliatePending').as('pendingCents'),
      heldIn('affiliateAvailable').as('availableCents'),
    ])
    .where('account.tenantId', '=', tenantId)
    .where('account.ownerId', '=', sql<string>`any(${[...affiliateIds]}::uuid[])`)
    .where('account.code', 'like', 'affiliate%')
    .groupBy(['account.ownerId', 'balance.currency'])
    .orderBy('balance.currency')
    .execute()
}

function heldIn(kind: 'affiliatePending' | 'affiliateAvailable') {
  const code = sql.ref('account.code')
  return sql<Cents>`(-coalesce(sum(balance.balance_cents)
    filter (where ${code} = ${kind} || ':' || account.owner_id), 0))::bigint`
}

/** Locks what an affiliate can convert, in cents, against reversals and other conversions. */
export async function lockAvailableCommission(
  tx: Tx,
  { affiliateId, ...key }: { tenantId: string; affiliateId: string; currency: string },
): Promise<Cents> {
  const [row] = await lockBalances(tx, key, [affiliateAvailable(affiliateId).code])
  return cents(-(row?.balanceCents ?? 0))
}
