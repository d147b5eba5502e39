import { type SqlBool, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { type PageQuery, pageByInstant } from '#platform/page.ts'
import { type IncidentKey, isOpenAt } from '../incidents/queries.ts'
import type { IncidentRow } from '../incidents/rules.ts'

/** The most incidents that go on or are planned at once that a page shows. */
const MOST = 100

function selectPublished(db: Db, tenantId: string) {
  return (
    db
      .selectFrom('incidents.incidents')
      .selectAll()
      .where('tenantId', '=', tenantId)
      // Written as in the condition of the indexes: with a parameter, they would not be used.
      .where(sql<SqlBool>`published_at is not null`)
  )
}

function selectOpen(db: Db, tenantId: string, now: Instant) {
  return selectPublished(db, tenantId)
    .where(isOpenAt(now))
    .orderBy('startsAt')
    .orderBy('id')
    .limit(MOST)
}

/** What goes on, and what is planned, in the order of its begin. */
export function listOpen(db: Db, tenantId: string, now: Instant): Promise<IncidentRow[]> {
  return selectOpen(db, tenantId, now).execute()
}

/** What is over, the last begun first. */
export function listPast(db: Db, tenantId: string, page: PageQuery, now: Instant) {
  const query = selectPublished(db, tenantId)
    // The condition of the index.
    .where(
      sql<SqlBool>`(resolved_at is not null or canceled_at is not null or ends_at is not null)`,
    )
    .where(sql<SqlBool>`not (${isOpenAt(now)})`)
  const order = { column: 'starts_at', id: 'id', order: 'desc' } as const
  return pageByInstant(query, page, { ...order, at: ({ startsAt }) => startsAt })
}

export function findPublished(
  db: Db,
  { tenantId, id }: IncidentKey,
): Promise<IncidentRow | undefined> {
  return selectPublished(db, tenantId).where('id', '=', id).executeTakeFirst()
}

/** Whether the shop has ever published an incident or maintenance. */
export async function hasStatus(db: Db, tenantId: string): Promise<boolean> {
  return (await selectPublished(db, tenantId).limit(1).executeTakeFirst()) !== undefined
}

/** What goes on or is planned and affects a service of a person, own or shared, with the ids of these services. */
export function listOpenOf(db: Db, { tenantId, userId }: UserKey, now: Instant) {
  return db
    .selectFrom(selectOpen(db, tenantId, now).as('incident'))
    .selectAll('incident')
    .innerJoinLateral(
      sql<{ serviceIds: string[] }>`(
        select array_agg(found.id order by found.id) as service_ids
          from (
            select service.id
              from services.members as member
              join services.services as service
                on service.tenant_id = member.tenant_id and service.id = member.service_id
             where member.tenant_id = ${tenantId} and member.user_id = ${userId}
               and service.activated_at is not null and service.ended_at is null
               and (service.node_id = any(incident.node_ids)
                 or service.location_id = any(incident.location_ids)
                 or service.product_id = any(incident.product_ids))
             order by service.id
             limit ${MOST}::integer) as found)`.as<'own'>(sql`own`),
      (join) => join.on('own.serviceIds', 'is not', null),
    )
    .select('own.serviceIds')
    .orderBy('incident.startsAt')
    .orderBy('incident.id')
    .execute()
}

/** The public names of locations and products. */
export type Names = {
  readonly locations: readonly { readonly id: string; readonly name: string }[]
  readonly products: readonly {
    readonly id: string
    readonly name: string
    readonly translations: Readonly<Record<string, { readonly name?: string }>>
  }[]
}

/** The names of the locations and products that incidents affect. */
export async function listNames(
  db: Db,
  tenantId: string,
  incidents: readonly Pick<IncidentRow, 'locationIds' | 'productIds'>[],
): Promise<Names> {
  const locationIds = [...new Set(incidents.flatMap((it) => it.locationIds))]
  const productIds = [...new Set(incidents.flatMap((it) => it.productIds))]
  const [locations, products] = await Promise.all([
    db
      .selectFrom('panel.locations')
      .select(['id', 'name'])
      .where('tenantId', '=', tenantId)
      .where('id', '=', sql<string>`any(${locationIds}::uuid[])`)
      .orderBy('position')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('store.products')
      .select(['id', 'name', 'translations'])
      .where('tenantId', '=', tenantId)
      .where('id', '=', sql<string>`any(${productIds}::uuid[])`)
      .orderBy('name')
      .orderBy('id')
      .execute(),
  ])
  return { locations, products }
}
