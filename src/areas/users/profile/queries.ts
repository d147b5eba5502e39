import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { COLUMNS, type UserRow } from '../queries.ts'
import type { ProfileColumns } from './rules.ts'

type Changes = ProfileColumns &
  Partial<Pick<UserRow, 'pendingEmail' | 'emailVerifiedAt' | 'emailVerifiedBefore'>>

/** Sets columns of a person's row. Changes nothing if there are none. */
export function updateUser(
  tx: Tx,
  { tenantId, userId }: UserKey,
  changes: Changes,
): Promise<UserRow> {
  return tx
    .updateTable('users.users')
    .set({ id: userId, ...changes })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}
