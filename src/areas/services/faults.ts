import { sql } from 'kysely'
import type { Db } from '#platform/database/index.ts'

/** Services whose use was not billed, and services that run without a payment to come. */
export async function* faults(db: Db, tenantId: string): AsyncIterable<string> {
  for (const { id } of await listUnbilledHours(db, tenantId)) {
    yield `Service ${id} has ended, and hours that it was used are on no invoice.`
  }
  for (const { id, serviceId } of await listLostPeriods(db, tenantId)) {
    yield `Period ${id} of service ${serviceId} was used and has no line on an invoice.`
  }
  for (const { id } of await listForgotten(db, tenantId)) {
    yield `Service ${id} is active, and no invoice is to come for it.`
  }
}

/** Metered services that have ended and were used for longer than is invoiced, with no run to come. */
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
 * Periods that count as sold, and have no invoice with lines. That of another cycle which cost no more than
 * the value held is paid with the invoices before it.
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

/** Active services that are to be renewed and have no date or no period for it, without a reason. */
function listForgotten(db: Db, tenantId: string) {
  return (
    db
      .selectFrom('services.services as service')
      .select('service.id')
      .where('service.tenantId', '=', tenantId)
      .where('service.interval', '<>', 'one_time')
      .where('service.activatedAt', 'is not', null)
      .where('service.suspendedAt', 'is', null)
      .where('service.suspendReasons', '=', sql<string[]>`'{}'`)
      .where('service.endedAt', 'is', null)
      .where('service.endWantedAt', 'is', null)
      .where('service.cancelAtPeriodEnd', '=', false)
      .where('service.autoRenew', '=', true)
      .where('service.renewalFailure', 'is', null)
      // What was taken over waits until its host begins renewals.
      .where((it) =>
        it.or([it('service.imported', 'is', null), it('service.nextInvoiceAt', 'is not', null)]),
      )
      .where((it) =>
        it.or([
          it('service.nextInvoiceAt', 'is', null),
          it('service.currentPeriodEnd', 'is', null),
        ]),
      )
      .orderBy('service.id')
      .execute()
  )
}
