import { findInvoice, partsOf } from '#billing'
import { newId } from '#lib/id.ts'
import { type Cents, cents } from '#lib/money.ts'
import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'
import { insertChange, notedPerMonth } from './queries.ts'
import { isEarning, perMonth, withoutTax } from './rules.ts'

/**
 * Records the monthly recurring revenue of a locked service, if it has changed: called wherever it may
 * have. `invoiceId` is the invoice of its current period, which shows the tax that its price may
 * include; null if that period was not sold by this shop.
 */
export async function recordRecurringRevenue(
  tx: Tx,
  service: ServiceRow,
  invoiceId: string | null,
  now: Instant,
): Promise<void> {
  const { tenantId, id: serviceId, userId, currency } = service
  const wanted = await earnedPerMonth(tx, service, invoiceId)
  const changeCents = cents(wanted - (await notedPerMonth(tx, service)))
  if (changeCents === 0) return
  const row = { tenantId, id: newId(), serviceId, userId, currency, changeCents }
  await insertChange(tx, { ...row, createdAt: now })
}

async function earnedPerMonth(
  tx: Tx,
  service: ServiceRow,
  invoiceId: string | null,
): Promise<Cents> {
  if (!isEarning(service) || service.valueCents === 0) return cents(0)
  const { tenantId, id, productId, valueCents } = service
  const invoice = invoiceId ? await findInvoice(tx, { tenantId, invoiceId }) : undefined
  if (!invoiceId || invoice?.priceMode !== 'inclusive') return perMonth(valueCents, service)
  const { lines } = await partsOf(tx, { tenantId, invoiceId })
  const line =
    lines.find((it) => it.serviceId === id) ?? lines.find((it) => it.productId === productId)
  return perMonth(withoutTax(valueCents, line?.rateBasisPoints ?? null), service)
}
