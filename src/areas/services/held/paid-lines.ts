import { type InvoiceRow, listInvoicesById, partsOfAll } from '#billing'
import { type Cents, cents, portion, sumCents } from '#lib/money.ts'
import type { Db } from '#platform/database/index.ts'
import { listUnits } from '../operators/queries.ts'
import type { ServiceRow } from '../queries.ts'
import type { PeriodRow } from '../renewals/queries.ts'
import { partOf } from '../shares.ts'
import { listMadeChanges, type MadeChange } from '../upgrades/queries.ts'
import { refundedOf } from './queries.ts'
import { type PaidLine, refundedParts, refundedShares } from './rules.ts'

type Line = Awaited<ReturnType<typeof partsOfAll>>['lines'][number]
type Units = Awaited<ReturnType<typeof listUnits>>

type Facts = {
  readonly changes: readonly MadeChange[]
  readonly invoices: ReadonlyMap<string, InvoiceRow>
  readonly linesOf: ReadonlyMap<string, readonly Line[]>
  readonly units: Units
  /** How much of each invoice was refunded or credited, other than for a change or an end. */
  readonly refunded: ReadonlyMap<string, Cents>
}

/**
 * What was paid for periods of a service, by the id of each: its own invoice without a setup fee, and
 * what changes of plan charged and credited for it, in the tenant's price mode (R4.9). A period is left
 * out when no invoice tells what it cost.
 */
export async function paidLinesOf(
  db: Db,
  service: ServiceRow,
  periods: readonly PeriodRow[],
): Promise<ReadonlyMap<string, readonly PaidLine[]>> {
  const { tenantId, id } = service
  const changes = await listMadeChanges(db, service)
  const ids = [...periods, ...changes].flatMap(({ invoiceId }) => invoiceId ?? [])
  const invoiceIds = [...new Set(ids)]
  const invoices = await listInvoicesById(db, tenantId, invoiceIds)
  const { lines } = await partsOfAll(db, tenantId, invoiceIds)
  const facts = {
    changes,
    invoices: new Map(invoices.map((it) => [it.id, it])),
    linesOf: Map.groupBy(lines, ({ invoiceId }) => invoiceId),
    units: await listUnits(db, tenantId, [id]),
    refunded: await refundedOf(db, tenantId, invoices),
  }
  return new Map(
    periods.flatMap((period) => {
      const paid = linesOfPeriod(service, period, facts)
      return paid.length > 0 ? [[period.id, paid]] : []
    }),
  )
}

function linesOfPeriod(service: ServiceRow, period: PeriodRow, facts: Facts): PaidLine[] {
  const { changes } = facts
  // Before changes noted what they cost for each period, only the period's value was known.
  const isUnknown = changes.some(
    ({ parts, appliedAt }) => parts === null && appliedAt !== null && appliedAt >= period.createdAt,
  )
  if (isUnknown) return []
  const own = changes.some(({ invoiceId }) => invoiceId !== null && invoiceId === period.invoiceId)
    ? []
    : ownLine(service, period, facts)
  return [...own, ...changes.flatMap((change) => changedLines(change, period, facts))]
}

/** The line of the period on its own invoice: the first one of the service; another is a setup fee. */
function ownLine(
  service: ServiceRow,
  { invoiceId, startsAt: start, endsAt: end }: PeriodRow,
  { invoices, linesOf, units, refunded }: Facts,
): PaidLine[] {
  const invoice = invoices.get(invoiceId ?? '')
  // What tax the lines of another system hold is not known.
  if (!invoice || invoice.imported) return []
  const lines = linesOf.get(invoice.id) ?? []
  const amounts = lines.map(amountsOf)
  const shares = refundedShares(refunded.get(invoice.id) ?? cents(0), amounts)
  for (const [index, line] of lines.entries()) {
    const netCents = partOf(service, line, amounts[index]?.netCents ?? cents(0), units)
    if (netCents === undefined) continue
    const refundedCents = partOf(service, line, shares[index] ?? cents(0), units) ?? cents(0)
    return [{ netCents, refundedCents, span: { start, end } }]
  }
  return []
}

/** What a change charged less what it credited for the period, and what was refunded of that. */
function changedLines(
  { parts, invoiceId, creditCents }: MadeChange,
  { endsAt }: PeriodRow,
  { invoices, linesOf, refunded }: Facts,
): PaidLine[] {
  if (!parts?.some((part) => part.endsAt === endsAt)) return []
  const invoice = invoices.get(invoiceId ?? '')
  const netCents = sumCents(
    (linesOf.get(invoiceId ?? '') ?? []).map((it) => amountsOf(it).netCents),
  )
  const back = refunded.get(invoiceId ?? '') ?? 0
  const refundedCents = back > 0 ? portion(netCents, back, invoice?.totalCents ?? 1) : cents(0)
  const creditedApart = invoiceId !== null && creditCents !== null && creditCents > 0
  const shares = refundedParts(refundedCents, parts, { creditedApart })
  return parts.flatMap(({ startsAt, ...part }, index) => {
    if (part.endsAt !== endsAt) return []
    const span = { start: startsAt, end: endsAt }
    const net = cents(part.chargeCents - part.creditCents)
    return { netCents: net, refundedCents: shares[index] ?? cents(0), span }
  })
}

/** Amounts of an invoice's line in the tenant's price mode, and with tax. */
function amountsOf({ subtotalCents, discountCents, totalCents }: Line) {
  return { netCents: cents(subtotalCents - discountCents), totalCents }
}
