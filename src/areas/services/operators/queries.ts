import { type Expression, type SqlBool, sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { type Page, type PageQuery, pageOf } from '#platform/page.ts'
import { listViews } from '../lists.ts'
import type { ServiceRow, ServiceView } from '../queries.ts'
import { STUCK_AFTER_TRIES, stuckBefore } from './rules.ts'
import type { Trouble } from './schema.ts'

type Filters = PageQuery & { kind?: Trouble }

/** Services that wait for an operator, newest first. Each kind of problem has its own index. */
export async function listTroubled(
  db: Db,
  tenantId: string,
  { kind, ...page }: Filters,
  now: Instant,
): Promise<Page<ServiceView>> {
  const parts = kind ? { [kind]: PARTS[kind] } : PARTS
  const ids = Object.values(parts).map((part) => part(tenantId, now))
  // As an array, so that it is read from the indexes of the problems, and services by their ids.
  const query = db
    .selectFrom('services.services as service')
    .select('service.id')
    .where('service.tenantId', '=', tenantId)
    .where(sql<SqlBool>`service.id = any(array(${sql.join(ids, sql` union `)}))`)
  const { data, nextCursor } = await pageOf(query, page, 'service.id')
  const order = { ids: data.map(({ id }) => id), order: 'desc' } as const
  return { data: await listViews(db, tenantId, order), nextCursor }
}

const MOST_COUNTED = 1000

/** The number of services with each kind of problem, at most 1000, and since when. */
export async function countTroubled(
  db: Db,
  tenantId: string,
  now: Instant,
): Promise<{ kind: Trouble; count: number; oldestAt: Instant | null }[]> {
  const each = Object.entries(PARTS).map(
    ([kind, part]) => sql`select ${kind}::text as kind, id from
      (select distinct id from (${part(tenantId, now)}) as waiting (id) limit ${MOST_COUNTED}) as bounded`,
  )
  return db
    .selectFrom(sql<{ kind: Trouble; id: string }>`(${sql.join(each, sql` union all `)})`.as('it'))
    .innerJoin('services.services as service', 'service.id', 'it.id')
    .select(['it.kind', ({ fn }) => fn.min('service.createdAt').as('oldestAt')])
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('service.tenantId', '=', tenantId)
    .groupBy('it.kind')
    .execute()
}

type Part = (tenantId: string, now: Instant) => Expression<unknown>

const PARTS: Readonly<Record<Trouble, Part>> = {
  failed: (tenantId) => sql`
    select id from services.services
    where tenant_id = ${tenantId} and failed_at is not null and activated_at is null
      and ended_at is null`,
  provisioning: (tenantId, now) => sql`
    select service_id from services.provisioning
    where tenant_id = ${tenantId} and done_at is null
      and (alerted_at is not null or attempt >= ${STUCK_AFTER_TRIES}
        or started_at <= ${stuckBefore(now)})`,
  transition: (tenantId, now) => sql`
    select service_id from services.transitions
    where tenant_id = ${tenantId} and done_at is null
      and (alerted_at is not null or attempt >= ${STUCK_AFTER_TRIES}
        or (started_at <= ${stuckBefore(now)} and next_at is not null))`,
  upgrade: (tenantId, now) => sql`
    select service_id from services.upgrades
    where tenant_id = ${tenantId} and paid_at is not null and applied_at is null
      and failed_at is null and canceled_at is null
      and (attempt >= ${STUCK_AFTER_TRIES}
        or (paid_at <= ${stuckBefore(now)} and next_at is not null))`,
  unmanaged: (tenantId) => sql`
    select id from services.services
    where tenant_id = ${tenantId} and server_id is not null and node_id is null
      and ended_at is null`,
  renewal: (tenantId) => sql`
    select id from services.services
    where tenant_id = ${tenantId} and renewal_failure is not null and ended_at is null`,
  delivery: (tenantId) => sql`
    select service_id from services.deliveries
    where tenant_id = ${tenantId} and alerted_at is not null and done_at is null
      and failed_at is null and canceled_at is null`,
  unwarned: (tenantId) => sql`
    select period.service_id from services.warnings warning
    join services.periods period
      on period.tenant_id = warning.tenant_id and period.id = warning.period_id
    join services.services service
      on service.tenant_id = period.tenant_id and service.id = period.service_id
    where warning.tenant_id = ${tenantId} and warning.operators_told_at is not null
      and warning.sent_at is null and period.dunning_at is not null
      and service.ended_at is null`,
}

/** The services that share an order item with these: a line of their invoice is split among them. */
export function listUnits(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<Pick<ServiceRow, 'id' | 'orderItemId'>[]> {
  return db
    .selectFrom('services.services')
    .select(['id', 'orderItemId'])
    .where('tenantId', '=', tenantId)
    .where('orderId', 'in', (it) =>
      it
        .selectFrom('services.services as one')
        .select('one.orderId')
        .where('one.tenantId', '=', tenantId)
        .where('one.id', '=', sql<string>`any(${[...serviceIds]}::uuid[])`),
    )
    .orderBy('id')
    .execute()
}

/** The invoices that were created for these services: those of their orders, their periods and their changes. */
export async function listInvoicesOf(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<{ serviceId: string; invoiceId: string }[]> {
  const those = sql<string>`any(${[...serviceIds]}::uuid[])`
  return db
    .selectFrom('services.services')
    .select(['id as serviceId', 'invoiceId'])
    .where('tenantId', '=', tenantId)
    .where('id', '=', those)
    .where('invoiceId', 'is not', null)
    .$narrowType<{ invoiceId: string }>()
    .union((it) =>
      it
        .selectFrom('services.periods')
        .select(['serviceId', 'invoiceId'])
        .where('tenantId', '=', tenantId)
        .where('serviceId', '=', those)
        .where('invoiceId', 'is not', null)
        .$narrowType<{ invoiceId: string }>(),
    )
    .union((it) =>
      it
        .selectFrom('services.upgrades')
        .select(['serviceId', 'invoiceId'])
        .where('tenantId', '=', tenantId)
        .where('serviceId', '=', those)
        .where('invoiceId', 'is not', null)
        .$narrowType<{ invoiceId: string }>(),
    )
    .execute()
}
