import { type RawBuilder, sql } from 'kysely'
import type { ImportedAffiliate, ImportedCommission, ImportedReferral } from '#affiliation'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { ImportKey } from '../staging/writer.ts'
import { cents, idOf, joined, madeAt, PARTY, staged, type Writing, wanted } from './rows.ts'

/** Affiliates. Old links contain their code or their number in the old system, so their new code is made from these. */
export function affiliateRows(writing: Writing): RawBuilder<ImportedAffiliate> {
  return sql<ImportedAffiliate>`
    select ${idOf(writing, 'affiliates', 'item')} as id,
      ${idOf(writing, 'clients', 'owner')} as user_id,
      case when upper(item.code) ~ '^[A-Z0-9]{4,32}$' then upper(item.code)
        else 'AFF' || item.source_id end as code,
      item.source_id as place, currency.code as currency,
      ${cents('item.balance')} as balance_cents, ${cents('item.withdrawn')} as withdrawn_cents,
      ${madeAt(writing, 'item.created_at')} as created_at
    from ${staged('affiliates', 'item')}
    ${PARTY}
    where ${wanted(writing, 'item')}`
}

/** What is booked for affiliates, in cents by currency: their balance, or the change of it. */
export async function sumBookedBalances(
  tx: Tx,
  { tenantId, id }: ImportKey,
): Promise<{ currency: string; availableCents: string }[]> {
  const { rows } = await sql<{ currency: string; availableCents: string }>`
    select currency.code as currency, sum(case when item.outcome is null
      then ${cents('item.balance')} else item.booked_change end)::text as "availableCents"
    from ${staged('affiliates', 'item')}
    ${PARTY}
    where item.tenant_id = ${tenantId} and item.import_id = ${id}
      and (item.outcome is null or item.reason = 'updated')
    group by currency.code`.execute(tx)
  return rows
}

/** Who referred whom. In the old system, a referral is a service or an order: its client was referred. */
export function referralRows(writing: Writing): RawBuilder<ImportedReferral> {
  return sql<ImportedReferral>`
    select ${idOf(writing, 'referrals', 'item')} as id,
      ${idOf(writing, 'clients', 'owner')} as affiliate_user_id,
      ${idOf(writing, 'clients', 'brought')} as user_id, item.source_id as place,
      coalesce(earned.first_at, item.earned_at) as earned_at,
      ${madeAt(writing, 'coalesce(service.created_at, sale.created_at)')} as created_at
    from ${staged('referrals', 'item')}
    ${joined('affiliates', 'affiliate', 'item.affiliate')}
    ${joined('clients', 'client', 'affiliate.client')}
    ${joined('clients', 'owner', 'client.survivor')}
    ${joined('services', 'service', 'item.service', 'left join')}
    ${joined('orders', 'sale', 'item.order_ref', 'left join')}
    ${joined('clients', 'customer', 'coalesce(item.client, service.client)')}
    ${joined('clients', 'brought', 'customer.survivor')}
    left join (${firstEarned(writing)}) as earned on earned.referral = item.source_id
    where ${wanted(writing, 'item')}`
}

/**
 * When known referrals first earned something in the old system; they may not have earned yet when they were imported.
 */
export function earnedRows(writing: Writing): RawBuilder<{ id: string; earned_at: Instant }> {
  const { tenantId, id } = writing
  return sql<{ id: string; earned_at: Instant }>`
    select item.target_id as id, coalesce(earned.first_at, item.earned_at) as earned_at
    from ${staged('referrals', 'item')}
    left join (${firstEarned(writing)}) as earned on earned.referral = item.source_id
    where item.tenant_id = ${tenantId} and item.import_id = ${id}
      and item.reason = 'already_imported'
      and coalesce(earned.first_at, item.earned_at) is not null`
}

/** When each referral first earned its affiliate something, according to its rows. */
function firstEarned({ tenantId, id, now }: Writing): RawBuilder<unknown> {
  return sql`
    select referral, min(at) as first_at from (
      select referral, coalesce(happened_at, ${now}::timestamptz) as at
      from imports.staged_commissions
      where tenant_id = ${tenantId} and import_id = ${id}
        and (outcome is null or reason = 'already_imported')
      union all
      select referral, ${now}::timestamptz from imports.staged_pending_commissions
      where tenant_id = ${tenantId} and import_id = ${id}
        and (outcome is null or reason = 'already_imported')
    ) as earning group by referral`
}

/** The affiliate of a commission, and their user here. */
const EARNER = sql`${joined('affiliates', 'affiliate', 'item.affiliate')}
  ${joined('clients', 'client', 'affiliate.client')}
  ${joined('clients', 'owner', 'client.survivor')}
  ${joined('currencies', 'currency', 'client.currency')}`

/** What affiliates have earned, what is pending, and what they were paid. */
export function commissionRows(writing: Writing): RawBuilder<ImportedCommission> {
  const { now } = writing
  return sql<ImportedCommission>`
    select ${idOf(writing, 'commissions', 'item')} as id,
      ${idOf(writing, 'clients', 'owner')} as affiliate_user_id, 'earned' as kind,
      currency.code as currency, ${cents('item.amount')} as amount_cents, item.description,
      item.happened_at, null::timestamptz as available_at
    from ${staged('commissions', 'item')} ${EARNER}
    where ${wanted(writing, 'item')}
    union all
    select ${idOf(writing, 'payouts', 'item')}, ${idOf(writing, 'clients', 'owner')}, 'paid_out',
      currency.code, ${cents('item.amount')}, '', item.happened_at, null::timestamptz
    from ${staged('payouts', 'item')} ${EARNER}
    where ${wanted(writing, 'item')}
    union all
    select ${idOf(writing, 'pending_commissions', 'item')}, ${idOf(writing, 'clients', 'owner')},
      'pending', currency.code, ${cents('item.amount')}, '', null::timestamptz,
      coalesce(item.clears_at, ${now}::timestamptz)
    from ${staged('pending_commissions', 'item')}
    ${joined('referrals', 'referral', 'item.referral')}
    ${joined('affiliates', 'affiliate', 'referral.affiliate')}
    ${joined('clients', 'client', 'affiliate.client')}
    ${joined('clients', 'owner', 'client.survivor')}
    ${joined('currencies', 'currency', 'client.currency')}
    where ${wanted(writing, 'item')}`
}
