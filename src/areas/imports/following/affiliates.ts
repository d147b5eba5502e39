import { type RawBuilder, sql } from 'kysely'
import { type ChangedBalance, lockImportedAffiliates } from '#affiliation'
import type { Tx } from '#platform/database/index.ts'
import type { Origin } from '../outcomes/judge.ts'
import type { ImportKey } from '../staging/writer.ts'
import { cents, PARTY, staged, updated, type Writing } from '../writing/rows.ts'

/** Affiliate accounts that were imported before, with their balances at the last import. */
function known({ tenantId, id }: ImportKey): RawBuilder<unknown> {
  return sql`
    ${staged('affiliates', 'item')}
    join affiliation.imported_balances as balance
      on balance.tenant_id = ${tenantId} and balance.id = item.target_id
    join affiliation.affiliates as affiliate
      on affiliate.tenant_id = ${tenantId} and affiliate.id = balance.affiliate_id
    ${PARTY}
    where item.tenant_id = ${tenantId} and item.import_id = ${id}
      and item.reason = 'already_imported'`
}

/**
 * Commissions that were pending in the old system at the last import and no longer are: they were paid out
 * or taken back.
 */
function cleared({ tenantId, id }: ImportKey, { system, tableOf, holds }: Origin) {
  return sql`
    select commission.id, commission.affiliate_id, commission.currency, commission.amount_cents
    from affiliation.imported_commissions as commission
    join imports.origins as origin on origin.tenant_id = ${tenantId} and origin.system = ${system}
      and origin.source_table = ${tableOf('pending_commissions') ?? ''}
      and origin.target_id = commission.id
    where commission.tenant_id = ${tenantId} and commission.kind = 'pending'
      and commission.forfeited_at is null and commission.cleared_at is null
      and ${holds('pending_commissions')} and not exists (
        select from imports.staged_pending_commissions as there
        where there.tenant_id = ${tenantId} and there.import_id = ${id}
          and there.source_id = origin.source_id)`
}

/**
 * Locks the known affiliates whose balances changed in the old system and decides by how much: their
 * balances change by the same amount here, whatever happened to them here. A commission that was pending
 * at the last import and is part of the old system's balance by now becomes available here by itself, and
 * is not counted twice. Affiliates who have left do not change.
 */
export async function followAffiliates(tx: Tx, key: ImportKey, origin: Origin): Promise<void> {
  if (!origin.tableOf('affiliates')) return
  const { tenantId, id } = key
  const ids = sql<{ id: string }>`select balance.affiliate_id as id from ${known(key)}`
  await lockImportedAffiliates(tx, tenantId, ids)
  await sql`
    with account as (
      select item.row_number, balance.affiliate_id, balance.currency,
        affiliate.closed_at is not null as left_here,
        owner.target_id is distinct from affiliate.user_id or currency.code <> balance.currency
          as other_owner,
        ${cents('item.balance')} - balance.balance_cents as change,
        ${cents('item.withdrawn')} <> balance.withdrawn_cents as paid_out,
        row_number() over (partition by balance.affiliate_id, balance.currency
          order by item.row_number) as number
      from ${known(key)}
    ), gone as (
      select affiliate_id, currency, sum(amount_cents)::bigint as cents
      from (${cleared(key, origin)}) as commission group by affiliate_id, currency
    ), decided as (
      select account.*, coalesce(gone.cents, 0) as cleared,
        case when left_here then 'changed_here' when other_owner then 'owner_changed'
          when change <> 0 or paid_out or gone.cents <> 0 then 'updated' end as reason
      from account
      left join gone on gone.affiliate_id = account.affiliate_id
        and gone.currency = account.currency and account.number = 1
    ), standing as (
      select decided.affiliate_id, decided.currency,
        sum(decided.change - decided.cleared) as change,
        coalesce(-max(held.balance_cents), 0) as available
      from decided
      left join ledger.accounts as book on book.tenant_id = ${tenantId}
        and book.code = 'affiliateAvailable:' || decided.affiliate_id
      left join ledger.balances as held on held.tenant_id = ${tenantId}
        and held.account_id = book.id and held.currency = decided.currency
      where decided.reason = 'updated'
      group by decided.affiliate_id, decided.currency
    )
    update imports.staged_affiliates as target
    set outcome = case decided.reason when 'updated' then 'merged' else 'skipped' end,
      reason = decided.reason,
      booked_change = case decided.reason when 'updated' then decided.change - decided.cleared end,
      cleared = case decided.reason when 'updated' then decided.cleared end,
      overdrawn = decided.reason = 'updated' and decided.change < decided.cleared
        and standing.change < 0 and standing.available + standing.change < 0
    from decided
    left join standing on standing.affiliate_id = decided.affiliate_id
      and standing.currency = decided.currency
    where target.tenant_id = ${tenantId} and target.import_id = ${id}
      and target.row_number = decided.row_number and decided.reason is not null
  `.execute(tx)
}

/** The balances that change, with their current values in the old system. */
export function changedBalances(writing: Writing): RawBuilder<ChangedBalance> {
  const { tenantId } = writing
  return sql<ChangedBalance>`
    select balance.id, balance.affiliate_id, balance.currency,
      ${cents('item.balance')} as balance_cents, ${cents('item.withdrawn')} as withdrawn_cents,
      item.cleared as cleared_cents, item.booked_change as change_cents
    from ${staged('affiliates', 'item')}
    join affiliation.imported_balances as balance
      on balance.tenant_id = ${tenantId} and balance.id = item.target_id
    ${PARTY}
    where ${updated(writing, 'item')}`
}

/**
 * The commissions that are no longer pending in the old system, of affiliates whose balance changes
 * because of that.
 */
export function clearedCommissions(writing: Writing, origin: Origin): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`
    select commission.id from (${cleared(writing, origin)}) as commission
    join (
      select distinct affiliate_id, currency
      from (${changedBalances(writing)}) as change where cleared_cents <> 0
    ) as change on change.affiliate_id = commission.affiliate_id
      and change.currency = commission.currency`
}
