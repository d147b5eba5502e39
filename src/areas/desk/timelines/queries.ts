import type { TimelineObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The objects whose events are those of this one: an order has an invoice too. Empty if it does not exist. */
export async function objectsOf(
  db: Db,
  { tenantId, kind, id }: TimelineObject,
): Promise<TimelineObject[]> {
  if (kind === 'order') {
    const order = await db
      .selectFrom('orders.orders')
      .select('invoiceId')
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!order) return []
    return [
      { tenantId, kind, id },
      { tenantId, kind: 'invoice', id: order.invoiceId },
    ]
  }
  const row = await db
    .selectFrom(kind === 'service' ? 'services.services' : 'billing.invoices')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? [{ tenantId, kind, id }] : []
}
