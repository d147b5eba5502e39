import type { RawBuilder } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { boundTo } from './legacy.ts'
import {
  deleteImportedFacts,
  deleteUsers,
  type ImportedFact,
  type ImportedUser,
  insertImportedFacts,
  insertImportedUsers,
  insertLegacyPasswords,
  type LegacyForm,
} from './queries.ts'

/** The password of an imported person, as the other system stored it; null if it stored none. */
export type ImportedPassword = {
  readonly userId: string
  readonly form: LegacyForm
  readonly hash: string | null
}

/**
 * Creates accounts of people from another system, and stores that system's facts about them and about existing
 * people. Both are passed as queries of rows. Nobody is notified.
 */
export async function importUsers(
  tx: Tx,
  tenantId: string,
  rows: { people: RawBuilder<ImportedUser>; facts: RawBuilder<ImportedFact> },
): Promise<void> {
  await insertImportedUsers(tx, tenantId, rows.people)
  await insertImportedFacts(tx, tenantId, rows.facts)
}

/**
 * Stores the passwords of imported people, in batches. Those that can be compared work once, and are then
 * replaced by our own hash. A person without one sets a password by a link.
 */
export async function importPasswords(
  tx: Tx,
  secrets: Secrets,
  tenantId: string,
  passwords: AsyncIterable<readonly ImportedPassword[]>,
  now: Instant,
): Promise<void> {
  for await (const some of passwords) {
    await insertLegacyPasswords(
      tx,
      some.map(({ userId, form, hash }) => {
        const sealedHash = hash === null ? null : secrets.seal(hash, boundTo({ tenantId, userId }))
        return { tenantId, userId, form, sealedHash, createdAt: now }
      }),
    )
  }
}

/**
 * Removes accounts that an import created, with their sign-in data, and the facts it added about other people.
 * Both are passed as queries of ids.
 */
export async function removeImportedUsers(
  tx: Tx,
  tenantId: string,
  { people, facts }: Readonly<Record<'people' | 'facts', RawBuilder<unknown>>>,
): Promise<void> {
  await deleteImportedFacts(tx, tenantId, facts)
  await deleteUsers(tx, tenantId, people)
}
