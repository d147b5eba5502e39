import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

const EXPORTED = 10_000

/** The stored sign-ins of a person to other applications: what each may see, and when. */
export async function personalData(db: Db, { tenantId, userId }: UserKey) {
  const applications = await db
    .selectFrom('oidc.grants as grant')
    .innerJoin('oidc.clients as client', (join) =>
      join
        .onRef('client.tenantId', '=', 'grant.tenantId')
        .onRef('client.id', '=', 'grant.clientId'),
    )
    .select(['client.name', 'grant.scopes', 'grant.createdAt', 'grant.expiresAt'])
    .where('grant.tenantId', '=', tenantId)
    .where('grant.userId', '=', userId)
    .orderBy('grant.createdAt', 'desc')
    .limit(EXPORTED)
    .execute()
  return { applications }
}
