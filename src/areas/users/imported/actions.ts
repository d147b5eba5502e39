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

/** The password of somebody who is imported, as the other system kept it; null where it kept none. */
export type ImportedPassword = {
  readonly userId: string
  readonly form: LegacyForm
  readonly hash: string | null
}

/**
 * Makes accounts of people who had one in another system, and keeps what that knew of them and of people who are here: their
 * rows, as queries. Nobody is told.
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
 * Keeps the passwords of imported people, some at a time. Those that can be compared with work once, and
 * are then replaced by ours. A person without one sets one by a link.
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
 * Removes accounts that an import has made, with what was kept of signing in to them, and what it has told of other people:
 * both by queries of ids.
 */
export async function removeImportedUsers(
  tx: Tx,
  tenantId: string,
  { people, facts }: Readonly<Record<'people' | 'facts', RawBuilder<unknown>>>,
): Promise<void> {
  await deleteImportedFacts(tx, tenantId, facts)
  await deleteUsers(tx, tenantId, people)
}
