import { allocate, cents } from '#lib/money.ts'
import type { PeriodRow } from '../renewals/queries.ts'
import type { MadeChange } from '../upgrades/queries.ts'
import type { Cost, Costs } from './costs.ts'
import type { PaidLine } from './rules.ts'

/**
 * What was paid for periods of a service, by the id of each: its own invoice without fees, and what changes of plan
 * charged and credited for it, in the tenant's price mode (R4.9). A period is left out if no invoice shows what it
 * cost.
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
  // Before changes recorded what they cost for each period, only the period's value was known.
  const isUnknown = changes.some(
    ({ parts, appliedAt }) => parts === null && appliedAt !== null && appliedAt >= createdAt,
  )
  if (isUnknown) return []
  const isSoldByChange = changes.some((it) => it.invoiceId !== null && it.invoiceId === invoiceId)
  const invoice = isSoldByChange ? undefined : invoiceOf(invoiceId)
  const own = invoice ? ofInvoice(invoice).filter(({ isPeriod }) => isPeriod) : []
  const changed = changes.flatMap((change) =>
    ofChange(change, change.parts ?? []).filter(({ part }) => part.endsAt === end),
  )
  return [
    ...own.map((cost) => ({ ...lineOf(cost, { start, end }), component: cost.component })),
    ...changed.flatMap(({ part, ...cost }) =>
      byComponent(lineOf(cost, { start: part.startsAt, end }), part.components),
    ),
  ]
}

/** What a change cost for a period, by component if the change recorded that; a refund is spread like the cost. */
function byComponent(
  line: PaidLine,
  components: NonNullable<MadeChange['parts']>[number]['components'],
): PaidLine[] {
  const parts = Object.entries(components ?? {})
  if (parts.length === 0) return [line]
  const nets = parts.map(([, it]) => cents(it.chargeCents - it.creditCents))
  const weights = nets.map((net) => Math.max(0, net))
  const isSpread = weights.some((weight) => weight > 0)
  const refunds = allocate(isSpread ? line.refundedCents : 0, weights)
  return parts.map(([component], index) => ({
    ...line,
    netCents: nets[index] ?? cents(0),
    refundedCents: refunds[index] ?? cents(0),
    component,
  }))
}

function lineOf({ charged, refunded }: Cost, span: PaidLine['span']): PaidLine {
  return { netCents: charged.netCents, refundedCents: refunded.netCents, span }
}
