import type { Account } from 'oidc-provider'
import { isId } from '#lib/id.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { findUser } from '#users'

const MAX_SERVICES = 500

/**
 * The claims of each scope (OpenID Connect Core 5.4); `services` is ours. They are in the ID token and at
 * userinfo, except `services`, which would make the token too long for a cookie and is only at userinfo.
 */
export const CLAIMS = {
  openid: ['sub'],
  profile: ['name', 'locale'],
  email: ['email', 'email_verified'],
  services: ['services'],
}

/** A person as clients see them; undefined for a person who may not sign in. */
export async function accountOf(db: Db, key: UserKey): Promise<Account | undefined> {
  if (!isId(key.userId)) return undefined
  const user = await findUser(db, key)
  if (!user || user.suspendedAt || user.deletedAt) return undefined
  const { name, locale, email, emailVerifiedAt } = user
  const own = { sub: user.id, name, locale, email, email_verified: emailVerifiedAt !== null }
  return {
    accountId: user.id,
    claims: async (use, scope) =>
      use === 'userinfo' && scope.split(' ').includes('services')
        ? { ...own, services: await listActiveServices(db, key) }
        : own,
  }
}

/** The person's active services, own and shared ones, newest first: 500 at most. */
function listActiveServices(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('services.members as member')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'member.tenantId')
        .onRef('service.id', '=', 'member.serviceId'),
    )
    .select(['service.id', 'service.name'])
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', '=', userId)
    .where('service.activatedAt', 'is not', null)
    .where('service.suspendedAt', 'is', null)
    .where('service.endedAt', 'is', null)
    .orderBy('service.id', 'desc')
    .limit(MAX_SERVICES)
    .execute()
}
