import { type SqlBool, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { type CountedPage, compiledPage, type ListQuery, listOf } from '#platform/page.ts'
import { wordsOrWhole, wordsWithin } from '#platform/search.ts'
import { built, type ServiceView, STATUS_IN_SQL, views } from './queries.ts'
import type { ServiceStatus, SuspendReason } from './schema.ts'

type Filters = {
  userId?: string
  orderId?: string
  productId?: string
  planId?: string
  nodeId?: string
  status?: ServiceStatus
  suspendReason?: SuspendReason
  dueBefore?: Instant
  q?: string
}

const ownersViews = (db: Db, { tenantId }: { tenantId: string }) =>
  views(db).where('member.tenantId', '=', tenantId).where('member.role', '=', 'owner')
const listAll = compiledPage(ownersViews, 'service.id')

/** All services of a tenant, as their owners see them. */
export async function listServices(
  db: Db,
  tenantId: string,
  { sort, count, limit, cursor, ...filters }: ListQuery & Filters,
): Promise<CountedPage<ServiceView>> {
  const part = { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) }
  if (Object.keys(filters).length === 0 && !sort && !count) {
    return built(db, { tenantId }, { ...(await listAll(db, { tenantId }, part)), total: null })
  }
  const page = { ...part, ...(sort && { sort }), ...(count && { count }) }
  // Which services they are is found in their own table alone; only those of the page are joined with the rest.
  const found = await listOf(db, await filtered(db, tenantId, filters), page, 'service.id')
  const data = await listViews(db, tenantId, {
    ids: found.data.map(({ id }) => id),
    order: sort === 'oldest' ? 'asc' : 'desc',
  })
  return built(db, { tenantId }, { ...found, data })
}

/** These services, as their owners see them, in the order of their ids. */
export function listViews(
  db: Db,
  tenantId: string,
  { ids, order }: { ids: readonly string[]; order: 'asc' | 'desc' },
): Promise<ServiceView[]> {
  return ownersViews(db, { tenantId })
    .where('member.serviceId', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('service.id', order)
    .execute()
}

async function filtered(db: Db, tenantId: string, filters: Filters) {
  const { userId, orderId, productId, planId, nodeId, status } = filters
  const { suspendReason, dueBefore, q } = filters
  let query = db
    .selectFrom('services.services as service')
    .select('service.id')
    .where('service.tenantId', '=', tenantId)
  if (userId) query = query.where('service.userId', '=', userId)
  if (orderId) query = query.where('service.orderId', '=', orderId)
  if (productId) query = query.where('service.productId', '=', productId)
  if (planId) query = query.where('service.planId', '=', planId)
  if (nodeId) query = query.where('service.nodeId', '=', nodeId)
  if (status) query = query.where(STATUS_IN_SQL, '=', status)
  if (suspendReason) {
    query = query
      .where('service.suspendedAt', 'is not', null)
      .where(sql<SqlBool>`${suspendReason} = any(service.suspend_reasons)`)
  }
  if (dueBefore) {
    query = query
      .where('service.endedAt', 'is', null)
      .where('service.currentPeriodEnd', '<', dueBefore)
  }
  if (q === undefined) return query
  const terms = { table: sql`services.search_terms`, id: sql`service_id`, of: sql`service.id` }
  return query.where(await wordsWithin(db, { tenantId, words: wordsOrWhole(q) }, terms))
}
