import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { updateService } from '../queries.ts'
import { requestDelivery } from '../tasks/asking.ts'

/** The pending services on the lines of a paid invoice of another system, locked in the order of their ids. */
function lockOrdered(
  tx: Tx,
  { tenantId, invoiceId }: { readonly tenantId: string; readonly invoiceId: string },
) {
  return tx
    .selectFrom('services.services')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('imported', 'is not', null)
    .where('paidAt', 'is', null)
    .where('activatedAt', 'is', null)
    .where('endedAt', 'is', null)
    .where('id', 'in', (it) =>
      it
        .selectFrom('billing.invoice_lines as line')
        .innerJoin('billing.invoices as invoice', (join) =>
          join
            .onRef('invoice.tenantId', '=', 'line.tenantId')
            .onRef('invoice.id', '=', 'line.invoiceId'),
        )
        .select('line.serviceId')
        .$narrowType<{ serviceId: string }>()
        .where('line.tenantId', '=', tenantId)
        .where('line.invoiceId', '=', invoiceId)
        .where('line.serviceId', 'is not', null)
        .where('invoice.imported', 'is not', null)
        .where('invoice.status', '=', 'paid'),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Asks staff to deliver what was ordered in another system, after its invoice was paid here: nothing is known about how
 * that system delivered it. Its first period begins with the delivery. Runs twice harmlessly.
 */
export async function requestImportedOrder(
  tx: Tx,
  key: { readonly tenantId: string; readonly invoiceId: string },
  now: Instant,
): Promise<void> {
  for (const service of await lockOrdered(tx, key)) {
    const paid = { paidAt: now, delivery: 'manual', periodStarts: 'delivery' } as const
    await updateService(tx, service, paid)
    await requestDelivery(tx, { ...service, ...paid }, now)
  }
}
