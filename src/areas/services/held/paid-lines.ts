import type { PeriodRow } from '../renewals/queries.ts'
import type { MadeChange } from '../upgrades/queries.ts'
import type { Cost, Costs } from './costs.ts'
import type { PaidLine } from './rules.ts'

/**
 * What was paid for periods of a service, by the id of each: its own invoice without a setup fee, and
 * what changes of plan charged and credited for it, in the tenant's price mode (R4.9). A period is left
 * out when no invoice tells what it cost.
 */
export function paidLinesOf(
  periods: readonly PeriodRow[],
  changes: readonly MadeChange[],
  costs: Costs,
): ReadonlyMap<string, readonly PaidLine[]> {
  return new Map(
    periods.flatMap((period) => {
      const paid = linesOfPeriod(period, changes, costs)
      return paid.length > 0 ? [[period.id, paid]] : []
    }),
  )
}

function linesOfPeriod(
  { invoiceId, startsAt: start, endsAt: end, createdAt }: PeriodRow,
  changes: readonly MadeChange[],
  { invoiceOf, ofInvoice, ofChange }: Costs,
): PaidLine[] {
  // Before changes noted what they cost for each period, only the period's value was known.
  const isUnknown = changes.some(
    ({ parts, appliedAt }) => parts === null && appliedAt !== null && appliedAt >= createdAt,
  )
  if (isUnknown) return []
  const isSoldByChange = changes.some((it) => it.invoiceId !== null && it.invoiceId === invoiceId)
  const invoice = isSoldByChange ? undefined : invoiceOf(invoiceId)
  // The first line of the service is the period; another is a setup fee.
  const own = invoice ? ofInvoice(invoice).slice(0, 1) : []
  const changed = changes.flatMap((change) =>
    ofChange(change, change.parts ?? []).filter(({ part }) => part.endsAt === end),
  )
  return [
    ...own.map((cost) => lineOf(cost, { start, end })),
    ...changed.map(({ part, ...cost }) => lineOf(cost, { start: part.startsAt, end })),
  ]
}

function lineOf({ charged, refunded }: Cost, span: PaidLine['span']): PaidLine {
  return { netCents: charged.netCents, refundedCents: refunded.netCents, span }
}
