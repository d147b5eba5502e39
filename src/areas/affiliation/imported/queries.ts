import { type RawBuilder, sql } from 'kysely'
import type { CommissionOpening } from '#ledger'
import type { Cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import { type Db, type Row, read, type Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'
import type { AffiliateKey } from '../affiliates/queries.ts'
import type { ChangedBalance } from './updates.ts'

export type ImportedCommissionRow = Row<'affiliation.imported_commissions'>

/** An affiliate account in another system. A person who had several there becomes one affiliate here. */
export type ImportedAffiliate = {
  id: string
  user_id: string
  /** The code they get, if it is free. If there are several accounts, the first one's code is used. */
  code: string
  place: number
  currency: string
  balance_cents: number
  withdrawn_cents: number
  created_at: Instant
}

export type ImportedReferral = {
  id: string
  affiliate_user_id: string
  /** The person who was referred. */
  user_id: string
  place: number
  earned_at: Instant | null
  created_at: Instant
}

export type ImportedCommission = {
  id: string
  affiliate_user_id: string
  kind: ImportedCommissionRow['kind']
  currency: string
  amount_cents: number
  description: string
  happened_at: Instant | null
  available_at: Instant | null
}

type Imported = { readonly tenantId: string; readonly importId: string }

/** A join that finds the affiliate of a row. */
function affiliateOf(tenantId: string, userId: string) {
  return sql`join affiliation.affiliates as affiliate
    on affiliate.tenant_id = ${tenantId} and affiliate.user_id = ${sql.raw(userId)}`
}

/** Creates affiliates for people who are not affiliates yet; a taken code is not given again. */
export async function insertImportedAffiliates(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedAffiliate>,
): Promise<void> {
  await sql`
    insert into affiliation.affiliates (tenant_id, id, user_id, code, created_at)
    select ${tenantId}, given.id, given.user_id,
      case when taken.code is null and first then given.code
        else 'X' || upper(substr(md5(given.id::text), 1, 15)) end,
      given.created_at
    from (
      select *, row_number() over (partition by code order by place) = 1 as first
      from (
        select distinct on (user_id) * from (${rows}) as account order by user_id, place
      ) as account
    ) as given
    left join affiliation.affiliates as taken
      on taken.tenant_id = ${tenantId} and taken.code = given.code
    on conflict (tenant_id, user_id) do nothing
  `.execute(tx)
}

/** The ids of affiliates that an import has created: each is the id of their first account there. */
export function affiliatesOfImport({ tenantId, importId }: Imported): RawBuilder<{ id: string }> {
  return sql<{ id: string }>`
    select affiliate.id from affiliation.affiliates as affiliate
    join affiliation.imported_balances as balance
      on balance.tenant_id = affiliate.tenant_id and balance.id = affiliate.id
    where affiliate.tenant_id = ${tenantId} and balance.import_id = ${importId}::uuid`
}

export async function insertImportedBalances(
  tx: Tx,
  { tenantId, importId }: Imported,
  rows: RawBuilder<ImportedAffiliate>,
  now: Instant,
): Promise<void> {
  await sql`
    insert into affiliation.imported_balances
      (tenant_id, id, import_id, affiliate_id, currency, balance_cents, withdrawn_cents, created_at)
    select ${tenantId}, given.id, ${importId}::uuid, affiliate.id, given.currency,
      given.balance_cents, given.withdrawn_cents, ${now}
    from (${rows}) as given ${affiliateOf(tenantId, 'given.user_id')}
  `.execute(tx)
}

/** Records referrals: the first one of each person. Nobody can refer themselves, or a person referred before. */
export async function insertImportedReferrals(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedReferral>,
): Promise<void> {
  await sql`
    insert into affiliation.referrals
      (tenant_id, id, affiliate_id, user_id, source, shared_origin, earned_elsewhere_at, created_at)
    select distinct on (given.user_id) ${tenantId}::uuid, given.id, affiliate.id, given.user_id, 'imported',
      false, min(given.earned_at) over (partition by given.user_id), given.created_at
    from (${rows}) as given ${affiliateOf(tenantId, 'given.affiliate_user_id')}
    where given.user_id <> given.affiliate_user_id
    order by given.user_id, given.place
    on conflict (tenant_id, user_id) do nothing
  `.execute(tx)
}

export async function insertImportedCommissions(
  tx: Tx,
  { tenantId, importId }: Imported,
  rows: RawBuilder<ImportedCommission>,
  now: Instant,
): Promise<void> {
  await sql`
    insert into affiliation.imported_commissions
      (tenant_id, id, import_id, affiliate_id, kind, currency, amount_cents, description,
       happened_at, available_at, created_at)
    select ${tenantId}, given.id, ${importId}::uuid, affiliate.id, given.kind, given.currency,
      given.amount_cents, given.description, given.happened_at, given.available_at, ${now}
    from (${rows}) as given ${affiliateOf(tenantId, 'given.affiliate_user_id')}
  `.execute(tx)
}

/** The balances of an import's affiliates, or the changes of balances, as they are booked. */
export function openingRows(
  { tenantId, importId }: Imported,
  changes: RawBuilder<ChangedBalance>,
): RawBuilder<CommissionOpening> {
  return sql<CommissionOpening>`
    select affiliate_id, currency, sum(available)::bigint as available_cents,
      sum(pending)::bigint as pending_cents
    from (
      select affiliate_id, currency, balance_cents as available, 0 as pending
      from affiliation.imported_balances
      where tenant_id = ${tenantId} and import_id = ${importId}::uuid
      union all
      select affiliate_id, currency, 0, amount_cents from affiliation.imported_commissions
      where tenant_id = ${tenantId} and import_id = ${importId}::uuid and kind = 'pending'
      union all
      select affiliate_id, currency, change_cents, 0 from (${changes}) as change
    ) as brought
    group by affiliate_id, currency`
}

const SUMS = `
  select 'affiliates' as what, currency, amount, sum::text from (
    select currency, count(*) as count, sum(balance_cents) as balance,
      sum(withdrawn_cents) as withdrawn
    from affiliation.imported_balances
    where tenant_id = $1 and coalesce(updated_by, import_id) = $2::uuid
    group by currency
  ) as summed cross join lateral (values ('count', count), ('balanceCents', balance),
    ('withdrawnCents', withdrawn)) as it (amount, sum)
  union all
  select case kind when 'earned' then 'commissions' when 'pending' then 'pendingCommissions'
    else 'payouts' end, currency, amount, sum::text from (
    select kind, currency, count(*) as count, sum(amount_cents) as cents
    from affiliation.imported_commissions where tenant_id = $1 and import_id = $2::uuid
    group by kind, currency
  ) as summed cross join lateral (values ('count', count), ('amountCents', cents)) as it (amount, sum)`

/** The sums of an import's affiliates and earnings in our database, by currency, in cents as text. */
export function sumImportedAffiliation(
  db: Db,
  { tenantId, importId }: Imported,
): Promise<{ what: string; currency: string; amount: string; sum: string }[]> {
  return read(db, SUMS, [tenantId, importId])
}

/** An affiliate's earnings and payouts in their former system, newest first. */
export function listImportedCommissions(db: Db, { tenantId, id }: AffiliateKey, page: PageQuery) {
  const query = db
    .selectFrom('affiliation.imported_commissions')
    .select(['id', 'kind', 'currency', 'amountCents', 'description'])
    .select(['happenedAt', 'availableAt', 'maturedAt', 'forfeitedAt'])
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', id)
  return pageOf(query, page)
}

/**
 * The balances of affiliates at the last import from another system, in cents by currency, without what
 * is listed among their earnings.
 */
export function importedBalances(
  db: Db,
  tenantId: string,
  affiliateIds: readonly string[],
): Promise<{ affiliateId: string; currency: string; cents: Cents; withdrawnCents: Cents }[]> {
  return db
    .selectFrom('affiliation.imported_balances')
    .select(['affiliateId', 'currency'])
    .select(sql<Cents>`sum(balance_cents - cleared_cents)::bigint`.as('cents'))
    .select(sql<Cents>`sum(withdrawn_cents)::bigint`.as('withdrawnCents'))
    .where('tenantId', '=', tenantId)
    .where('affiliateId', 'in', [...affiliateIds])
    .groupBy(['affiliateId', 'currency'])
    .execute()
}

/** Amounts that were pending when affiliates were imported, and are still pending or have matured (`matured`). */
export function importedEarnings(
  db: Db,
  tenantId: string,
  affiliateIds: readonly string[],
  matured: boolean,
): Promise<{ affiliateId: string; currency: string; cents: Cents }[]> {
  return db
    .selectFrom('affiliation.imported_commissions')
    .select(['affiliateId', 'currency', sql<Cents>`sum(amount_cents)::bigint`.as('cents')])
    .where('tenantId', '=', tenantId)
    .where('affiliateId', 'in', [...affiliateIds])
    .where('kind', '=', 'pending')
    .where('forfeitedAt', 'is', null)
    .where('maturedAt', matured ? 'is not' : 'is', null)
    .groupBy(['affiliateId', 'currency'])
    .execute()
}

/** Marks imported pending commissions that are due, of every tenant; concurrent processes get other rows. */
export function matureImported(tx: Tx, now: Instant, limit: number) {
  const due = tx
    .selectFrom('affiliation.imported_commissions')
    .select(['tenantId', 'id'])
    .where('kind', '=', 'pending')
    .where('availableAt', '<=', now)
    .where('maturedAt', 'is', null)
    .where('forfeitedAt', 'is', null)
    .orderBy('availableAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return tx
    .updateTable('affiliation.imported_commissions as commission')
    .from(due.as('due'))
    .set({ maturedAt: now })
    .whereRef('commission.tenantId', '=', 'due.tenantId')
    .whereRef('commission.id', '=', 'due.id')
    .returning(['commission.tenantId', 'commission.affiliateId', 'commission.currency'])
    .returning('commission.amountCents')
    .execute()
}

/** Forfeits an affiliate's pending imported commissions; returns them, by row. */
export function forfeitImported(tx: Tx, { tenantId, id }: AffiliateKey, now: Instant) {
  return tx
    .updateTable('affiliation.imported_commissions')
    .set({ forfeitedAt: now })
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', id)
    .where('kind', '=', 'pending')
    .where('maturedAt', 'is', null)
    .where('forfeitedAt', 'is', null)
    .returning(['currency', 'amountCents'])
    .execute()
}

/** Deletes the descriptions of an affiliate's imported earnings; the amounts and dates stay. */
export async function forgetImportedTexts(tx: Tx, { tenantId, id }: AffiliateKey): Promise<void> {
  await tx
    .updateTable('affiliation.imported_commissions')
    .set({ description: '' })
    .where('tenantId', '=', tenantId)
    .where('affiliateId', '=', id)
    .execute()
}
