import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The person who linked an account at Discord; undefined if nobody has. */
export function findLinked(
  db: Db,
  { tenantId, discordId }: { tenantId: string; discordId: string },
) {
  return db
    .selectFrom('users.connections as connection')
    .innerJoin('users.users as person', (join) =>
      join
        .onRef('person.tenantId', '=', 'connection.tenantId')
        .onRef('person.id', '=', 'connection.userId'),
    )
    .select(['connection.userId', 'connection.createdAt as linkedAt', 'person.name'])
    .where('connection.tenantId', '=', tenantId)
    .where('connection.provider', '=', 'discord')
    .where('connection.accountId', '=', discordId)
    .executeTakeFirst()
}

/** How many active services a person owns of each product, by the products' names. */
export function countServices(db: Db, { tenantId, userId }: UserKey) {
  return db
    .selectFrom('services.services as service')
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'service.tenantId')
        .onRef('product.id', '=', 'service.productId'),
    )
    .select(['product.id', 'product.name'])
    .select((it) => it.fn.countAll<number>().as('activeServices'))
    .where('service.tenantId', '=', tenantId)
    .where('service.userId', '=', userId)
    .where('service.activatedAt', 'is not', null)
    .where('service.suspendedAt', 'is', null)
    .where('service.endedAt', 'is', null)
    .groupBy(['product.id', 'product.name'])
    .orderBy('product.name')
    .orderBy('product.id')
    .execute()
}
