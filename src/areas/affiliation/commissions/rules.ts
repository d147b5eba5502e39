import type { CreditShare, InvoiceLineRow, InvoiceRow } from '#billing'
import { type Cents, cents, portion, rateOf } from '#lib/money.ts'
import { boundary } from '#lib/periods.ts'
import type { Instant } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import type { RateRow } from '../rates/queries.ts'
import type { CommissionStatus } from './schema.ts'

export type CommissionRow = Row<'affiliation.commissions'>

type Money = Pick<InvoiceRow, 'status' | 'paidCents' | 'refundedCents' | 'reversedCents'>

/** How much of an invoice was paid in cash and not taken back by a bank, in cents (R6.3). */
export function cashOf({ paidCents, reversedCents }: Money, credit: CreditShare): Cents {
  return cents(Math.max(0, paidCents - reversedCents - credit.paidCents))
}

/**
 * How much cash of an invoice remains, less refunds. A refund to the customer's credit
 * first gives back what credit had paid (R6.4).
 */
function cashHeld(invoice: Money, credit: CreditShare): Cents {
  const { paidCents, refundedCents, reversedCents } = invoice
  const creditBack = Math.min(credit.paidCents, credit.refundedCents)
  return cents(paidCents - reversedCents - credit.paidCents - refundedCents + creditBack)
}

/**
 * How much of a commission is reversed, in cents: the same share as of the cash was refunded, all of
 * it while a lost chargeback leaves the invoice unpaid (R6.4). Depends only on the present state,
 * so events may repeat and come in any order.
 */
export function reversedOf(
  { amountCents, cashCents }: Pick<CommissionRow, 'amountCents' | 'cashCents'>,
  invoice: Money,
  credit: CreditShare,
): Cents {
  if (invoice.status !== 'paid') return amountCents
  const gone = Math.min(cashCents, Math.max(0, cashCents - cashHeld(invoice, credit)))
  return portion(amountCents, gone, cashCents)
}

type Line = Pick<InvoiceLineRow, 'productId' | 'netCents' | 'quantity'>
type Rate = Pick<RateRow, 'productId' | 'type' | 'percentBasisPoints' | 'amountCents' | 'currency'>

/** A paid invoice, and the commission rates of its products. */
export type Sale = {
  readonly invoice: Pick<InvoiceRow, 'netCents' | 'totalCents' | 'currency'>
  readonly lines: readonly Line[]
  readonly rates: readonly Rate[]
  /** The rate for products without a rate of their own. */
  readonly usualBasisPoints: number
}

/**
 * The commission on this amount of cash, in cents (R6.3). The net of the cash is spread over the lines; each
 * rate rounds once, on the sum of its lines. A fixed amount is per unit, in proportion to what was paid
 * in cash, and never more than the net amount paid for it.
 */
export function commissionOn(
  { invoice, lines, rates, usualBasisPoints }: Sale,
  cashCents: Cents,
): { baseCents: Cents; amountCents: Cents } {
  const { netCents, totalCents, currency } = invoice
  if (totalCents === 0) return { baseCents: cents(0), amountCents: cents(0) }
  const share = (amount: number) => portion(amount, cashCents, totalCents)
  const known = new Map(rates.map((rate) => [rate.productId, rate]))
  let passed = 0
  let amount = 0
  for (const [rate, group] of groupsOf(lines, known, currency)) {
    const net = group.reduce((sum, line) => sum + line.netCents, 0)
    // Differences of rounded running sums, so that the parts add up to the base.
    const base = share(passed + net) - share(passed)
    passed += net
    if (rate?.type === 'fixed' && rate.amountCents !== null) {
      const units = group.reduce((sum, { quantity }) => sum + Math.max(0, quantity), 0)
      amount += Math.min(Math.max(0, base), share(rate.amountCents * units))
    } else amount += rateOf(base, rate?.percentBasisPoints ?? usualBasisPoints)
  }
  return { baseCents: share(netCents), amountCents: cents(Math.max(0, amount)) }
}

/** Lines grouped by rate: equal percentages together, fixed amounts by product. */
function groupsOf(
  lines: readonly Line[],
  known: ReadonlyMap<string, Rate>,
  currency: string,
): [Rate | undefined, Line[]][] {
  const groups = new Map<string, [Rate | undefined, Line[]]>()
  for (const line of lines) {
    const own = line.productId === null ? undefined : known.get(line.productId)
    const rate = own?.type === 'fixed' && own.currency !== currency ? undefined : own
    const name = rate?.type === 'fixed' ? rate.productId : `${rate?.percentBasisPoints ?? 'usual'}`
    const group = groups.get(name) ?? [rate, []]
    group[1].push(line)
    groups.set(name, group)
  }
  return [...groups.values()]
}

/**
 * Whether a payment at `at` may earn commission (R6.3): with `first` only the first one, else those
 * within this many months of the first commission; 0 means without end.
 */
export function mayEarn(
  { payments, recurringMonths }: { payments: 'first' | 'recurring'; recurringMonths: number },
  firstCommissionAt: Instant | null,
  at: Instant,
): boolean {
  if (firstCommissionAt === null) return true
  if (payments === 'first') return false
  if (recurringMonths === 0) return true
  const month = { interval: 'month', intervalCount: 1 } as const
  return at < boundary(firstCommissionAt, month, recurringMonths)
}

/** Derived from amounts and dates; never stored. */
export function statusOf(
  commission: Pick<CommissionRow, 'amountCents' | 'reversedCents' | 'maturedAt'>,
): CommissionStatus {
  if (commission.reversedCents === commission.amountCents) return 'reversed'
  return commission.maturedAt ? 'available' : 'pending'
}

/** A commission with its status. */
export function withStatus<C extends CommissionRow>(commission: C) {
  return { ...commission, status: statusOf(commission) }
}
