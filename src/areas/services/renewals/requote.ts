import { findInvoice, lineTextsFor, lockExpired, replaceQuote } from '#billing'
import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Requote } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { findPlan, findProduct, priceFor } from '#store'
import { lockService, type ServiceRow } from '../queries.ts'
import { ofPeriod } from './billing.ts'
import { tellOfInvoices } from './notices.ts'
import {
  listPeriodsOfInvoice,
  lockPeriod,
  type PeriodRow,
  startsWithCoupon,
  updatePeriod,
} from './queries.ts'
import { saleAt, worthOf } from './sale.ts'

/**
 * Taxes the invoice of a period that has no number as of now (R3.4). A service keeps its price
 * (R4.10), so that and its coupons are what they were when the period was invoiced.
 */
export const requoteRenewal: Requote = async (
  tx,
  { tenantId, invoiceId, reference, pages },
  now,
) => {
  const service = reference ? await lockService(tx, { tenantId, id: reference }) : undefined
  const [found] = await listPeriodsOfInvoice(tx, { tenantId, invoiceId })
  const period = found && (await lockPeriod(tx, found))
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  if (!service || !period || period.paidAt || period.voidedAt) return null
  if (invoice?.status !== 'open' || invoice.number !== null) return null
  const document = await documentOf(tx, service, period, now)
  const expired = await lockExpired(tx, { tenantId, invoiceId, pages }, document)
  if (!expired) return null
  const opened = await replaceQuote(tx, expired, { document, dueAt: period.dueAt }, now)
  const valueCents = worthOf(document.lines, period.priceCents)
  await updatePeriod(tx, period, { invoiceId: opened.id, valueCents })
  await tellOfInvoices(
    tx,
    tenantId,
    [{ service, invoice: opened, period: { start: period.startsAt, end: period.endsAt } }],
    now,
  )
  return { invoiceId: opened.id }
}

async function documentOf(tx: Tx, service: ServiceRow, sold: PeriodRow, now: Instant) {
  const { tenantId, productId, planId, priceCents, setupFeeCents, startsAt, endsAt } = sold
  const product = await findProduct(tx, { tenantId, id: productId })
  const plan = await findPlan(tx, { tenantId, id: planId })
  if (!product || !plan)
    throw unprocessable('The plan of this service does not exist any more.', 'plan_gone')
  const n = (await startsWithCoupon(tx, service)).filter((it) => it <= startsAt).length
  const period = { start: startsAt, end: endsAt }
  const texts = await lineTextsFor(tx, service)
  const sale = saleAt(service, { product, plan, period, priceCents, setupFeeCents, n, texts })
  return ofPeriod(await priceFor(tx, { tenantId, ...sale }, now), service.id, period)
}
