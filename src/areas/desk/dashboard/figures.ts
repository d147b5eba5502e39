import { listRevenue } from '#ledger'
import { cents, sumCents } from '#lib/money.ts'
import { dayOf, type Instant, instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { countAllByStatus, listRecurringBefore, listRecurringChanges } from '#services'
import { listNodes, sumOverdue } from './queries.ts'
import type { Dashboard } from './schema.ts'

export type Figures = {
  readonly at: Instant
  readonly sales: NonNullable<Dashboard['sales']>
  readonly overdue: NonNullable<Dashboard['overdue']>
  readonly services: NonNullable<Dashboard['services']>
  readonly nodes: NonNullable<Dashboard['nodes']>
}

/** The aggregated figures of the dashboard. */
async function figuresOf(db: Db, tenantId: string, now: Instant): Promise<Figures> {
  const [sales, overdue, services, nodes] = await Promise.all([
    salesOf(db, tenantId, now),
    sumOverdue(db, tenantId, now),
    countAllByStatus(db, tenantId),
    listNodes(db, tenantId),
  ])
  const none = { pending: 0, provisioning: 0, active: 0, suspended: 0, failed: 0, ended: 0 }
  return { at: now, sales, overdue, services: { ...none, ...services }, nodes }
}

/** Sales of today and of this month, and changes of recurring revenue, by currency. */
async function salesOf(db: Db, tenantId: string, now: Instant): Promise<Figures['sales']> {
  const today = dayOf(now)
  const from = instant(`${today.slice(0, 7)}-01T00:00:00.000Z`)
  const to = instant(new Date(Date.parse(now) + 1).toISOString())
  const [revenue, before, changes] = await Promise.all([
    listRevenue(db, { tenantId, from, to, interval: 'day' }),
    listRecurringBefore(db, { tenantId, from }),
    listRecurringChanges(db, { tenantId, from, to, interval: 'month' }),
  ])
  const currencies = new Set([...revenue, ...before, ...changes].map(({ currency }) => currency))
  return [...currencies].sort().map((currency) => {
    const own = <T extends { currency: string }>(rows: readonly T[]) =>
      rows.filter((it) => it.currency === currency)
    const [opening] = own(before)
    const moves = own(changes)
    const people = (rows: typeof moves) => rows.reduce((sum, { customers }) => sum + customers, 0)
    const customersWon = people(moves.filter((it) => !it.before && it.after))
    const customersLost = people(moves.filter((it) => it.before && !it.after))
    return {
      currency,
      todayCents: sumCents(
        own(revenue).flatMap(({ startOn, netCents }) => (startOn === today ? [netCents] : [])),
      ),
      monthCents: sumCents(own(revenue).map(({ netCents }) => netCents)),
      mrrCents: sumCents([
        opening?.monthlyCents ?? cents(0),
        ...moves.map(({ changeCents }) => changeCents),
      ]),
      customers: (opening?.customers ?? 0) + customersWon - customersLost,
      ...{ customersWon, customersLost },
    }
  })
}

/** How long the figures are cached: the cost of reading them grows with the shop. */
const FRESH_MS = 30_000
const MOST_REMEMBERED = 500

type Remembered = { askedAt: Instant; figures: Promise<Figures> }

/** Figures cached for half a minute for all callers. */
export function rememberedFigures(): typeof figuresOf {
  const known = new Map<string, Remembered>()
  return (db, tenantId, now) => {
    const last = known.get(tenantId)
    if (last && Math.abs(Date.parse(now) - Date.parse(last.askedAt)) < FRESH_MS) return last.figures
    const figures = figuresOf(db, tenantId, now)
    known.delete(tenantId)
    known.set(tenantId, { askedAt: now, figures })
    figures.catch(() => known.delete(tenantId))
    const [oldest] = known.keys()
    if (known.size > MOST_REMEMBERED && oldest) known.delete(oldest)
    return figures
  }
}
