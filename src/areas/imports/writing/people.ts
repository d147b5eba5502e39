import { type RawBuilder, sql } from 'kysely'
import { owedOn } from '#billing'
import type { Opening } from '#ledger'
import { type Db, read, type Tx } from '#platform/database/index.ts'
import type { ImportedFact, ImportedPassword, ImportedUser } from '#users'
import { IS_PHONE, PASSWORD_FORM } from '../outcomes/totals.ts'
import { LANGUAGE_WORDS } from '../sources/languages.ts'
import type { ImportKey } from '../staging/writer.ts'
import {
  cents,
  idOf,
  inLane,
  isHere,
  joined,
  madeAt,
  PARTY,
  type Part,
  staged,
  updated,
  type Which,
  type Writing,
  wanted,
} from './rows.ts'

/** People, as the accounts that are created for them. */
export function userRows(writing: Writing, which: Which = wanted): RawBuilder<ImportedUser> {
  return sql<ImportedUser>`
    select ${idOf(writing, 'clients', 'item')} as id, item.login as email,
      coalesce(${line('item.name')}, ${line('item.company')}, left(item.login, 200)) as name,
      ${line('item.company')} as company, ${line('item.tax_number', 30)} as vat_number,
      ${line('item.address_line1')} as address_line1,
      ${line('item.address_line2')} as address_line2,
      ${line('item.postcode', 20)} as address_postcode,
      ${line('item.city', 100)} as address_city, ${line('item.region', 100)} as address_region,
      case when item.country ~ '^[A-Z]{2}$' then item.country end as country,
      case when ${sql.raw(IS_PHONE)} then btrim(item.phone) end as phone,
      ${sql.raw(LOCALE)} as locale,
      case when item.status = 'closed' then ${writing.now}::timestamptz end as suspended_at,
      case when item.confirmed then ${madeAt(writing, 'item.created_at')} end as email_verified_at,
      ${madeAt(writing, 'item.created_at')} as created_at
    from ${staged('clients', 'item')}
    where ${which(writing, 'item')}`
}

/** The language of a person; English if theirs is not supported here. */
const LOCALE = `case ${Object.entries(LANGUAGE_WORDS)
  .map(([locale, word]) => `when item.language like '${word}%' then '${locale}'`)
  .join(' ')} else 'en' end`

/**
 * Facts about people of this import, or with an account here already, for which we have no field: notes, custom fields
 * of the host, and other contacts.
 */
export function factRows(writing: Writing): RawBuilder<ImportedFact> {
  const ofOwner = sql`item.tenant_id = ${writing.tenantId} and item.import_id = ${writing.id}
    and (${isHere('owner')} or owner.reason = 'account_exists')`
  const owner = sql`${joined('clients', 'client', 'item.client')}
    ${joined('clients', 'owner', 'client.survivor')}`
  const who = idOf(writing, 'clients', 'owner')
  const known = sql`owner.outcome is not null as known`
  return sql<ImportedFact>`
    select imports.id_of(${writing.now}::timestamptz, ${writing.id}::uuid, 'facts',
        row_number() over (order by user_id, kind, row_number)) as id, user_id, ${line('label')} as label, ${paragraphs('text')} as text,
      row_number() over (partition by user_id order by kind, row_number)::integer as position,
      known
    from (
      select ${who} as user_id, ${known}, 1 as kind, item.row_number, 'Notes' as label, item.notes as text
      from ${staged('clients', 'item')} ${joined('clients', 'owner', 'item.survivor')}
      where ${ofOwner}
      union all
      select ${who}, ${known}, 2, item.row_number, field.label, item.text
      from ${staged('custom_values', 'item')} ${joined('custom_fields', 'field', 'item.field')} ${owner}
      where ${ofOwner}
      union all
      select ${who}, ${known}, 2, item.row_number, substr(item.key, 6), item.value
      from ${staged('details', 'item')} ${owner}
      where ${ofOwner} and item.key like 'fact:%'
      union all
      select ${who}, ${known}, 3, item.row_number, 'Contact', item.text
      from ${staged('contacts', 'item')} ${owner}
      where ${ofOwner}
    ) as fact
    where ${paragraphs('text')} <> '' and ${line('label')} is not null`
}

/** The origin under which facts about people who had an account before are recorded. */
export function factsOf(importId: string): string {
  return `facts of ${importId}`
}

/** Text of several lines, without characters that cannot be typed. */
function paragraphs(column: string) {
  return sql.raw(
    `btrim(regexp_replace(${column}, '[\\x01-\\x08\\x0b-\\x1f\\x7f-\\u009f]', '', 'g'), E' \\n\\t')`,
  )
}

/** Known people whose name or address has changed in the old system. */
export function renamed(writing: Writing, as: string) {
  return sql`${updated(writing, as)} and ${sql.raw(`${as}.follows`)}`
}

/** Clients whose whole credit is imported. For the others, only the change is. */
const AT_FIRST = `(item.outcome is null or item.outcome = 'merged' and item.reason <> 'updated')`

const BROUGHT_CREDIT = `(case when ${AT_FIRST} then item.credit
  else coalesce(item.credit_change, 0) end)`

/** One line, as people could have typed it here: otherwise they could not save their own profile again. */
function line(column: string, length = 200) {
  const text = `btrim(left(btrim(regexp_replace(${column}, '${CONTROLS}+', ' ', 'g')), ${length}))`
  return sql.raw(
    `case when regexp_replace(${text}, '${INVISIBLE}', '', 'g') <> '' then ${text} end`,
  )
}

const CONTROLS = '[\\x01-\\x1f\\x7f-\\u009f]'
/** Characters that alone do not make a line: spaces, zero-width and direction marks, and fillers. */
const INVISIBLE = [
  ...['[\\s\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f'],
  ...['\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]'],
].join('')

const BATCH = 1000

type PasswordRow = Omit<ImportedPassword, 'form'> & { form: string }

/** The passwords of people as their system stored them, in batches. */
export async function* passwordsOf(
  tx: Tx,
  writing: Writing,
): AsyncGenerator<readonly ImportedPassword[]> {
  await sql`
    declare kept_passwords no scroll cursor for
    select ${idOf(writing, 'clients', 'item')} as user_id, ${sql.raw(PASSWORD_FORM)} as form,
      password as hash
    from ${staged('clients', 'item')}
    where ${wanted(writing, 'item')}`.execute(tx)
  for (;;) {
    const { rows } =
      await sql<PasswordRow>`fetch ${sql.raw(`${BATCH}`)} from kept_passwords`.execute(tx)
    yield rows.map(({ userId, form, hash }) => passwordOf(userId, form, hash))
    if (rows.length < BATCH) break
  }
  await sql`close kept_passwords`.execute(tx)
}

function passwordOf(userId: string, form: string, hash: string | null): ImportedPassword {
  if (form === 'bcrypt' || form === 'md5salt' || form === 'hmac-sha256' || form === 'md5') {
    return { userId, form, hash }
  }
  if (form === 'argon2') return { userId, form, hash }
  return { userId, form: 'none', hash: null }
}

/**
 * Computes the opening balances of the people of a part in this import: the credit and debts that they had in the old
 * system. Stores them, because booking reads them several times.
 */
export async function writeOpenings(tx: Tx, part: Part): Promise<void> {
  const { tenantId, id, lane } = part
  const brought = summed(sql`
    select ${idOf(part, 'clients', 'owner')} as user_id, currency.code as currency,
      ${cents('item.credit')} as credit, 0 as owed
    from ${staged('clients', 'item')}
    ${joined('clients', 'owner', 'item.survivor')}
    ${joined('currencies', 'currency', 'item.currency')}
    where item.tenant_id = ${tenantId} and item.import_id = ${id} and ${inLane(part, 'item')}
      and ${sql.raw(AT_FIRST)} and item.credit <> 0 and currency.decimals is not null
    union all
    select ${idOf(part, 'clients', 'owner')}, currency.code, ${cents('item.amount')}, 0
    from ${staged('balances', 'item')}
    ${PARTY}
    where ${wanted(part, 'item')} and ${inLane(part)} and item.amount <> 0
    union all
    select invoice.user_id, invoice.currency, 0, ${owedOn('invoice')}
    from ${staged('invoices', 'item')}
    ${joined('clients', 'client', 'item.client')}
    join billing.invoices as invoice
      on invoice.tenant_id = item.tenant_id and invoice.id = ${idOf(part, 'invoices', 'item')}
    where ${wanted(part, 'item')} and ${inLane(part)} and item.state = 'open'`)
  await sql`
    insert into imports.openings
      (tenant_id, import_id, lane, user_id, currency, credit_cents, receivable_cents)
    select ${tenantId}, ${id}, ${lane}, user_id, currency, credit_cents, receivable_cents
    from (${brought}) as brought`.execute(tx)
}

/** The opening balances that `writeOpenings` has stored. */
export function openingRows({ tenantId, id, lane }: Part): RawBuilder<Opening> {
  return sql<Opening>`
    select user_id, currency, credit_cents, receivable_cents from imports.openings
    where tenant_id = ${tenantId} and import_id = ${id} and lane = ${lane}`
}

/** By how much the credit and debts of people of an earlier import have changed. */
export function changedOpeningRows(writing: Writing): RawBuilder<Opening> {
  const { tenantId, id } = writing
  return summed(sql`
    select ${idOf(writing, 'clients', 'owner')} as user_id, currency.code as currency,
      ${cents('item.credit_change')} as credit, 0 as owed
    from ${staged('clients', 'item')}
    ${joined('clients', 'owner', 'item.survivor')}
    ${joined('currencies', 'currency', 'item.currency')}
    where item.tenant_id = ${tenantId} and item.import_id = ${id}
      and not ${sql.raw(AT_FIRST)} and item.credit_change <> 0 and currency.decimals is not null
    union all
    select invoice.user_id, invoice.currency, 0, ${owedOn('invoice')} - item.owed_before
    from ${staged('invoices', 'item')}
    join billing.invoices as invoice
      on invoice.tenant_id = item.tenant_id and invoice.id = item.target_id
    where ${updated(writing, 'item')}`)
}

function summed(brought: RawBuilder<unknown>): RawBuilder<Opening> {
  return sql<Opening>`
    select user_id, currency, sum(credit)::bigint as credit_cents, sum(owed)::bigint as receivable_cents
    from (${brought}) as brought
    group by user_id, currency
    having sum(credit) <> 0 or sum(owed) <> 0`
}

/** The imported credit that people had in the old system, in cents by currency. */
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
       select currency, ${BROUGHT_CREDIT} as brought from imports.staged_clients as item
       where item.tenant_id = $1 and item.import_id = $2
       union all
       select currency, amount from imports.staged_balances
       where tenant_id = $1 and import_id = $2 and outcome is null
     ) as item
     join imports.staged_currencies as currency
       on currency.tenant_id = $1 and currency.import_id = $2
       and currency.source_id = item.currency and currency.outcome is distinct from 'failed'
     group by currency.code having sum(brought) <> 0 order by 1`,
    [tenantId, id],
  )
}
