import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'

/** The tenants that have a service which failed by the given time and has not ended. */
export async function listTenantsWithFailed(db: Db, failedBy: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('services.services')
    .select('tenantId')
    .distinct()
    .where('failedAt', '<=', failedBy)
    .where('activatedAt', 'is', null)
    .where('endedAt', 'is', null)
    .execute()
  return rows.map(({ tenantId }) => tenantId)
}

type Due = { readonly failedBy: Instant; readonly putOffBefore: Instant; readonly limit: number }

/**
 * Services that may be refunded without staff, oldest failure first: they failed by the given time, no server can
 * exist, and staff have not acted on them. Those that were put off lately are left out.
 */
export async function listRefundable(
  db: Db,
  tenantId: string,
  { failedBy, putOffBefore, limit }: Due,
): Promise<string[]> {
  const rows = await refundable(db, tenantId)
    .select('service.id')
    .where('service.failedAt', '<=', failedBy)
    .where((it) =>
      it.or([it('way.refundPutOffAt', 'is', null), it('way.refundPutOffAt', '<=', putOffBefore)]),
    )
    .orderBy('service.failedAt')
    .orderBy('service.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a locked service may still be refunded without staff. */
export async function isRefundable(tx: Tx, { tenantId, id }: ServiceKey): Promise<boolean> {
  const row = await refundable(tx, tenantId)
    .select('service.id')
    .where('service.id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

function refundable(db: Db, tenantId: string) {
  return db
    .selectFrom('services.services as service')
    .innerJoin('services.provisioning as way', (join) =>
      join.onRef('way.tenantId', '=', 'service.tenantId').onRef('way.serviceId', '=', 'service.id'),
    )
    .where('service.tenantId', '=', tenantId)
    .where('service.failedAt', 'is not', null)
    .where('service.activatedAt', 'is', null)
    .where('service.endedAt', 'is', null)
    .where('service.endWantedAt', 'is', null)
    .where('service.serverLostAt', 'is', null)
    .where('service.imported', 'is', null)
    .where('service.serverId', 'is', null)
    .where('way.serverMayExist', '=', false)
    .where('way.byStaff', '=', false)
    .where('way.linksServer', '=', false)
}

/** How many services of a tenant were refunded without staff since a time. */
export async function countRefunded(db: Db, tenantId: string, since: Instant): Promise<number> {
  const { count } = await db
    .selectFrom('services.provisioning')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('refundedAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Whether a refund without staff was put off since a time. */
export async function wasPutOff(db: Db, tenantId: string, since: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('services.provisioning')
    .select('serviceId')
    .where('tenantId', '=', tenantId)
    .where('refundPutOffAt', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * For each product of an order: the number of its services, and the number of those that were refunded without ever
 * running.
 */
export async function outcomesOfOrder(
  db: Db,
  { tenantId, orderId }: { tenantId: string; orderId: string },
): Promise<{ productId: string; total: number; refunded: number }[]> {
  return db
    .selectFrom('services.services')
    .select('productId')
    .select(sql<number>`count(*)::integer`.as('total'))
    .select(
      sql<number>`count(*) filter (
        where end_reason = 'refunded' and activated_at is null and server_lost_at is null
      )::integer`.as('refunded'),
    )
    .where('tenantId', '=', tenantId)
    .where('orderId', '=', orderId)
    .groupBy('productId')
    .orderBy('productId')
    .execute()
}
