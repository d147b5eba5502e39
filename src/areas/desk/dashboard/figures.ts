import { listSalesByDay } from '#ledger'
import { cents, sumCents } from '#lib/money.ts'
import { day, dayOf, type Instant, instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import { countServices, listRecurringBefore, listRecurringChanges } from '#services'
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
  const [sales, overdue, counts, nodes] = await Promise.all([
    salesOf(db, tenantId, now),
    sumOverdue(db, tenantId, now),
    countServices(db, tenantId),
    listNodes(db, tenantId),
  ])
  const services = { pending: 0, provisioning: 0, active: 0, suspended: 0, failed: 0, ended: 0 }
  const onNodes = new Map<string, number>()
  for (const { nodeId, status, services: count } of counts) {
    services[status] += count
    if (nodeId && status !== 'ended') onNodes.set(nodeId, (onNodes.get(nodeId) ?? 0) + count)
  }
  return {
    ...{ at: now, sales, overdue, services },
    nodes: nodes.map((node) => ({ ...node, services: onNodes.get(node.id) ?? 0 })),
  }
}

/** Sales of today and of this month, and changes of recurring revenue, by currency. */
async function salesOf(db: Db, tenantId: string, now: Instant): Promise<Figures['sales']> {
  const today = dayOf(now)
  const from = instant(`${today.slice(0, 7)}-01T00:00:00.000Z`)
  const to = instant(new Date(Date.parse(now) + 1).toISOString())
  const [revenue, before, changes] = await Promise.all([
    listSalesByDay(db, { tenantId, startOn: day(from.slice(0, 10)), endOn: today }),
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
      todayCents: sumCents(own(revenue).flatMap((it) => (it.day === today ? [it.netCents] : []))),
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
