import type { RawBuilder } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { Secrets } from '#platform/secrets.ts'
import { boundTo } from './legacy.ts'
import {
  type ImportedUser,
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

/** People of another system: their rows, as a query, and their passwords, some at a time. */
export type ImportedUsers = {
  readonly tenantId: string
  readonly rows: RawBuilder<ImportedUser>
  readonly passwords: AsyncIterable<readonly ImportedPassword[]>
}

/**
 * Makes accounts of people who had one in another system. Nobody is told; passwords that can be compared
 * with work once, and are then replaced by ours. A person without one sets one by a link.
 */
export async function importUsers(
  tx: Tx,
  secrets: Secrets,
  { tenantId, rows, passwords }: ImportedUsers,
  now: Instant,
): Promise<void> {
  await insertImportedUsers(tx, tenantId, rows)
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
