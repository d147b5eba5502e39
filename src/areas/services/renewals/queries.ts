import { sql } from 'kysely'
import type { Reason } from '#billing'
import type { Instant } from '#lib/time.ts'
import { type Db, json, type Row, type Tx } from '#platform/database/index.ts'
import { insertRows, updateRows } from '#platform/database/rows.ts'
import type { ServiceKey, ServiceRow } from '../queries.ts'

export type PeriodRow = Row<'services.periods'>
export type PeriodKey = Pick<PeriodRow, 'tenantId' | 'id'>

/** Services with a period to invoice. Those of a closed shop are left out, because payment is impossible there. */
function servicesToInvoice(db: Db, now: Instant) {
  return openShops(db, now)
    .where('endedAt', 'is', null)
    .where('endWantedAt', 'is', null)
    .where('activatedAt', 'is not', null)
    .where('suspendedAt', 'is', null)
    .where('suspendReasons', '=', sql<string[]>`'{}'`)
}

/** Services that end, or have ended, with metered hours that could not be invoiced then (R4.11). */
function endedToInvoice(db: Db, now: Instant) {
  return openShops(db, now).where('endWantedAt', 'is not', null)
}

function openShops(db: Db, now: Instant) {
  return db
    .selectFrom('services.services')
    .where('nextInvoiceAt', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tenants.tenants as tenant')
            .select('tenant.id')
            .whereRef('tenant.id', '=', 'services.services.tenantId')
            .where('tenant.closedAt', 'is not', null),
        ),
      ),
    )
}

/** Likewise for services that end, or have ended, locked; those that another run works on are left out. */
export function lockEndedToInvoice(tx: Tx, now: Instant, limit: number) {
  return endedToInvoice(tx, now)
    .selectAll()
    .orderBy('nextInvoiceAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Services with a period to invoice, oldest first, locked; those locked by others are left out. */
export function lockServicesToInvoice(tx: Tx, now: Instant, limit: number) {
  return servicesToInvoice(tx, now)
    .selectAll()
    .orderBy('nextInvoiceAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Which services have a period to invoice, oldest first; those that have ended come last. */
export async function listServicesToInvoice(db: Db, now: Instant, limit: number) {
  const oldestOf = (services: ReturnType<typeof openShops>) =>
    services.select(['tenantId', 'id']).orderBy('nextInvoiceAt').limit(limit).execute()
  const living = await oldestOf(servicesToInvoice(db, now))
  return living.length > 0 ? living : await oldestOf(endedToInvoice(db, now))
}

/** One service with a period to invoice, locked; undefined if it has none, or another transaction has locked it. */
export async function lockServiceToInvoice(tx: Tx, { tenantId, id }: ServiceKey, now: Instant) {
  const one = (services: ReturnType<typeof openShops>) =>
    services
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
  return (await one(servicesToInvoice(tx, now))) ?? (await one(endedToInvoice(tx, now)))
}

/** Writes what a run decided about locked services. */
export async function updateRenewals(tx: Tx, changes: readonly RenewalChange[]): Promise<void> {
  await updateRows(tx, 'services.services', ['tenantId', 'id'], changes)
}

/** Everything a run may change about a service. */
export type RenewalChange = Pick<
  ServiceRow,
  | 'tenantId'
  | 'id'
  | 'currentPeriodStart'
  | 'currentPeriodEnd'
  | 'invoicedTo'
  | 'nextInvoiceAt'
  | 'renewalFailure'
  | 'setupFeeCents'
  | 'components'
>

/** A customer whose services are invoiced soon, and when their VAT number was last checked with the register. */
export type VatNumberToRenew = {
  readonly tenantId: string
  readonly userId: string
  readonly vatNumber: string | null
  readonly checkedAt: Instant | null
}

/** Customers with a VAT number that is not being checked, who get an invoice before a given time. */
export function listVatNumbersToRenew(
  db: Db,
  { before, after }: { before: Instant; after: VatNumberToRenew | undefined },
  limit: number,
): Promise<VatNumberToRenew[]> {
  let query = db
    .selectFrom('users.users as person')
    .select(['person.tenantId', 'person.id as userId', 'person.vatNumber'])
    .select((it) =>
      it
        .selectFrom('users.vat_checks as checked')
        .select((eb) => eb.fn.max('checked.checkedAt').as('at'))
        .whereRef('checked.tenantId', '=', 'person.tenantId')
        .whereRef('checked.userId', '=', 'person.id')
        .whereRef('checked.vatNumber', '=', 'person.vatNumber')
        .as('checkedAt'),
    )
    .where('person.vatNumber', 'is not', null)
    .where('person.vatCheckAt', 'is', null)
    .where((it) =>
      it(
        it.refTuple('person.tenantId', 'person.id'),
        'in',
        it
          .selectFrom('services.services as service')
          .select(['service.tenantId', 'service.userId'])
          .where('service.nextInvoiceAt', '<=', before)
          .where('service.endedAt', 'is', null)
          .$asTuple('tenantId', 'userId'),
      ),
    )
  if (after) {
    query = query.where((it) =>
      it(it.refTuple('person.tenantId', 'person.id'), '>', it.tuple(after.tenantId, after.userId)),
    )
  }
  return query.orderBy('person.tenantId').orderBy('person.id').limit(limit).execute()
}

type NewPeriod = Pick<
  PeriodRow,
  | 'tenantId'
  | 'id'
  | 'serviceId'
  | 'startsAt'
  | 'endsAt'
  | 'invoiceId'
  | 'productId'
  | 'planId'
  | 'priceCents'
  | 'valueCents'
  | 'createdAt'
  | 'paidAt'
  | 'dueAt'
  | 'dunningAt'
> &
  Partial<Pick<PeriodRow, 'isDebt' | 'freePriceCents' | 'freeDays' | 'freeReason' | 'components'>>

/** Returns whether the period is new: a period that starts at the same time is invoiced only once (R4.5). */
export async function insertPeriod(
  tx: Tx,
  { components = [], ...row }: NewPeriod,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('services.periods')
    .values({ ...row, components: json(components) })
    .onConflict((it) => it.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Writes new periods; the database refuses a second one with the same start (R4.5). */
export async function insertPeriods(tx: Tx, rows: readonly NewPeriod[]): Promise<void> {
  await insertRows(tx, 'services.periods', rows)
}

type PeriodChange = Partial<Omit<PeriodRow, 'tenantId' | 'id' | 'serviceId' | 'voidReason'>> & {
  voidReason?: Reason
}

export async function updatePeriod(
  tx: Tx,
  { tenantId, id }: PeriodKey,
  { voidReason, components, ...change }: PeriodChange,
): Promise<void> {
  await tx
    .updateTable('services.periods')
    .set({
      ...change,
      ...(voidReason && { voidReason: json(voidReason) }),
      ...(components && { components: json(components) }),
    })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

export function findPeriod(db: Db, { tenantId, id }: PeriodKey) {
  return db
    .selectFrom('services.periods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A period, locked. Its service must be locked before it, everywhere. */
export function lockPeriod(tx: Tx, { tenantId, id }: PeriodKey) {
  return tx
    .selectFrom('services.periods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The periods and debts that an invoice is for; those given up are left out. */
export function listPeriodsOfInvoice(
  db: Db,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
) {
  return db
    .selectFrom('services.periods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', invoiceId)
    .where('voidedAt', 'is', null)
    .orderBy('serviceId')
    .orderBy('startsAt')
    .execute()
}

/** Why the periods of an invoice were given up; null if none was. */
export async function findVoidReason(
  db: Db,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
): Promise<Reason | null> {
  const row = await db
    .selectFrom('services.periods')
    .select('voidReason')
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', invoiceId)
    .where('voidedAt', 'is not', null)
    .orderBy('voidedAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return (row?.voidReason as Reason | null | undefined) ?? null
}

/**
 * The services that an invoice paid for and that may have no period for it: a service that was sold once or by the
 * hour, or whose period begins with the delivery, a change of a service, and a period whose worth was moved to another.
 */
export function listPaidWithoutPeriod(
  db: Db,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
): Promise<ServiceKey[]> {
  return db
    .selectFrom('services.services')
    .select(['tenantId', 'id'])
    .where('tenantId', '=', tenantId)
    .where((it) =>
      it.or([
        it('interval', 'in', ['one_time', 'hour']),
        it.and([it('periodStarts', '=', 'delivery'), it('anchorAt', 'is', null)]),
      ]),
    )
    .where('invoiceId', '=', invoiceId)
    .where('paidAt', 'is not', null)
    .union((it) =>
      it
        .selectFrom('services.upgrades')
        .select(['tenantId', 'serviceId as id'])
        .where('tenantId', '=', tenantId)
        .where('invoiceId', '=', invoiceId)
        .where('paidAt', 'is not', null)
        .where('failedAt', 'is', null),
    )
    .union((it) =>
      it
        .selectFrom('services.periods')
        .select(['tenantId', 'serviceId as id'])
        .where('tenantId', '=', tenantId)
        .where('invoiceId', '=', invoiceId)
        .where('paidAt', 'is not', null)
        .where('voidedAt', 'is not', null)
        .where('isDebt', '=', false),
    )
    .orderBy('id')
    .execute()
}

/** Periods that were paid and then given up, because their worth was moved to others; oldest first. */
export function listPaidGivenUp(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.periods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('voidedAt', 'is not', null)
    .where('paidAt', 'is not', null)
    .where('isDebt', '=', false)
    .orderBy('startsAt')
    .orderBy('id')
    .execute()
}

/** The periods of a service that count, oldest first. */
export function listPeriods(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.periods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('voidedAt', 'is', null)
    .where('isDebt', '=', false)
    .orderBy('startsAt')
    .orderBy('id')
    .execute()
}

/** Closes debts whose invoice was paid again: they become part of the period that begins now. */
export async function closePaidDebts(
  tx: Tx,
  { tenantId, id }: ServiceKey,
  now: Instant,
): Promise<void> {
  await tx
    .updateTable('services.periods')
    .set({ voidedAt: now })
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('isDebt', '=', true)
    .where('paidAt', 'is not', null)
    .where('voidedAt', 'is', null)
    .execute()
}

/** What a service owes: its periods and debts that count and are unpaid, oldest first. */
export function listUnpaid(db: Db, { tenantId, id }: ServiceKey) {
  return db
    .selectFrom('services.periods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('voidedAt', 'is', null)
    .where('paidAt', 'is', null)
    .orderBy('startsAt')
    .orderBy('id')
    .execute()
}

/** The period of a service that starts at a given time. */
export function findPeriodAt(db: Db, { tenantId, id }: ServiceKey, startsAt: Instant) {
  return db
    .selectFrom('services.periods')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .where('startsAt', '=', startsAt)
    .where('voidedAt', 'is', null)
    .where('isDebt', '=', false)
    .executeTakeFirst()
}

/**
 * The periods that coupons count: those that were invoiced, and not by the invoice of a change (R1.9). A period that
 * another cycle replaced in its first instant counts too: its coupon is used up with its invoice (R4.9).
 */
function periodsWithCoupon(db: Db, tenantId: string, serviceIds: readonly string[]) {
  return db
    .selectFrom('services.periods as period')
    .where('period.tenantId', '=', tenantId)
    .where('period.serviceId', '=', sql<string>`any(${[...serviceIds]}::uuid[])`)
    .where('isDebt', '=', false)
    .where('period.invoiceId', 'is not', null)
    .where(({ and, or, eb, exists, not, selectFrom }) => {
      const changes = selectFrom('services.upgrades as change')
        .select('change.id')
        .whereRef('change.tenantId', '=', 'period.tenantId')
        .where('change.appliedAt', 'is not', null)
      return and([
        not(exists(changes.whereRef('change.invoiceId', '=', 'period.invoiceId'))),
        or([
          eb('voidedAt', 'is', null),
          exists(
            changes
              .whereRef('change.serviceId', '=', 'period.serviceId')
              .whereRef('change.anchorAt', '=', 'period.startsAt'),
          ),
        ]),
      ])
    })
}

/** The starts of the periods of a service that coupons count, first one first. */
export async function startsWithCoupon(
  db: Db,
  { tenantId, id }: ServiceKey,
): Promise<readonly Instant[]> {
  const rows = await periodsWithCoupon(db, tenantId, [id])
    .select('startsAt')
    .orderBy('startsAt')
    .execute()
  return rows.map(({ startsAt }) => startsAt)
}

/** How many periods of each service coupons count; services without any are left out. */
export async function countInvoicedPeriods(
  db: Db,
  tenantId: string,
  serviceIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (serviceIds.length === 0) return new Map()
  const rows = await periodsWithCoupon(db, tenantId, serviceIds)
    .select(['period.serviceId', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('period.serviceId')
    .execute()
  return new Map(rows.map(({ serviceId, count }) => [serviceId, count]))
}

type Start = { readonly serviceId: string; readonly startsAt: Instant }

/** The services, among these, that have a counted period with the given start. */
export async function listStarted(
  db: Db,
  tenantId: string,
  starts: readonly Start[],
): Promise<ReadonlySet<string>> {
  const ids = starts.map(({ serviceId }) => serviceId)
  const instants = starts.map(({ startsAt }) => startsAt)
  const wanted = sql<Start>`unnest(${ids}::uuid[], ${instants}::timestamptz[])`
  const rows = await db
    .selectFrom('services.periods as period')
    .innerJoin(wanted.as<'wanted'>(sql`wanted(service_id, starts_at)`), (join) =>
      join
        .onRef('wanted.serviceId', '=', 'period.serviceId')
        .onRef('wanted.startsAt', '=', 'period.startsAt'),
    )
    .select('period.serviceId')
    .where('period.tenantId', '=', tenantId)
    .where('period.voidedAt', 'is', null)
    .where('period.isDebt', '=', false)
    .execute()
  return new Set(rows.map(({ serviceId }) => serviceId))
}

/** Unpaid periods whose next step is due, locked; concurrent runs take others. */
export function lockPeriodsToDun(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('services.periods')
    .select(['tenantId', 'id', 'dunningAt'])
    .where('dunningAt', '<=', now)
    .orderBy('dunningAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/** Periods of every tenant whose charge is to be tried again now, locked. */
export function lockPeriodsToCharge(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('services.periods')
    .select(['tenantId', 'id'])
    .where('chargeAgainAt', '<=', now)
    .orderBy('chargeAgainAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

/**
 * Services whose period is over, locked: the next one is paid, or there is none. Those that wait for payment of their
 * next period are left out.
 */
export function lockServicesToRoll(tx: Tx, now: Instant, limit: number) {
  return tx
    .selectFrom('services.services as service')
    .leftJoin('services.periods as next', (join) =>
      join
        .onRef('next.tenantId', '=', 'service.tenantId')
        .onRef('next.serviceId', '=', 'service.id')
        .onRef('next.startsAt', '=', 'service.currentPeriodEnd')
        .on('next.voidedAt', 'is', null)
        .on('next.isDebt', '=', false),
    )
    .selectAll('service')
    .where('service.currentPeriodEnd', '<=', now)
    .where('service.endedAt', 'is', null)
    .where('service.endWantedAt', 'is', null)
    .where('service.interval', '<>', 'hour')
    .where((it) =>
      it.or([
        it('next.paidAt', 'is not', null),
        it.and([
          it('next.id', 'is', null),
          it.or([it('service.cancelAtPeriodEnd', '=', true), it('service.autoRenew', '=', false)]),
        ]),
      ]),
    )
    .orderBy('service.currentPeriodEnd')
    .limit(limit)
    .forUpdate('service')
    .skipLocked()
    .execute()
}

/** The price changes of services, with the day from which each counts. */
export function listPriceChanges(db: Db, tenantId: string, serviceIds: readonly string[]) {
  return db
    .selectFrom('services.price_changes')
    .select(['serviceId', 'effectiveFrom', 'priceCents'])
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', sql<string>`any(${[...serviceIds]}::uuid[])`)
    .execute()
}

/** Deletes the announced prices of a service: it moves to a plan that they were not for. */
export async function deletePriceChanges(tx: Tx, { tenantId, id }: ServiceKey): Promise<void> {
  await tx
    .deleteFrom('services.price_changes')
    .where('tenantId', '=', tenantId)
    .where('serviceId', '=', id)
    .execute()
}

/** Raises, or lowers, the announced prices of a service by an amount. */
export async function movePriceChanges(
  tx: Tx,
  { tenantId, id }: ServiceKey,
  addsCents: number,
): Promise<void> {
  await sql`update services.price_changes set price_cents = greatest(0, price_cents + ${addsCents}::bigint)
    where tenant_id = ${tenantId} and service_id = ${id}`.execute(tx)
}

/** Stores an announced price; it replaces one for the same day. */
export async function upsertPriceChange(
  tx: Tx,
  row: Omit<Row<'services.price_changes'>, 'createdAt'> & { createdAt: Instant },
): Promise<void> {
  const { priceCents, createdAt } = row
  await tx
    .insertInto('services.price_changes')
    .values(row)
    .onConflict((it) =>
      it.columns(['tenantId', 'serviceId', 'effectiveFrom']).doUpdateSet({ priceCents, createdAt }),
    )
    .execute()
}
