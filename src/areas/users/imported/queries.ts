import { type RawBuilder, sql } from 'kysely'
import type { Locale } from '#lib/languages.ts'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'

export type LegacyForm = Row<'users.legacy_passwords'>['form']

/** A person as another system stored them; an incomplete postal address is ignored as a whole. */
export type ImportedUser = {
  id: string
  email: string
  name: string
  company: string | null
  vat_number: string | null
  address_line1: string | null
  address_line2: string | null
  address_postcode: string | null
  address_city: string | null
  address_region: string | null
  country: string | null
  phone: string | null
  locale: Locale
  suspended_at: Instant | null
  /** When they confirmed their address in the other system, or opened their account there; null: not confirmed. */
  email_verified_at: Instant | null
  created_at: Instant
}

/** A fact that another system stored about a person and that has no field in ours. */
export type ImportedFact = {
  id: string
  user_id: string
  position: number
  label: string
  text: string
  /** Whether the person had an account before the import. */
  known: boolean
}

/** People with a usable postal address: one without a country is ignored. */
function withAddress(rows: RawBuilder<ImportedUser>) {
  return sql`
    select id, email, name, company, vat_number, country, phone, locale, suspended_at,
      email_verified_at, created_at,
      case when whole then address_line1 end as address_line1,
      case when whole then address_line2 end as address_line2,
      case when whole then coalesce(address_postcode, '') end as address_postcode,
      case when whole then coalesce(address_city, '') end as address_city,
      case when whole then address_region end as address_region,
      case when whole then country end as address_country
    from (
      select given.*, address_line1 is not null and country is not null as whole
      from (${rows}) as given
    ) as person`
}

/** Locks people, in the order of their ids. */
export async function lockImportedUsers(
  tx: Tx,
  tenantId: string,
  ids: RawBuilder<{ id: string }>,
): Promise<void> {
  await sql`
    select from users.users
    where tenant_id = ${tenantId} and id in (${ids}) order by id for update`.execute(tx)
}

/** Updates the names and addresses of people whose rows are locked. Their sign-in data stays. */
export async function updateImportedUsers(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedUser>,
): Promise<void> {
  await sql`
    update users.users as person
    set name = given.name, company = given.company, country = given.country,
      vat_number = given.vat_number,
      vat_status = case when given.vat_number is null then 'none'
        when given.vat_number = person.vat_number then person.vat_status else 'unchecked' end,
      address_line1 = given.address_line1, address_line2 = given.address_line2,
      address_postcode = given.address_postcode, address_city = given.address_city,
      address_region = given.address_region, address_country = given.address_country
    from (${withAddress(rows)}) as given
    where person.tenant_id = ${tenantId} and person.id = given.id
  `.execute(tx)
}

/** Inserts people with these values, in one statement. */
export async function insertImportedUsers(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedUser>,
): Promise<void> {
  await sql`
    insert into users.users
      (tenant_id, id, email, name, company, vat_number, vat_status, country, address_line1,
       address_line2, address_postcode, address_city, address_region, address_country, phone,
       locale, suspended_at, email_verified_at, created_at)
    select ${tenantId}, id, email, name, company, vat_number,
      case when vat_number is null then 'none' else 'unchecked' end, country,
      address_line1, address_line2, address_postcode, address_city, address_region,
      address_country, phone, locale, suspended_at, email_verified_at, created_at
    from (${withAddress(rows)}) as person
  `.execute(tx)
}

/** Appends facts that are not stored yet, about people whose account is not deleted, after the stored ones. */
export async function insertImportedFacts(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedFact>,
): Promise<void> {
  await sql`
    insert into users.facts (tenant_id, id, user_id, position, label, text)
    select ${tenantId}, fact.id, fact.user_id, coalesce(known.last, 0) + fact.position, fact.label,
      fact.text
    from (${rows}) as fact
    join users.users as person on person.tenant_id = ${tenantId} and person.id = fact.user_id
      and person.deleted_at is null
    left join (
      select user_id, max(position) as last from users.facts where tenant_id = ${tenantId}
      group by user_id
    ) as known on known.user_id = fact.user_id
    where not exists (
      select from users.facts as same
      where same.tenant_id = ${tenantId} and same.user_id = fact.user_id
        and same.label = fact.label and same.text = fact.text)
    order by fact.user_id`.execute(tx)
}

/** Removes the facts that an import added about people who stay, by a query of the facts' ids. */
export async function deleteImportedFacts(
  tx: Tx,
  tenantId: string,
  ids: RawBuilder<unknown>,
): Promise<void> {
  await sql`delete from users.facts where tenant_id = ${tenantId} and id in (${ids})`.execute(tx)
}

/**
 * Tables of a person that may be deleted with an imported account, because they contain nobody's work: sign-ins,
 * links, checks, search terms, and facts from another system.
 */
export const KEPT_OF_PEOPLE = [
  ...(['sessions', 'email_tokens', 'pending_sign_ins', 'passkey_challenges'] as const),
  ...(['connection_starts', 'legacy_passwords', 'search_terms', 'vat_checks', 'facts'] as const),
]

export async function deleteUsers(
  tx: Tx,
  tenantId: string,
  ids: RawBuilder<unknown>,
): Promise<void> {
  for (const table of KEPT_OF_PEOPLE) {
    await sql`delete from ${sql.table(`users.${table}`)}
      where tenant_id = ${tenantId} and user_id in (${ids})`.execute(tx)
  }
  await sql`delete from users.guesses where tenant_id = ${tenantId} and account in (${ids})`.execute(
    tx,
  )
  await sql`delete from users.allowances
    where tenant_id = ${tenantId} and subject in (select id::text from (${ids}) as person (id))`.execute(
    tx,
  )
  await sql`delete from users.users where tenant_id = ${tenantId} and id in (${ids})`.execute(tx)
}

export async function insertLegacyPasswords(
  tx: Tx,
  rows: readonly Row<'users.legacy_passwords'>[],
): Promise<void> {
  await insertRows(tx, 'users.legacy_passwords', rows)
}

export function findLegacyPassword(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('users.legacy_passwords')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/**
 * A password that takes as long to compare as any of the imported people of a tenant who have not signed in
 * since; undefined if everybody has.
 */
export function findSlowestLegacyPassword(db: Db, tenantId: string) {
  return db
    .selectFrom('users.legacy_passwords')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy(sql`form = 'bcrypt'`, 'desc')
    .orderBy('userId')
    .limit(1)
    .executeTakeFirst()
}

export async function deleteLegacyPassword(tx: Tx, { tenantId, userId }: UserKey): Promise<void> {
  await tx
    .deleteFrom('users.legacy_passwords')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

/** Restores people as they were before `updateImportedUsers` changed them: `before` is a query of their former rows. */
export async function restoreImportedUsers(
  tx: Tx,
  tenantId: string,
  before: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    update users.users as person
    set name = old.name, company = old.company, country = old.country, vat_number = old.vat_number,
      -- What was found out about a number since still holds for that number.
      vat_status = case when person.vat_number is not distinct from old.vat_number
        then person.vat_status else old.vat_status end,
      address_line1 = old.address_line1,
      address_line2 = old.address_line2, address_postcode = old.address_postcode,
      address_city = old.address_city, address_region = old.address_region,
      address_country = old.address_country
    from (${before}) as kept
    cross join lateral jsonb_populate_record(null::users.users, kept.before) as old
    where person.tenant_id = ${tenantId} and person.id = old.id
  `.execute(tx)
}
