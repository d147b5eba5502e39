import { sql } from 'kysely'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Provisioning, ShownLocation } from '#panel'
import type { UserKey } from '#platform/area.ts'
import { compiledFirst } from '#platform/database/compiled.ts'
import { type Db, json, type Row, read, type Tx } from '#platform/database/index.ts'
import { compiledPage, type Page, type PageQuery, pageOf } from '#platform/page.ts'
import { withBuilds } from '#store'
import { MEMBER_PERMISSIONS, type ServiceStatus } from './schema.ts'

export type ServiceRow = Row<'services.services'>
export type ServiceKey = Pick<ServiceRow, 'tenantId' | 'id'>

/** A service joined with what its owner and members see of its product, plan and panel. */
export type ServiceView = ServiceRow & {
  productSlug: string
  productName: string
  planName: string
  /** The address of its panel; null before it has one, and when the connection was deleted. */
  nodeUrl: string | null
  /**
   * The address where its owner and members sign in to that panel with their account of the shop; null if they cannot.
   */
  signOnUrl: string | null
  role: 'owner' | 'member'
  permissions: string[]
  /** What servers of its product are built with; null if the product has no servers. */
  provisioning: Provisioning | null
  /** The name of its egg, the game. */
  eggName: string | null
  /** The location that was chosen for it; null if none was. */
  location: ShownLocation | null
  /** The oldest open invoice that the service waits for, and what is due on it. */
  openInvoiceId: string | null
  openDueCents: Cents | null
}

/** The oldest open invoice of a `service`: of its order until it is paid, then of its periods and debts. */
const OPEN_INVOICE = sql<{ invoiceId: string; dueCents: Cents }>`(
  select invoice.id as invoice_id,
    invoice.total_cents - invoice.credited_cents
      - (invoice.paid_cents - invoice.refunded_cents - invoice.reversed_cents) as due_cents
  from (
    select service.invoice_id as id where service.paid_at is null and service.ended_at is null
    union all
    select period.invoice_id from services.periods as period
    where period.tenant_id = service.tenant_id and period.service_id = service.id
      and period.voided_at is null and period.paid_at is null
  ) as owed
  join billing.invoices as invoice
    on invoice.tenant_id = service.tenant_id and invoice.id = owed.id and invoice.status = 'open'
  order by invoice.due_at, invoice.id
  limit 1
)`

/** Services with what their owners and members see of them, one row for each person. */
export function views(db: Db) {
  return db
    .selectFrom('services.members as member')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'member.tenantId')
        .onRef('service.id', '=', 'member.serviceId'),
    )
    .innerJoin('store.products as product', (join) =>
      join
        .onRef('product.tenantId', '=', 'service.tenantId')
        .onRef('product.id', '=', 'service.productId'),
    )
    .innerJoin('store.plans as plan', (join) =>
      join.onRef('plan.tenantId', '=', 'service.tenantId').onRef('plan.id', '=', 'service.planId'),
    )
    .leftJoin('panel.nodes as node', (join) =>
      join
        .onRef('node.tenantId', '=', 'service.tenantId')
        .onRef('node.id', '=', 'service.nodeId')
        .on('node.deletedAt', 'is', null),
    )
    .leftJoin('panel.eggs as egg', (join) =>
      join
        .onRef('egg.tenantId', '=', 'service.tenantId')
        .on(sql<boolean>`egg.id = (product.provisioning ->> 'eggId')::uuid`),
    )
    .leftJoin('panel.locations as location', (join) =>
      join
        .onRef('location.tenantId', '=', 'service.tenantId')
        .onRef('location.id', '=', 'service.locationId'),
    )
    .leftJoinLateral(OPEN_INVOICE.as('open'), (join) => join.onTrue())
    .selectAll('service')
    .select(sql<Provisioning | null>`product.provisioning`.as('provisioning'))
    .select(
      sql<ShownLocation | null>`case when location.id is not null then json_build_object(
        'id', location.id, 'slug', location.slug, 'name', location.name,
        'country', location.country, 'city', location.city) end`.as('location'),
    )
    .select([
      'egg.name as eggName',
      'open.invoiceId as openInvoiceId',
      'open.dueCents as openDueCents',
      'product.slug as productSlug',
      'product.name as productName',
      'plan.name as planName',
      'node.url as nodeUrl',
      'node.signOnUrl',
      'member.role',
      'member.permissions',
    ])
}

const viewsOf = (db: Db, { tenantId, userId }: UserKey) =>
  views(db).where('member.tenantId', '=', tenantId).where('member.userId', '=', userId)
const listAllOf = compiledPage(viewsOf, 'member.serviceId')

type OwnFilters = { status?: ServiceStatus; role?: 'owner' | 'member'; q?: string }

/** The services a user has, own and shared ones, newest first. */
export async function listServicesOf(
  db: Db,
  user: UserKey,
  { status, role, q, ...page }: PageQuery & OwnFilters,
): Promise<Page<ServiceView>> {
  if (!status && !role && !q) return built(db, user, await listAllOf(db, user, page))
  let query = viewsOf(db, user)
  if (status) query = query.where(STATUS_IN_SQL, '=', status)
  if (role) query = query.where('member.role', '=', role)
  if (q) {
    const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    query = query.where(({ or, eb }) =>
      or([
        eb('service.name', 'ilike', part),
        eb('service.address', 'ilike', part),
        eb('product.name', 'ilike', part),
        eb('egg.name', 'ilike', part),
      ]),
    )
  }
  return built(db, user, await pageOf(query, page, 'member.serviceId'))
}

/** A page of services, with what options add to their servers. */
export async function built<P extends { data: ServiceView[] }>(
  db: Db,
  { tenantId }: Pick<UserKey, 'tenantId'>,
  page: P,
): Promise<P> {
  return { ...page, data: await withBuilds(db, tenantId, page.data) }
}

/** Some of a user's services, by their ids; those that are not theirs are left out. */
export async function findServicesOf(
  db: Db,
  user: UserKey,
  ids: readonly string[],
): Promise<ServiceView[]> {
  const rows = await viewsOf(db, user)
    .where('member.serviceId', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('member.serviceId', 'desc')
    .execute()
  return withBuilds(db, user.tenantId, rows)
}

const serviceOf = compiledFirst((db, { tenantId, userId, id }: UserKey & ServiceKey) =>
  views(db)
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', '=', userId)
    .where('member.serviceId', '=', id),
)

/** A service that a user has, own or shared. */
export async function findServiceOf(
  db: Db,
  { tenantId, userId }: UserKey,
  id: string,
): Promise<ServiceView | undefined> {
  const service = await serviceOf(db, { tenantId, userId, id })
  return service && (await withBuilds(db, tenantId, [service]))[0]
}

/** A user's own service. */
export async function findOwnService(db: Db, user: UserKey, id: string) {
  const service = await findServiceOf(db, user, id)
  return service?.role === 'owner' ? service : undefined
}

/** `statusOf` of the rules as SQL, for queries in which the table is named `service`. */
export const STATUS_IN_SQL = sql<ServiceStatus>`case
  when service.ended_at is not null then 'ended'
  when service.suspended_at is not null then 'suspended'
  when service.activated_at is not null then 'active'
  when service.failed_at is not null then 'failed'
  when service.paid_at is not null then 'provisioning'
  else 'pending' end`

export async function findServiceView(
  db: Db,
  { tenantId, id }: ServiceKey,
): Promise<ServiceView | undefined> {
  const rows = await views(db)
    .where('service.tenantId', '=', tenantId)
    .where('service.id', '=', id)
    .where('member.role', '=', 'owner')
    .execute()
  return (await withBuilds(db, tenantId, rows))[0]
}

export function findService(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.services')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The service with an external id, of any tenant that `db` may see. */
export function findServiceByExternalId(db: Db, externalId: string) {
  return db
    .selectFrom('services.services')
    .selectAll()
    .where('externalId', '=', externalId)
    .executeTakeFirst()
}

type ServerKey = { tenantId: string; nodeId: string; serverId: number }

/** Whether a server of a panel belongs to a service that has not ended. */
export async function hasService(tx: Tx, { tenantId, nodeId, serverId }: ServerKey) {
  const row = await tx
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .where('serverId', '=', serverId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export function lockService(tx: Tx, { tenantId, id }: ServiceKey) {
  return tx
    .selectFrom('services.services')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function lockServicesOfOrder(tx: Tx, tenantId: string, orderId: string) {
  return tx
    .selectFrom('services.services')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('orderId', '=', orderId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Paid services whose start is due, locked, with whether their money was given back. Services whose money the bank has
 * taken back or disputes are left out: they start once that is settled. Of every tenant.
 */
export function lockServicesToStart(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('services.services as service')
    .innerJoin('billing.invoices as invoice', (join) =>
      join
        .onRef('invoice.tenantId', '=', 'service.tenantId')
        .onRef('invoice.id', '=', 'service.invoiceId'),
    )
    .selectAll('service')
    .select(
      sql<boolean>`invoice.total_cents > 0 and invoice.credited_cents >= invoice.total_cents`.as(
        'isRefunded',
      ),
    )
    .where('service.startsAt', '<=', now)
    .where('service.paidAt', 'is', null)
    .where('service.endedAt', 'is', null)
    .where('service.endWantedAt', 'is', null)
    .where('invoice.status', '=', 'paid')
    .where('invoice.disputed', '=', false)
    .orderBy('service.startsAt')
    .limit(limit)
    .forUpdate('service')
    .skipLocked()
    .execute()
}

/** The open services of a customer that were ordered in this shop and are not paid in advance (R4.11). */
export function listNotPrepaid(db: Db, { tenantId, userId }: UserKey, now: Instant) {
  return db
    .selectFrom('services.services')
    .select(['interval', 'priceMicros', 'priceCents', 'currency'])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .where('orderId', 'is not', null)
    .where('endedAt', 'is', null)
    .where((it) =>
      it.or([
        it('interval', '=', 'hour'),
        it('valueCents', '=', cents(0)),
        it.and([
          it('trialDays', '>', 0),
          it.or([it('anchorAt', 'is', null), it('anchorAt', '>', now)]),
        ]),
      ]),
    )
    .orderBy('id')
    .execute()
}

export type NewServiceRow = Pick<
  ServiceRow,
  | 'tenantId'
  | 'id'
  | 'userId'
  | 'orderId'
  | 'orderItemId'
  | 'invoiceId'
  | 'productId'
  | 'planId'
  | 'name'
  | 'environment'
  | 'priceCents'
  | 'valueCents'
  | 'currency'
  | 'interval'
  | 'intervalCount'
  | 'trialDays'
  | 'priceMicros'
  | 'setupFeeCents'
  | 'locationId'
  | 'immediateStart'
  | 'externalId'
  | 'createdAt'
> & { coupons: readonly object[]; components?: ServiceRow['components'] }

/** A current setting of its product for the delivery. */
function ofProduct<C extends 'delivery' | 'periodStarts'>(
  column: C,
  { tenantId, productId }: Pick<ServiceRow, 'tenantId' | 'productId'>,
) {
  return sql<ServiceRow[C]>`(
    select ${sql.ref(column)} from store.products
    where tenant_id = ${tenantId} and id = ${productId})`
}

export async function insertServices(tx: Tx, rows: readonly NewServiceRow[]): Promise<void> {
  await tx
    .insertInto('services.services')
    .values(
      rows.map((row) => ({
        ...row,
        environment: json(row.environment),
        coupons: json(row.coupons),
        components: json(row.components ?? []),
        delivery: ofProduct('delivery', row),
        periodStarts: ofProduct('periodStarts', row),
      })),
    )
    .execute()
  await tx
    .insertInto('services.members')
    .values(
      rows.map(({ tenantId, userId, id, createdAt }) => ({
        ...{ tenantId, userId, createdAt },
        serviceId: id,
        role: 'owner' as const,
        permissions: [...MEMBER_PERMISSIONS],
      })),
    )
    .execute()
}

/** Which of these products were ever sold as a service. */
export async function listSoldAmong(
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('services.services')
    .select('productId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .execute()
  return new Set(rows.map(({ productId }) => productId))
}

export async function updateService(
  tx: Tx,
  { tenantId, id }: ServiceKey,
  {
    components,
    scheduledOptions,
    ...change
  }: Partial<Omit<ServiceRow, 'tenantId' | 'id' | 'environment' | 'coupons' | 'imported'>>,
): Promise<void> {
  await tx
    .updateTable('services.services')
    .set({
      ...change,
      ...(components && { components: json(components) }),
      ...(scheduledOptions !== undefined && {
        scheduledOptions: scheduledOptions && json(scheduledOptions),
      }),
    })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** Marks services whose panel connection was deleted as unmanaged from now on; they keep their rows. */
export async function detachFromNode(tx: Tx, tenantId: string, nodeId: string): Promise<void> {
  await tx
    .updateTable('services.services')
    .set({ nodeId: null })
    .where('tenantId', '=', tenantId)
    .where('nodeId', '=', nodeId)
    .execute()
  // That panel can no longer be asked whether a first server was deleted.
  await tx
    .updateTable('services.provisioning')
    .set({ leavingNodeId: null })
    .where('tenantId', '=', tenantId)
    .where('leavingNodeId', '=', nodeId)
    .where('doneAt', 'is', null)
    .execute()
}

/** How many services of an order are not active yet. */
export async function countWaiting(tx: Tx, tenantId: string, orderId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('services.services')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('orderId', '=', orderId)
    .where('activatedAt', 'is', null)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** How many services that have not ended are on each panel connection. */
export async function countOnNodes(
  db: Db,
  tenantId: string,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('services.counts')
    .select(['node', sql<number>`sum(services)::integer`.as('count')])
    .where('tenantId', '=', tenantId)
    .where('node', '=', sql<string>`any(${[...nodeIds]}::uuid[])`)
    .where('status', '<>', 'ended')
    .groupBy('node')
    .execute()
  return new Map(rows.map(({ node, count }) => [node, count]))
}

/** How many services that have not ended have each plan of a product; a plan without any is left out. */
export function countOfProduct(db: Db, tenantId: string, productId: string) {
  return db
    .selectFrom('services.services')
    .select(['planId', ({ fn }) => fn.countAll<number>().as('count')])
    .where('tenantId', '=', tenantId)
    .where('productId', '=', productId)
    .where('endedAt', 'is', null)
    .groupBy('planId')
    .execute()
}

/** How many services a person has, own and shared ones, in each status; a status without any is left out. */
export async function countByStatus(
  db: Db,
  { tenantId, userId }: UserKey,
): Promise<Partial<Record<ServiceStatus, number>>> {
  const rows = await db
    .selectFrom('services.members as member')
    .innerJoin('services.services as service', (join) =>
      join
        .onRef('service.tenantId', '=', 'member.tenantId')
        .onRef('service.id', '=', 'member.serviceId'),
    )
    .select([STATUS_IN_SQL.as('status'), ({ fn }) => fn.countAll<number>().as('count')])
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', '=', userId)
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** The numbers of a tenant's services by panel connection and state, as a trigger keeps them; null for no connection. */
export function countServices(
  db: Db,
  tenantId: string,
): Promise<{ nodeId: string | null; status: ServiceStatus; services: number }[]> {
  return read(db, COUNTS, [tenantId])
}

const COUNTS = `
  select nullif(node, '00000000-0000-0000-0000-000000000000') as "nodeId", status,
    sum(services)::integer as services
  from services.counts where tenant_id = $1 group by node, status
`

/** The owners of services of these products that have not ended, by their ids in order. */
export async function listCustomersOf(
  db: Db,
  { tenantId, productIds }: { tenantId: string; productIds: readonly string[] },
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('services.services')
    .select('userId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where('productId', '=', sql<string>`any(${[...productIds]}::uuid[])`)
    .where('paidAt', 'is not', null)
    .where('endedAt', 'is', null)
    .$if(after !== null, (it) => it.where('userId', '>', after ?? ''))
    .orderBy('userId')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}
