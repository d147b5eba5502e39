import { Type } from 'typebox'
import { cents } from '#lib/money.ts'
import { Amount, Currency, Nullable, Resource } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import { answers, atOnce, FormatQuery, sendCsv, wantsCsv } from '#platform/http/table.ts'
import { listEndedServices, listRecurringBefore, listRecurringChanges } from '#services'
import { reading, tags } from '../access.ts'
import { PartOfSpan, partNamer, partsOf, type ReportSpan, SpanQuery, spanOf } from '../span.ts'
import { partsFrom, shareOf } from './rules.ts'

const Count = Type.Integer()
const Share = Nullable(
  Type.Integer({ description: 'In hundredths of a percent; null where there was nothing before' }),
)

const Mrr = Resource('RecurringRevenue', {
  data: Type.Array(
    Type.Object({
      ...PartOfSpan,
      currency: Currency,
      openingCents: { ...Amount, description: 'What customers brought in per month at its start' },
      newCents: { ...Amount, description: 'Of customers who never brought anything in before' },
      reactivationCents: { ...Amount, description: 'Of customers who came back' },
      expansionCents: { ...Amount, description: 'Of customers who bring in more' },
      contractionCents: { ...Amount, description: 'Of customers who bring in less; below 0' },
      churnCents: { ...Amount, description: 'Of customers who left; below 0' },
      closingCents: { ...Amount, description: 'The opening and all movements: at its end, or now' },
      customers: { ...Count, description: 'Who brought something in at its end' },
    }),
  ),
})

const MRR_COLUMNS = [
  ...(['startOn', 'endOn', 'currency', 'openingCents', 'newCents', 'reactivationCents'] as const),
  ...(['expansionCents', 'contractionCents', 'churnCents', 'closingCents', 'customers'] as const),
] as const

const Churn = Resource('ChurnReport', {
  data: Type.Array(
    Type.Object({
      ...PartOfSpan,
      currency: Currency,
      customersAtStart: Count,
      customersWon: { ...Count, description: 'Came for the first time, or back' },
      customersLost: Count,
      customersAtEnd: Count,
      customerChurnBasisPoints: Share,
      openingCents: { ...Amount, description: 'What customers brought in per month at its start' },
      lostCents: { ...Amount, description: 'Of it: of customers who left, or bring in less' },
      revenueChurnBasisPoints: Share,
      servicesEnded: { ...Count, description: 'Services that brought something in and ended' },
      servicesUnpaid: { ...Count, description: 'Of them: because an invoice was not paid' },
    }),
  ),
})

const CHURN_COLUMNS = [
  ...(['startOn', 'endOn', 'currency', 'customersAtStart', 'customersWon'] as const),
  ...(['customersLost', 'customersAtEnd', 'customerChurnBasisPoints', 'openingCents'] as const),
  ...(['lostCents', 'revenueChurnBasisPoints', 'servicesEnded', 'servicesUnpaid'] as const),
] as const

const querystring = Type.Object({ ...SpanQuery.properties, ...FormatQuery })

export const recurringRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/mrr',
    config: reading,
    schema: {
      tags,
      summary: 'Get monthly recurring revenue and its changes',
      description:
        'Without tax, after discounts. A year counts as twelve months, a week as 84 / 365.25 of one.',
      querystring,
      response: answers(Mrr),
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const parts = await readParts(db, tenantId, spanOf(query, now))
      const data = parts.map(({ movements, ...part }) => ({
        ...{ startOn: part.startOn, endOn: part.endOn, currency: part.currency },
        openingCents: part.openingCents,
        newCents: movements.new,
        reactivationCents: movements.reactivation,
        expansionCents: movements.expansion,
        contractionCents: movements.contraction,
        churnCents: movements.churn,
        closingCents: part.closingCents,
        customers: part.customersAtEnd,
      }))
      if (!wantsCsv(request)) return { data }
      const table = { name: 'mrr', columns: MRR_COLUMNS, batches: atOnce(data) }
      return sendCsv(request, reply, table, log)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/reports/churn',
    config: reading,
    schema: {
      tags,
      summary: 'Get churned customers and their monthly recurring revenue',
      querystring,
      response: answers(Churn),
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const span = spanOf(query, now)
      const parts = await readParts(db, tenantId, span)
      const ended = await readEnded(db, tenantId, span)
      const data = parts.map(({ movements, closingCents: _, ...part }) => {
        const lost = -(movements.churn + movements.contraction)
        const services = ended.get(`${part.startOn} ${part.currency}`)
        return {
          ...part,
          customerChurnBasisPoints: shareOf(part.customersLost, part.customersAtStart),
          lostCents: cents(lost),
          revenueChurnBasisPoints: shareOf(lost, part.openingCents),
          servicesEnded: services?.all ?? 0,
          servicesUnpaid: services?.unpaid ?? 0,
        }
      })
      if (!wantsCsv(request)) return { data }
      const table = { name: 'churn', columns: CHURN_COLUMNS, batches: atOnce(data) }
      return sendCsv(request, reply, table, log)
    },
  })
}

async function readParts(db: Db, tenantId: string, span: ReportSpan) {
  const named = partNamer(span)
  const openings = await listRecurringBefore(db, { tenantId, ...span })
  const changes = await listRecurringChanges(db, { tenantId, ...span })
  const inSpan = changes.map((it) => ({ ...it, startOn: named(it.startOn).startOn }))
  const startsOn = partsOf(span).map(({ startOn }) => startOn)
  return partsFrom(startsOn, openings, inSpan).map((part) => ({ ...part, ...named(part.startOn) }))
}

async function readEnded(db: Db, tenantId: string, span: ReportSpan) {
  const named = partNamer(span)
  const byPart = new Map<string, { all: number; unpaid: number }>()
  for (const row of await listEndedServices(db, { tenantId, ...span })) {
    const key = `${named(row.startOn).startOn} ${row.currency}`
    const counted = byPart.get(key) ?? { all: 0, unpaid: 0 }
    counted.all += row.services
    if (row.reason === 'unpaid') counted.unpaid += row.services
    byPart.set(key, counted)
  }
  return byPart
}
