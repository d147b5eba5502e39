import { type RawBuilder, sql } from 'kysely'
import { owedOn } from '#billing'
import { type Db, read, type Tx } from '#platform/database/index.ts'
import type { ImportedPassword, ImportedUser } from '#users'
import { PASSWORD_FORM } from '../outcomes/totals.ts'
import type { ImportKey } from '../staging/writer.ts'
import {
  cents,
  idOf,
  joined,
  madeAt,
  staged,
  updated,
  type Which,
  type Writing,
  wanted,
} from './rows.ts'

/** People, as the accounts that are made of them. */
export function userRows(writing: Writing, which: Which = wanted): RawBuilder<ImportedUser> {
  return sql<ImportedUser>`
    select ${idOf(writing, 'clients', 'item')} as id, item.login as email,
      coalesce(nullif(left(btrim(item.name), 200), ''), nullif(left(btrim(item.company), 200), ''),
        left(item.login, 200)) as name,
      nullif(btrim(item.company), '') as company, nullif(btrim(item.tax_number), '') as vat_number,
      nullif(btrim(item.address_line1), '') as address_line1,
      nullif(btrim(item.address_line2), '') as address_line2,
      nullif(btrim(item.postcode), '') as address_postcode,
      nullif(btrim(item.city), '') as address_city, nullif(btrim(item.region), '') as address_region,
      case when item.country ~ '^[A-Z]{2}$' then item.country end as country,
      case when item.language like 'french%' then 'fr' else 'en' end as locale,
      case when item.status = 'closed' then ${writing.now}::timestamptz end as suspended_at,
      ${madeAt(writing, 'item.created_at')} as created_at
    from ${staged('clients', 'item')}
    where ${which(writing, 'item')}`
}

/** Those who are known and are called otherwise there by now. */
export function renamed(writing: Writing, as: string) {
  return sql`${updated(writing, as)} and ${sql.raw(`${as}.follows`)}`
}

/** What of a client's credit comes along: all of it, or by how much it changed since. */
const BROUGHT_CREDIT = `(case when item.outcome is null or item.outcome = 'merged'
  and item.reason <> 'updated' then item.credit else coalesce(item.credit_change, 0) end)`

const BATCH = 2000

type PasswordRow = Omit<ImportedPassword, 'form'> & { form: string; place: number }

/** Their passwords as their system kept them, in the order of the file, some at a time. */
export async function* passwordsOf(
  tx: Tx,
  writing: Writing,
): AsyncGenerator<readonly ImportedPassword[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<PasswordRow>`
      select ${idOf(writing, 'clients', 'item')} as user_id, ${sql.raw(PASSWORD_FORM)} as form,
        password as hash, row_number as place
      from ${staged('clients', 'item')}
      where ${wanted(writing, 'item')} and row_number > ${after}
      order by row_number limit ${BATCH}`.execute(tx)
    yield rows.map(({ userId, form, hash }) => passwordOf(userId, form, hash))
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last.place
  }
}

function passwordOf(userId: string, form: string, hash: string | null): ImportedPassword {
  if (form === 'bcrypt' || form === 'md5salt' || form === 'hmac-sha256' || form === 'md5') {
    return { userId, form, hash }
  }
  return { userId, form: 'none', hash: null }
}

/** What people had in credit there, and owe on the invoices that came along. */
export function openingRows(writing: Writing) {
  const { tenantId, id } = writing
  return sql<{ user_id: string; currency: string; credit_cents: number; receivable_cents: number }>`
    select user_id, currency, sum(credit)::bigint as credit_cents, sum(owed)::bigint as receivable_cents
    from (
      select ${idOf(writing, 'clients', 'owner')} as user_id, currency.code as currency,
        ${cents(BROUGHT_CREDIT)} as credit, 0 as owed
      from ${staged('clients', 'item')}
      ${joined('clients', 'owner', 'item.survivor')}
      ${joined('currencies', 'currency', 'item.currency')}
      where item.tenant_id = ${tenantId} and item.import_id = ${id}
        and ${sql.raw(BROUGHT_CREDIT)} <> 0 and currency.decimals is not null
      union all
      select user_id, currency, 0,
        total_cents - credited_cents - (paid_cents - refunded_cents - reversed_cents)
      from billing.invoices
      where tenant_id = ${tenantId} and imported ->> 'importId' = ${id}
        and status = 'open' and number is not null
      union all
      select invoice.user_id, invoice.currency, 0, ${owedOn('invoice')} - item.owed_before
      from ${staged('invoices', 'item')}
      join billing.invoices as invoice
        on invoice.tenant_id = item.tenant_id and invoice.id = item.target_id
      where ${updated(writing, 'item')}
    ) as brought
    group by user_id, currency
    having sum(credit) <> 0 or sum(owed) <> 0`
}

/** What people had in credit there, in cents by currency, as far as they are imported. */
export function sumImportedCredit(
  db: Db,
  { tenantId, id }: ImportKey,
): Promise<{ currency: string; creditCents: string }[]> {
  return read(
    db,
    `select currency.code as currency,
       sum(case currency.decimals when 2 then brought when 0 then brought / 100
         when 1 then brought / 10 else brought * 10 end)::text as "creditCents"
     from (
       select *, ${BROUGHT_CREDIT} as brought from imports.staged_clients as item
       where item.tenant_id = $1 and item.import_id = $2
     ) as item
     join imports.staged_currencies as currency
       on currency.tenant_id = item.tenant_id and currency.import_id = item.import_id
       and currency.source_id = item.currency and currency.outcome is distinct from 'failed'
     group by currency.code having sum(brought) <> 0 order by 1`,
    [tenantId, id],
  )
}
