import { sql } from 'kysely'
import { type Db, read } from '#platform/database/index.ts'

/** Services whose use was not billed, and services that run without a scheduled payment. */
export async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  for (const { id } of await listUnbilledHours(db, tenantId)) {
    yield `Service ${id} has ended, and hours that it was used are on no invoice.`
  }
  for (const { id, serviceId } of await listLostPeriods(db, tenantId)) {
    yield `Period ${id} of service ${serviceId} was used and has no line on an invoice.`
  }
  for (const { id } of await listUneven(db, tenantId)) {
    yield `What is beside the plan of service ${id} costs or is worth more than the whole service.`
  }
  for (const { id } of await listForgotten(db, tenantId)) {
    yield `Service ${id} is active, and no invoice is to come for it.`
  }
  for (const { id, currentPeriodEnd } of await listBeyondPaidTime(db, tenantId)) {
    yield `Service ${id} is active, though its paid time ended at ${currentPeriodEnd} and nothing is due for it.`
  }
  for (const { id } of await listRefundedAndRunning(db, tenantId)) {
    yield `Service ${id} was refunded because it had failed, and it is active.`
  }
  for (const { status, node, kept, counted } of await listWrongCounts(db, tenantId)) {
    yield `The number of ${status} services of panel connection ${node ?? '(none)'} is kept as ${kept}, and there are ${counted}.`
  }
}

type WrongCount = { status: string; node: string | null; kept: number; counted: number }

/** Numbers of services that a trigger keeps and that are not those of the services: always none. */
function listWrongCounts(db: Db, tenantId: string): Promise<WrongCount[]> {
  return read(db, WRONG_COUNTS, [tenantId])
}

const WRONG_COUNTS = `
  select status, nullif(node, '00000000-0000-0000-0000-000000000000') as node,
    coalesce(kept.services, 0)::integer as kept, coalesce(counted.services, 0)::integer as counted
  from (
    select node, status, sum(services) as services
    from services.counts where tenant_id = $1 group by node, status
  ) as kept
  full join (
    select coalesce(node_id, '00000000-0000-0000-0000-000000000000') as node,
      services.status_of(service) as status, count(*) as services
    from services.services as service where tenant_id = $1 group by 1, 2
  ) as counted using (node, status)
  where coalesce(kept.services, 0) <> coalesce(counted.services, 0)
  order by status, node
`

/** Services whose components do not fit into their price, or into what their period is worth. */
function listUneven(db: Db, tenantId: string) {
  const sumOf = (field: string) => sql`(select sum((part ->> ${field})::bigint)
    from jsonb_array_elements(components) as part)`
  return db
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('components', '<>', sql<never>`'[]'`)
    .where(
      sql<boolean>`price_cents < ${sumOf('priceCents')} or value_cents < ${sumOf('valueCents')}`,
    )
    .orderBy('id')
    .execute()
}

/** Metered services that have ended and were used for longer than is invoiced, with no run scheduled to invoice it. */
function listUnbilledHours(db: Db, tenantId: string) {
  return db
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('interval', '=', 'hour')
    .where('endedAt', 'is not', null)
    .where('nextInvoiceAt', 'is', null)
    .where('activatedAt', 'is not', null)
    .where(
      sql<boolean>`invoiced_to + interval '1 second' <= least(end_wanted_at, suspended_at, server_lost_at)`,
    )
    .orderBy('id')
    .execute()
}

/**
 * Periods that count as sold, and have no invoice with lines. A first period of another cycle that cost no more than
 * the value held is left out: it was paid with the invoices before it.
 */
function listLostPeriods(db: Db, tenantId: string) {
  return (
    db
      .selectFrom('services.periods as period')
      .innerJoin('services.services as service', (join) =>
        join
          .onRef('service.tenantId', '=', 'period.tenantId')
          .onRef('service.id', '=', 'period.serviceId'),
      )
      .select(['period.id', 'period.serviceId'])
      .where('period.tenantId', '=', tenantId)
      .where('period.voidedAt', 'is', null)
      .where('period.valueCents', '>', sql<never>`0`)
      // What a change cost for free days is on the invoice of the change.
      .where('period.freePriceCents', 'is', null)
      .where('service.imported', 'is', null)
      .where((it) =>
        it.not(
          it.exists(
            it
              .selectFrom('billing.invoice_lines as line')
              .select('line.invoiceId')
              .whereRef('line.tenantId', '=', 'period.tenantId')
              .whereRef('line.invoiceId', '=', 'period.invoiceId'),
          ),
        ),
      )
      .where((it) =>
        it.not(
          it.exists(
            it
              .selectFrom('services.upgrades as change')
              .select('change.id')
              .whereRef('change.tenantId', '=', 'period.tenantId')
              .whereRef('change.serviceId', '=', 'period.serviceId')
              .whereRef('change.anchorAt', '=', 'period.startsAt')
              .where('change.invoiceId', 'is', null)
              .where('change.appliedAt', 'is not', null),
          ),
        ),
      )
      .orderBy('period.id')
      .execute()
  )
}

/** Services that were refunded after a failure and are active: a late answer of a panel must not activate them. */
function listRefundedAndRunning(db: Db, tenantId: string) {
  return db
    .selectFrom('services.services as service')
    .innerJoin('services.provisioning as way', (join) =>
      join.onRef('way.tenantId', '=', 'service.tenantId').onRef('way.serviceId', '=', 'service.id'),
    )
    .select('service.id')
    .where('service.tenantId', '=', tenantId)
    .where('way.refundedAt', 'is not', null)
    .where('service.activatedAt', 'is not', null)
    .where('service.endedAt', 'is', null)
    .where('service.endWantedAt', 'is', null)
    .orderBy('service.id')
    .execute()
}

/** Active services that are billed more than once, apart from those whose renewal is known to fail, by id. */
function runningServices(db: Db, tenantId: string) {
  return db
    .selectFrom('services.services as service')
    .select('service.id')
    .where('service.tenantId', '=', tenantId)
    .where('service.interval', '<>', 'one_time')
    .where('service.activatedAt', 'is not', null)
    .where('service.suspendedAt', 'is', null)
    .where('service.suspendReasons', '=', sql<string[]>`'{}'`)
    .where('service.endedAt', 'is', null)
    .where('service.endWantedAt', 'is', null)
    .where('service.renewalFailure', 'is', null)
    .orderBy('service.id')
}

/** Active services that are to be renewed but have no invoice date or period for it, without a reason. */
function listForgotten(db: Db, tenantId: string) {
  return (
    runningServices(db, tenantId)
      .where('service.cancelAtPeriodEnd', '=', false)
      .where('service.autoRenew', '=', true)
      // Imported services wait until their host begins renewals.
      .where((it) =>
        it.or([it('service.imported', 'is', null), it('service.nextInvoiceAt', 'is not', null)]),
      )
      .where((it) =>
        it.or([
          it('service.nextInvoiceAt', 'is', null),
          it('service.currentPeriodEnd', 'is', null),
        ]),
      )
      .execute()
  )
}

/**
 * Active services whose paid time has been over for a day while no invoice is due: neither was the next period sold,
 * nor did the service end, although it may not renew.
 */
function listBeyondPaidTime(db: Db, tenantId: string) {
  return (
    runningServices(db, tenantId)
      .select('service.currentPeriodEnd')
      // Those with no invoice to come are named by `listForgotten`, or wait until their host begins renewals.
      .where((it) =>
        it.or([
          it('service.nextInvoiceAt', 'is not', null),
          it.and([
            it('service.imported', 'is', null),
            it.or([
              it('service.cancelAtPeriodEnd', '=', true),
              it('service.autoRenew', '=', false),
            ]),
          ]),
        ]),
      )
      .where(sql<boolean>`service.current_period_end < now() - interval '1 day'`)
      // A paid period that begins then is missing its move, which is a fault too.
      .where((it) =>
        it.not(
          it.exists(
            it
              .selectFrom('services.periods as period')
              .innerJoin('billing.invoices as invoice', (join) =>
                join
                  .onRef('invoice.tenantId', '=', 'period.tenantId')
                  .onRef('invoice.id', '=', 'period.invoiceId'),
              )
              .select('period.id')
              .whereRef('period.tenantId', '=', 'service.tenantId')
              .whereRef('period.serviceId', '=', 'service.id')
              .where('period.paidAt', 'is', null)
              .where('period.voidedAt', 'is', null)
              .where('invoice.status', '<>', 'paid'),
          ),
        ),
      )
      .execute()
  )
}
