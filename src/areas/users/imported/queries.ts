import { type RawBuilder, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'
import { insertRows } from '#platform/database/rows.ts'

export type LegacyForm = Row<'users.legacy_passwords'>['form']

/** A person as another system knew them; the address counts as a whole, or not at all. */
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
  locale: 'en' | 'fr'
  suspended_at: Instant | null
  created_at: Instant
}

/** Writes people as they are, in one statement. An address without a country is none. */
export async function insertImportedUsers(
  tx: Tx,
  tenantId: string,
  rows: RawBuilder<ImportedUser>,
): Promise<void> {
  await sql`
    insert into users.users
      (tenant_id, id, email, name, company, vat_number, vat_status, country, address_line1,
       address_line2, address_postcode, address_city, address_region, address_country, locale,
       suspended_at, created_at)
    select ${tenantId}, id, email, name, company, vat_number,
      case when vat_number is null then 'none' else 'unchecked' end, country,
      case when whole then address_line1 end, case when whole then address_line2 end,
      case when whole then coalesce(address_postcode, '') end,
      case when whole then coalesce(address_city, '') end,
      case when whole then address_region end, case when whole then country end, locale,
      suspended_at, created_at
    from (
      select given.*, address_line1 is not null and country is not null as whole
      from (${rows}) as given
    ) as person
  `.execute(tx)
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
 * A password that takes as long to compare as any of the people of a tenant who have not signed in since
 * they were imported; undefined when everybody has.
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
