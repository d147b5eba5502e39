import { Type } from 'typebox'
import { listTrialBalance } from '#ledger'
import { cents, sumCents } from '#lib/money.ts'
import { Amount, Currency, OneOf, Resource, Timestamp } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { answers, atOnce, FormatQuery, sendCsv, wantsCsv } from '#platform/http/table.ts'
import { reading, tags } from '../access.ts'
import { AtQuery, atOf } from '../at.ts'
import { endOfPart, PartOfSpan } from '../span.ts'
import { listDeferred } from './queries.ts'

const Deferred = Resource('DeferredRevenue', {
  at: Timestamp,
  totals: Type.Array(
    Type.Object({
      currency: Currency,
      bookedCents: { ...Amount, description: 'Revenue as the books have it' },
      recognizedCents: { ...Amount, description: 'Of it: earned, because its time is over' },
      deferredCents: { ...Amount, description: 'Of it: for a time to come' },
    }),
  ),
  schedule: Type.Array(
    Type.Object({
      ...PartOfSpan,
      currency: Currency,
      recognizedCents: {
        ...Amount,
        description: 'What will be earned in it; all add up to deferred',
      },
    }),
  ),
})

const COLUMNS = ['startOn', 'endOn', 'currency', 'recognizedCents'] as const

export const deferredRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/deferred-revenue',
    config: reading,
    schema: {
      tags,
      summary: 'Get deferred revenue and when it is earned',
      description:
        'Each line is earned evenly over the seconds of its period, without tax and less credit ' +
        'notes; a line without a period when it is issued. CSV holds the schedule.',
      querystring: Type.Object({
        ...AtQuery,
        interval: Type.Optional(OneOf(['month', 'quarter'], 'By default `month`')),
        ...FormatQuery,
      }),
      response: answers(Deferred),
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const { interval = 'month' } = query
      const at = atOf(query, now)
      const parts = await listDeferred(db, { tenantId, at }, interval)
      const schedule = parts.map(({ startOn, ...part }) => ({
        startOn,
        endOn: endOfPart(startOn, interval),
        ...part,
      }))
      if (wantsCsv(request)) {
        const table = { name: 'deferred-revenue', columns: COLUMNS, batches: atOnce(schedule) }
        return sendCsv(request, reply, table, log)
      }
      const accounts = await listTrialBalance(db, { tenantId, at })
      const totals = accounts
        .filter(({ code }) => code === 'revenue')
        .map(({ currency, balanceCents }) => {
          const own = parts.filter((part) => part.currency === currency)
          const deferredCents = sumCents(own.map((part) => part.recognizedCents))
          const bookedCents = cents(-balanceCents)
          const recognizedCents = cents(bookedCents - deferredCents)
          return { currency, bookedCents, recognizedCents, deferredCents }
        })
      return { at, totals, schedule }
    },
  })
}
