import { sql } from 'kysely'
import { boundary } from '#lib/periods.ts'
import { Problem } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { ServiceRow } from '../queries.ts'
import { salesFor } from '../renewals/billing.ts'
import { invoiceAtOf } from '../renewals/rules.ts'
import { tenantTermsOf } from '../renewals/tenant-terms.ts'
import { convertedPrices, formerModeOf, isConverted, type PriceTerms } from './prices.ts'
import { PERIOD } from './queries.ts'
import { RENEWS, type RunningPeriods } from './renewals.ts'

/** Why a service of an import is not billed by this shop. */
export const NOT_BILLED = [
  ...(['pending_order', 'does_not_recur', 'no_due_date', 'end_wanted', 'renews_already'] as const),
  ...(['not_priced'] as const),
] as const
export type NotBilled = (typeof NOT_BILLED)[number]

/** Warnings about a service before it renews. */
export const NOTICES = [
  ...(['invoiced_there', 'time_left_out', 'suspended_by_staff', 'subscription_elsewhere'] as const),
  ...([
    'group_discount',
    'promotion',
    'promotion_unclear',
    'price_converted',
    'tax_added',
  ] as const),
  ...(['no_server'] as const),
] as const
export type Notice = (typeof NOTICES)[number]

export type RenewalPreview = {
  serviceId: string
  formerId: string
  userId: string
  email: string
  name: string
  currency: string
  billed: boolean
  whyNot: NotBilled | null
  detail: string | null
  /** The first period that this shop invoices, and when that happens. */
  periodStart: Instant | null
  invoiceAt: Instant | null
  /** How many periods this shop invoices within the first 60 days. */
  invoices: number
  /** The price of a period in the old system, and in this shop. */
  oldCents: number
  newNetCents: number | null
  newTotalCents: number | null
  notices: Notice[]
}

type Which = { readonly tenantId: string; readonly importId: string }
export type PreviewTerms = PriceTerms & { readonly runningPeriods: RunningPeriods }

const HORIZON_DAYS = 60

type Facts = { id: string; email: string; covered: number; begun: boolean }

/**
 * Previews renewals of imported services as if they began now, keyset-paginated by id; services that have ended
 * are left out. Read-only.
 */
export async function previewRenewals(
  db: Db,
  which: PageOfImport,
  terms: PreviewTerms,
  now: Instant,
): Promise<RenewalPreview[]> {
  const all = await listTimed(db, which, terms, now)
  return pricedAll(db, which.tenantId, { all, terms }, now)
}

/** An invoice that renewals write within the first 60 days. Amounts are cents of `currency`. */
export type ExpectedInvoice = {
  serviceId: string
  userId: string
  currency: string
  planId: string
  startsAt: Instant
  invoiceAt: Instant
  /** The price of the period in the old system. */
  formerCents: number
  netCents: number
  totalCents: number
}

/**
 * The invoices of the first 60 days if renewals began now, for a page of imported services. `last` is the last
 * service of the page, and null at the end. Services that cannot be priced are left out. Read-only.
 */
export async function expectedInvoices(
  db: Db,
  which: PageOfImport,
  terms: PreviewTerms,
  now: Instant,
): Promise<{ invoices: ExpectedInvoice[]; last: string | null }> {
  const all = await listTimed(db, which, terms, now)
  const periods = all.flatMap(({ service, covered, number, preview }) =>
    number === null
      ? []
      : Array.from({ length: preview.invoices }, (_, count) => {
          return { service, covered: covered + count, number: number + count, preview }
        }),
  )
  const sales = await salesOf(db, which.tenantId, { timed: periods, terms }, now)
  const { leads } = await tenantTermsOf(db, which.tenantId)
  const invoices = periods.flatMap(({ service, number, preview }, index): ExpectedInvoice[] => {
    const sale = sales[index]
    const anchor = service.anchorAt ?? now
    const invoiceAt = invoiceAtOf({ anchor, cycle: service, leads }, number)
    if (!sale || 'failure' in sale || invoiceAt === null) return []
    const { netCents, totalCents } = sale.document
    const { id: serviceId, userId, currency, planId } = service
    const startsAt = boundary(anchor, service, number)
    const { oldCents: formerCents } = preview
    const amounts = { formerCents, netCents, totalCents }
    return [{ serviceId, userId, currency, planId, startsAt, invoiceAt, ...amounts }]
  })
  const last = all.length < which.limit ? null : (all.at(-1)?.service.id ?? null)
  return { invoices, last }
}

type PageOfImport = Which & { readonly after: string | null; readonly limit: number }

/** A page of the running services of an import, each with the first period that this shop invoices. */
async function listTimed(
  db: Db,
  { after, limit, ...which }: PageOfImport,
  terms: PreviewTerms,
  now: Instant,
): Promise<Timed[]> {
  const services = await listRunning(db, which, { after, limit })
  if (services.length === 0) return []
  const facts = await factsOf(db, which.tenantId, services)
  const { leads } = await tenantTermsOf(db, which.tenantId)
  return services.flatMap((service): Timed[] => {
    const known = facts.get(service.id)
    if (!known) return []
    const preview = basisOf(service, known, terms)
    const { anchorAt: anchor } = service
    const whyNot = whyNotBilled(service, known) ?? (anchor ? null : ('no_due_date' as const))
    const { covered } = known
    if (whyNot || !anchor) {
      return [{ service, covered, number: null, preview: { ...preview, whyNot } }]
    }
    const number = firstNumber(service, anchor, { ...known, ...terms }, now)
    const when = (it: number) => invoiceAtOf({ anchor, cycle: service, leads }, it)
    const periodStart = boundary(anchor, service, number)
    const timed = { periodStart, invoiceAt: when(number), invoices: countUntil(when, number, now) }
    return [{ service, covered, number, preview: { ...preview, ...timed } }]
  })
}

/**
 * A service, the number of periods that were invoiced before, and the number of the first period that this shop
 * invoices; null if there is none.
 */
type Timed = {
  service: ServiceRow
  covered: number
  number: number | null
  preview: RenewalPreview
}

/** A service whose coupons have counted for the periods that open invoices of the other system cover. */
function afterCovered(service: ServiceRow, covered: number): ServiceRow {
  const coupons = service.coupons.flatMap((coupon) => {
    const { durationCycles: cycles } = coupon
    if (typeof cycles !== 'number') return [coupon]
    return cycles > covered ? [{ ...coupon, durationCycles: cycles - covered }] : []
  })
  return { ...service, coupons }
}

/** How many invoices fall into the preview time, counted from the invoice of a period. */
function countUntil(when: (number: number) => Instant | null, first: number, now: Instant): number {
  const end = later(now, HORIZON_DAYS * DAY_MS)
  let count = 0
  for (let at = when(first); at !== null && at <= end; at = when(first + count)) count += 1
  return count
}

function listRunning(
  db: Db,
  { tenantId, importId }: Which,
  { after, limit }: { after: string | null; limit: number },
) {
  return db
    .selectFrom('services.services')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where(sql<string>`imported ->> 'importId'`, '=', importId)
    .where('imported', 'is not', null)
    .where('endedAt', 'is', null)
    .$if(after !== null, (it) => it.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()
}

async function factsOf(
  db: Db,
  tenantId: string,
  services: readonly ServiceRow[],
): Promise<ReadonlyMap<string, Facts>> {
  const covered = sql<number>`(
    select count(distinct invoice.id)::integer from billing.invoice_lines as line
    join billing.invoices as invoice
      on invoice.tenant_id = line.tenant_id and invoice.id = line.invoice_id
    where line.tenant_id = service.tenant_id and line.service_id = service.id
      and ${RENEWS} and invoice.status in ('open', 'paid')
      and coalesce(invoice.due_at >= service.anchor_at - ${PERIOD} / 2, true))`
  const begun = sql<boolean>`exists (select from services.periods as period
    where period.tenant_id = service.tenant_id and period.service_id = service.id)`
  const rows = await db
    .selectFrom('services.services as service')
    .innerJoin('users.users as person', (join) =>
      join
        .onRef('person.tenantId', '=', 'service.tenantId')
        .onRef('person.id', '=', 'service.userId'),
    )
    .select(['service.id', 'person.email', covered.as('covered'), begun.as('begun')])
    .where('service.tenantId', '=', tenantId)
    .where(
      'service.id',
      'in',
      services.map(({ id }) => id),
    )
    .execute()
  return new Map(rows.map((it) => [it.id, it]))
}

function whyNotBilled(service: ServiceRow, { begun }: Facts): NotBilled | null {
  if (begun || service.nextInvoiceAt) return 'renews_already'
  if (!service.activatedAt) return 'pending_order'
  if (service.interval === 'one_time' || service.interval === 'hour') return 'does_not_recur'
  if (service.imported?.cancel || service.endWantedAt) return 'end_wanted'
  return service.anchorAt ? null : 'no_due_date'
}

function basisOf(
  service: ServiceRow,
  { email, covered }: Facts,
  terms: PreviewTerms,
): RenewalPreview {
  const { id, userId, name, currency, imported, nodeId, suspendedAt } = service
  const discounts = (imported?.discount ?? '').split(',')
  const wanted: [Notice, boolean][] = [
    ['invoiced_there', covered > 0],
    ['suspended_by_staff', suspendedAt !== null && !(imported?.overdue && covered > 0)],
    ['subscription_elsewhere', Boolean(imported?.subscription)],
    ['group_discount', discounts.includes('group')],
    [
      'promotion',
      discounts.includes('promotion_apart') || discounts.includes('promotion_included'),
    ],
    ['promotion_unclear', discounts.includes('promotion_unclear')],
    ['price_converted', isConverted(service, terms)],
    ['no_server', nodeId === null],
  ]
  return {
    ...{ serviceId: id, formerId: imported?.formerId ?? '', userId, email, name, currency },
    ...{ billed: false, whyNot: null, detail: null, periodStart: null, invoiceAt: null },
    ...{
      invoices: 0,
      oldCents: imported?.amountCents ?? 0,
      newNetCents: null,
      newTotalCents: null,
    },
    notices: wanted.flatMap(([notice, holds]) => (holds ? [notice] : [])),
  }
}

/** The first period that the old system has not invoiced and that is not over, as in `planRenewals`. */
function firstNumber(
  service: ServiceRow,
  anchor: Instant,
  { covered, runningPeriods }: Pick<Facts, 'covered'> & Pick<PreviewTerms, 'runningPeriods'>,
  now: Instant,
): number {
  let number = 0
  while (boundary(anchor, service, number) <= now) number += 1
  const first = runningPeriods === 'invoice' && number > 0 ? number - 1 : number
  return Math.max(covered, first)
}

/** The previews with what the first period costs, in their order. */
async function pricedAll(
  db: Db,
  tenantId: string,
  { all, terms }: { all: readonly Timed[]; terms: PreviewTerms },
  now: Instant,
): Promise<RenewalPreview[]> {
  const billed = all.filter(({ number }) => number !== null)
  const sales = await salesOf(db, tenantId, { timed: billed, terms }, now)
  const shown = new Map(
    billed.map(({ service, covered, number, preview }, index) => {
      const sale = sales[index]
      const isGross = formerModeOf(service, terms.from) === 'inclusive'
      return [service.id, withPrice(preview, { sale, isGross, isLeftOut: (number ?? 0) > covered })]
    }),
  )
  return all.map(({ service, preview }) => shown.get(service.id) ?? preview)
}

/** What a period of each service costs in this shop, or the error that prevents it, in their order. */
async function salesOf(
  db: Db,
  tenantId: string,
  { timed, terms }: { timed: readonly Timed[]; terms: PreviewTerms },
  now: Instant,
): Promise<Sale[]> {
  const services = new Map(timed.map(({ service }) => [service.id, service]))
  const converted = [...services.values()].filter((it) => isConverted(it, terms))
  const found = await convertedPrices(db, tenantId, { services: converted, to: terms.to }, now)
  const priced = new Map(converted.map(({ id }, index) => [id, found[index]]))
  const prices = timed.map(({ service }) => priced.get(service.id))
  const periods = timed.map(({ service, covered, number }, index) => {
    const { productId, planId, anchorAt } = service
    const anchor = anchorAt ?? now
    const start = boundary(anchor, service, number ?? 0)
    const period = { start, end: boundary(anchor, service, (number ?? 0) + 1) }
    const price = prices[index]
    const sold = price && 'priceCents' in price ? { ...service, ...price } : service
    return {
      service: afterCovered(sold, covered),
      plan: { productId, planId, cycle: service, anchor },
      period,
      dueAt: start,
    }
  })
  const sales = await salesFor(db, tenantId, periods, now)
  return sales.map((sale, index) => {
    const price = prices[index]
    return price && 'failure' in price ? price : sale
  })
}

type Sale = Awaited<ReturnType<typeof salesFor>>[number] | { failure: unknown }

function withPrice(
  preview: RenewalPreview,
  { sale, isGross, isLeftOut }: { sale: Sale | undefined; isGross: boolean; isLeftOut: boolean },
): RenewalPreview {
  if (!sale) return { ...preview, whyNot: 'not_priced' }
  if ('failure' in sale) {
    if (!(sale.failure instanceof Problem)) throw sale.failure
    return { ...preview, whyNot: 'not_priced', detail: sale.failure.message }
  }
  const { netCents: newNetCents, totalCents: newTotalCents } = sale.document
  const isMore = isGross && newTotalCents > preview.oldCents
  const notices: Notice[] = [
    ...preview.notices,
    ...(isMore ? (['tax_added'] as const) : []),
    ...(isLeftOut ? (['time_left_out'] as const) : []),
  ]
  return { ...preview, billed: true, newNetCents, newTotalCents, notices }
}
