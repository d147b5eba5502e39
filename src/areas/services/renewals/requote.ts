import { findInvoice, lockExpired, replaceQuote } from '#billing'
import type { Requote } from '#platform/area.ts'
import { lockService } from '../queries.ts'
import { documentOfPeriod } from './billing.ts'
import { listPeriods, listPeriodsOfInvoice, lockPeriod, updatePeriod } from './queries.ts'
import { tellOfInvoice } from './run.ts'

/**
 * Taxes the invoice of a period that has no number as of now (R3.4). A service keeps its price
 * (R4.10), so that and its coupons are what they were when the period was invoiced.
 */
export const requoteRenewal: Requote = async (tx, { tenantId, invoiceId, reference }, now) => {
  const service = reference ? await lockService(tx, { tenantId, id: reference }) : undefined
  const [found] = await listPeriodsOfInvoice(tx, { tenantId, invoiceId })
  const period = found && (await lockPeriod(tx, found))
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  if (!service || !period || period.paidAt || period.voidedAt) return null
  if (invoice?.status !== 'open' || invoice.number !== null) return null
  const { productId, planId, priceCents, setupFeeCents, startsAt, endsAt } = period
  const invoiced = await listPeriods(tx, service)
  const n = invoiced.filter((it) => it.invoiceId && it.startsAt <= startsAt).length
  const sold = { productId, planId, priceCents, setupFeeCents, n }
  const ofPeriod = { ...sold, period: { start: startsAt, end: endsAt } }
  const { document, valueCents } = await documentOfPeriod(tx, service, ofPeriod, now)
  const expired = await lockExpired(tx, { tenantId, invoiceId }, document)
  if (!expired) return null
  const opened = await replaceQuote(tx, expired, { document, dueAt: period.dueAt }, now)
  await updatePeriod(tx, period, { invoiceId: opened.id, valueCents })
  await tellOfInvoice(tx, service, opened, now)
  return { invoiceId: opened.id }
}
