import { sql } from 'kysely'
import { type Db, read, type Tx } from '#platform/database/index.ts'

/**
 * Gives every customer with an account a number, from 1 on in the order in which the accounts were opened; those who
 * have one keep it. Returns the highest number.
 */
export async function numberDebtors(tx: Tx, tenantId: string): Promise<number> {
  const name = `debtors ${tenantId}`
  // One after the other, so that no number is given twice.
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  await sql`
    insert into ledger.debtors (tenant_id, user_id, number)
    select ${tenantId}::uuid, owner_id,
      (select coalesce(max(number), 0) from ledger.debtors where tenant_id = ${tenantId}::uuid)
        + row_number() over (order by opened_at, owner_id)
    from (
      select account.owner_id, min(account.created_at) as opened_at
      from ledger.accounts as account
      where account.tenant_id = ${tenantId}::uuid
        and split_part(account.code, ':', 1) in ('receivable', 'credit', 'heldCredit')
        and not exists (
          select from ledger.debtors as known
          where known.tenant_id = account.tenant_id and known.user_id = account.owner_id)
      group by account.owner_id
    ) as customer
  `.execute(tx)
  const { highest } = await tx
    .selectFrom('ledger.debtors')
    .select(({ fn }) => fn.max('number').as('highest'))
    .where('tenantId', '=', tenantId)
    .executeTakeFirstOrThrow()
  return highest ?? 0
}

/** The numbers of these customers; those without one are left out. */
export async function debtorNumbers(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await read<{ userId: string; number: number }>(db, DEBTORS, [tenantId, [...userIds]])
  return new Map(rows.map(({ userId, number }) => [userId, number]))
}

const DEBTORS = `
  select user_id as "userId", number from ledger.debtors
  where tenant_id = $1 and user_id = any($2::uuid[])
`

/** The currencies in which something was booked, in alphabetical order. */
export async function listCurrencies(db: Db, tenantId: string): Promise<string[]> {
  const rows = await read<{ currency: string }>(db, CURRENCIES, [tenantId])
  return rows.map(({ currency }) => currency)
}

const CURRENCIES = `
  select distinct currency from ledger.balances where tenant_id = $1 order by currency
`
