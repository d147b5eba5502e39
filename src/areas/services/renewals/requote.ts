import {
  findInvoice,
  HOUSE_REASONS,
  type InvoiceRow,
  lineTextsFor,
  lockExpired,
  openInvoice,
  replaceQuote,
} from '#billing'
import { unprocessable } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Requote } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { findPlan, findProduct, priceFor } from '#store'
import { valuesOfLines, withValues } from '../components/rules.ts'
import { lockService, type ServiceRow, updateService } from '../queries.ts'
import { ofPeriod } from './billing.ts'
import { notifyOfInvoices } from './notices.ts'
import {
  listPeriodsOfInvoice,
  lockPeriod,
  type PeriodRow,
  startsWithCoupon,
  updatePeriod,
} from './queries.ts'
import { saleAt, worthOf } from './sale.ts'
import { liftNonPayment, rollService } from './settlement.ts'

/**
 * Computes the tax of a period's invoice as of now, if it has no number yet (R3.4). A service keeps its price (R4.10),
 * so price and coupons stay those of the invoiced period.
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
  await updatePeriod(tx, period, { invoiceId: opened.id, ...soldFor(period, document) })
  await tellOfNew(tx, { service, invoice: opened, period }, now)
  return { invoiceId: opened.id }
}

/**
 * Staff voided an invoice, or credited all of it, before its periods were paid. A service that goes on is not free: its
 * period gets another invoice at its price, taxed as of now, and stays due when it was. The period of a service that ends is
 * given up. Runs twice harmlessly.
 */
export async function billVoidedAgain(
  tx: Tx,
  { tenantId, invoiceId }: { tenantId: string; invoiceId: string },
  now: Instant,
): Promise<void> {
  const invoice = await findInvoice(tx, { tenantId, invoiceId })
  if (invoice?.status !== 'void') return
  for (const { id, serviceId } of await listPeriodsOfInvoice(tx, { tenantId, invoiceId })) {
    const service = await lockService(tx, { tenantId, id: serviceId })
    const period = await lockPeriod(tx, { tenantId, id })
    if (!service || period?.invoiceId !== invoiceId || period.paidAt || period.voidedAt) continue
    if (!goesOn(service) || period.isDebt) {
      await giveUp(tx, service, period, now)
      continue
    }
    const document = await documentOf(tx, service, period, now)
    const { userId, id: reference } = service
    const kind = 'renewal' as const
    const about = { tenantId, userId, kind, reference, dueAt: period.dueAt }
    const opened = await openInvoice(tx, { ...about, document }, now)
    const sold = { invoiceId: opened.id, ...soldFor(period, document) }
    await updatePeriod(tx, period, { ...sold, dunningAt: now })
    await tellOfNew(tx, { service, invoice: opened, period }, now)
  }
}

function goesOn({ endedAt, endWantedAt, cancelAtPeriodEnd, ...service }: ServiceRow): boolean {
  if (endedAt || endWantedAt || cancelAtPeriodEnd) return false
  return service.autoRenew || service.interval === 'hour'
}

async function giveUp(tx: Tx, service: ServiceRow, period: PeriodRow, now: Instant): Promise<void> {
  const voidReason = HOUSE_REASONS.voidedByStaff
  await updatePeriod(tx, period, { voidedAt: now, dunningAt: null, voidReason })
  // If the service is renewed after all, it gets this period again.
  if (!service.endedAt && !period.isDebt && service.invoicedTo === period.endsAt) {
    await updateService(tx, service, { invoicedTo: period.startsAt })
  }
  await rollService(tx, service, now)
  await liftNonPayment(tx, service, now)
}

type PeriodDocument = Awaited<ReturnType<typeof documentOf>>

function soldFor(period: PeriodRow, { lines }: PeriodDocument) {
  const valueCents = worthOf(lines, period.priceCents)
  return { valueCents, components: withValues(period.components, valuesOfLines(lines)) }
}

async function tellOfNew(
  tx: Tx,
  { service, invoice, period }: { service: ServiceRow; invoice: InvoiceRow; period: PeriodRow },
  now: Instant,
): Promise<void> {
  const of = { start: period.startsAt, end: period.endsAt }
  await notifyOfInvoices(tx, service.tenantId, [{ service, invoice, period: of }], now)
}

async function documentOf(tx: Tx, service: ServiceRow, sold: PeriodRow, now: Instant) {
  const { tenantId, productId, planId, priceCents, setupFeeCents, startsAt, endsAt } = sold
  const priced = { priceCents, setupFeeCents, components: sold.components }
  const product = await findProduct(tx, { tenantId, id: productId })
  const plan = await findPlan(tx, { tenantId, id: planId })
  if (!product || !plan)
    throw unprocessable('The plan of this service does not exist any more.', 'plan_gone')
  const n = (await startsWithCoupon(tx, service)).filter((it) => it <= startsAt).length
  const period = { start: startsAt, end: endsAt }
  const texts = await lineTextsFor(tx, service)
  const sale = saleAt(service, { product, plan, period, ...priced, n, texts })
  return ofPeriod(await priceFor(tx, { tenantId, ...sale }, now), service.id, period)
}
