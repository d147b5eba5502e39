import { sql } from 'kysely'
import { kindOf, type NamedObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'

/** The objects of this area with these ids, with their names. */
export function objectsAmong(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<NamedObject[]> {
  const invoices = db
    .selectFrom('billing.invoices')
    .select(['id', sql<string>`coalesce(number, '')`.as('name'), kindOf('invoice')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const creditNotes = db
    .selectFrom('billing.credit_notes')
    .select(['id', 'number as name', kindOf('credit_note')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const gateways = db
    .selectFrom('billing.gateways')
    .select(['id', 'name', kindOf('gateway')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  const payments = db
    .selectFrom('billing.payments')
    .select(['id', 'providerPaymentId as name', kindOf('payment')])
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
  return invoices.unionAll(creditNotes).unionAll(gateways).unionAll(payments).execute()
}
