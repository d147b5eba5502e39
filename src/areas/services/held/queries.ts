import { sql } from 'kysely'
import type { InvoiceRow } from '#billing'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { ServiceKey } from '../queries.ts'

/** Records how much of an invoice was credited because a service changed or ended. */
export async function insertGivenBack(
  tx: Tx,
  { tenantId, id: serviceId }: ServiceKey,
  { invoiceId, amountCents }: { invoiceId: string; amountCents: Cents },
  now: Instant,
): Promise<void> {
  const row = { tenantId, id: newId(), serviceId, invoiceId, amountCents, createdAt: now }
  await tx.insertInto('services.given_back').values(row).execute()
}

/** How much of each invoice was credited because a service changed or ended, tax included. */
async function givenBackOf(
  db: Db,
  tenantId: string,
  invoiceIds: readonly string[],
): Promise<ReadonlyMap<string, Cents>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('services.given_back')
    .select(['invoiceId', sql<Cents>`sum(amount_cents)::bigint`.as('amountCents')])
    .where('tenantId', '=', tenantId)
    .where('invoiceId', '=', sql<string>`any(${[...invoiceIds]}::uuid[])`)
    .groupBy('invoiceId')
    .execute()
  return new Map(rows.map(({ invoiceId, amountCents }) => [invoiceId, amountCents]))
}

/** How much of each invoice was refunded or credited, other than because a service changed or ended. */
export async function refundedOf(
  db: Db,
  tenantId: string,
  invoices: readonly Pick<InvoiceRow, 'id' | 'creditedCents'>[],
): Promise<ReadonlyMap<string, Cents>> {
  const ids = invoices.map(({ id }) => id)
  const givenBack = await givenBackOf(db, tenantId, ids)
  return new Map(
    invoices.map(({ id, creditedCents }) => {
      return [id, cents(Math.max(0, creditedCents - (givenBack.get(id) ?? 0)))]
    }),
  )
}
