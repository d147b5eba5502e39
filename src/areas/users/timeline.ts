import { sql } from 'kysely'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type Moments, moment } from '#platform/timeline.ts'

/** What happened to an account: how it began and ended, sign-ins, keys. */
export function timeline(db: Db, { tenantId, userId }: UserKey): readonly Moments[] {
  const account = db
    .selectFrom('users.users')
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
  const sessions = db
    .selectFrom('users.sessions')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  const keys = db
    .selectFrom('users.api_keys')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
  return [
    account.select(moment('users.registered', { at: 'createdAt' })),
    account.select(moment('users.email-verified', { at: 'emailVerifiedAt' })),
    account.select(moment('users.suspended', { at: 'suspendedAt' })),
    account.select(moment('users.deleted', { at: 'deletedAt' })),
    sessions
      .select(moment('users.signed-in', { at: 'createdAt' }))
      .where('impersonatorId', 'is', null),
    sessions
      .select(
        moment('users.impersonated', {
          ...{ at: 'createdAt', actorId: 'impersonatorId' },
          detail: sql.ref('impersonation_reason'),
        }),
      )
      .where('impersonatorId', 'is not', null),
    keys.select(moment('users.api-key-made', { at: 'createdAt', detail: sql.ref('name') })),
    keys.select(moment('users.api-key-revoked', { at: 'revokedAt', detail: sql.ref('name') })),
  ]
}
