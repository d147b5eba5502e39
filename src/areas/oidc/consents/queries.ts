import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type PageQuery, pageOf } from '#platform/page.ts'

/** The applications a person has given consent to, with the scopes of all their valid grants together. */
function consents(db: Db, { tenantId, userId }: UserKey, now: Instant) {
  return db
    .selectFrom('oidc.clients as client')
    .innerJoin('oidc.grants as grant', (join) =>
      join
        .onRef('grant.tenantId', '=', 'client.tenantId')
        .onRef('grant.clientId', '=', 'client.id'),
    )
    .innerJoinLateral(
      sql<{ scope: string }>`unnest("grant".scopes)`.as<'granted'>(sql`granted(scope)`),
      (join) => join.onTrue(),
    )
    .select(['client.id', 'client.name'])
    .select(({ fn }) => [
      sql<string[]>`array_agg(distinct granted.scope)`.as('scopes'),
      fn.min('grant.createdAt').as('grantedAt'),
      fn.max('grant.expiresAt').as('expiresAt'),
    ])
    .where('client.tenantId', '=', tenantId)
    .where('grant.userId', '=', userId)
    .where('grant.expiresAt', '>', now)
    .groupBy(['client.tenantId', 'client.id'])
}

export function listConsents(db: Db, user: UserKey, now: Instant, page: PageQuery) {
  return pageOf(consents(db, user, now), page, 'client.id')
}

export function findConsent(
  db: Db,
  { clientId, ...user }: UserKey & { clientId: string },
  now: Instant,
) {
  return consents(db, user, now).where('client.id', '=', clientId).executeTakeFirst()
}

/** Deletes a person's consent to an application, and all its tokens. Returns whether there was a consent. */
export async function deleteConsent(
  tx: Tx,
  { tenantId, userId, clientId }: UserKey & { clientId: string },
  now: Instant,
): Promise<boolean> {
  const grants = await tx
    .deleteFrom('oidc.grants')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .where('expiresAt', '>', now)
    .returning('id')
    .execute()
  return grants.length > 0
}
