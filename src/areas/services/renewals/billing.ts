import { type InvoiceRow, type NewIssued, openInvoices } from '#billing'
import { newId } from '#lib/id.ts'
import type { Period } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { type priceFor, pricesFor } from '#store'
import { missingOf, shopNotReady } from '#tenants'
import { valuesOfLines, withValues } from '../components/rules.ts'
import { insertPeriods, listStarted } from './queries.ts'
import { type PeriodSale, saleFactsFor, saleOf, type ToBill, worthOf } from './sale.ts'

/**
 * The outcome for a period that was to be invoiced: its invoice, `known` if it has one already (R4.5), or why it cannot
 * be invoiced.
 */
export type Outcome =
  | { readonly invoice: InvoiceRow }
  | { readonly known: true }
  | { readonly failure: unknown }

/**
 * Invoices periods of services of one tenant that are locked, at most one per service. Prices and taxes are computed
 * before anything is written: a failure for one period does not affect the others. The outcomes are in the order of the
 * periods. The caller stores how far each service is invoiced.
 */
export async function billPeriods(
  tx: Tx,
  tenantId: string,
  toBill: readonly ToBill[],
  now: Instant,
): Promise<Outcome[]> {
  if (toBill.length === 0) return []
  const missing = await missingOf(tx, tenantId)
  if (missing.length > 0) {
    const failure = shopNotReady(missing, 'staff')
    return toBill.map(() => ({ failure }))
  }
  const sold = await salesFor(tx, tenantId, toBill, now)
  const starts = toBill.map(({ service, period }) => {
    return { serviceId: service.id, startsAt: period.start }
  })
  const started = await listStarted(tx, tenantId, starts)
  const fresh = sold.filter((it) => 'document' in it && !started.has(it.service.id)) as Sold[]
  const invoices = await openInvoices(tx, tenantId, fresh.map(invoiceOf), now)
  await insertPeriods(
    tx,
    fresh.map((it, index) => periodOf(it, invoices[index]?.id ?? null, now)),
  )
  const made = new Map(fresh.map(({ service }, index) => [service.id, invoices[index]]))
  return sold.map((it) => {
    if ('failure' in it) return { failure: it.failure }
    const invoice = made.get(it.service.id)
    return invoice ? { invoice } : { known: true }
  })
}

/** The documents of the invoices of periods as of now; throws the error that prevents one from being priced. */
export async function documentsFor(
  db: Db,
  tenantId: string,
  toBill: readonly ToBill[],
  now: Instant,
) {
  return (await salesFor(db, tenantId, toBill, now)).map((it) => {
    if ('failure' in it) throw it.failure
    return it.document
  })
}

type Priced = Awaited<ReturnType<typeof priceFor<PeriodSale['lines'][number]>>>
type Sold = ToBill & { sale: PeriodSale; document: Priced }
type Failed = ToBill & { failure: unknown }

/** What periods are sold for, in their order, each with its document or with the error that prevents its pricing. */
export async function salesFor(
  db: Db,
  tenantId: string,
  toBill: readonly ToBill[],
  now: Instant,
): Promise<(Sold | Failed)[]> {
  const facts = await saleFactsFor(db, tenantId, toBill)
  const withSales = toBill.map((it) => attempted(it, () => ({ sale: saleOf(it, facts) })))
  const sales = withSales.flatMap((it) => ('sale' in it ? it.sale : []))
  const price = await pricesFor(db, { tenantId, sales }, now)
  return withSales.map((it) =>
    'sale' in it ? attempted(it, () => ({ document: price(it.sale) })) : it,
  )
}

/** Adds to a period the result of `work` or, if it throws, the error. */
function attempted<T extends ToBill, R extends object>(
  it: T,
  work: () => R,
): (T & R) | (T & { failure: unknown }) {
  try {
    return { ...it, ...work() }
  } catch (failure) {
    return { ...it, failure }
  }
}

function invoiceOf({ service, period, dueAt, document }: Sold): NewIssued {
  const { id: reference, userId } = service
  return {
    userId,
    kind: 'renewal',
    reference,
    dueAt,
    document: ofPeriod(document, reference, period),
  }
}

/** A priced period whose lines have the service and the time that they are for. */
export function ofPeriod<L extends object, D extends { readonly lines: readonly L[] }>(
  document: D,
  serviceId: string,
  { start: periodStart, end: periodEnd }: Period,
) {
  const lines = document.lines.map((line) => ({ ...line, serviceId, periodStart, periodEnd }))
  return { ...document, lines }
}

function periodOf(
  { service, plan, period, dueAt, sale, document }: Sold,
  invoiceId: string | null,
  now: Instant,
) {
  const { tenantId, id: serviceId, setupFeeCents } = service
  const { productId, planId } = plan
  const { priceCents, components } = sale
  return {
    ...{ tenantId, id: newId(), serviceId, startsAt: period.start, endsAt: period.end },
    ...{
      invoiceId,
      productId,
      planId,
      priceCents,
      setupFeeCents,
      valueCents: worthOf(document.lines, priceCents),
      components: withValues(components, valuesOfLines(document.lines)),
    },
    ...{ createdAt: now, paidAt: null, dueAt, dunningAt: now },
  }
}
