import { Type } from 'typebox'
import { listRevenue } from '#ledger'
import { Amount, Currency, Resource } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import { answers, atOnce, FormatQuery, sendCsv, wantsCsv } from '#platform/http/table.ts'
import { reading, tags } from '../access.ts'
import { PartOfSpan, partNamer, SpanQuery, spanOf } from '../span.ts'

const Revenue = Resource('RevenueReport', {
  data: Type.Array(
    Type.Object({
      ...PartOfSpan,
      currency: Currency,
      invoicedCents: { ...Amount, description: 'Invoices that were issued, without tax' },
      creditedCents: { ...Amount, description: 'Credit notes that were issued, without tax' },
      netCents: { ...Amount, description: 'Invoiced less credited' },
      taxCents: { ...Amount, description: 'Tax on invoices less tax on credit notes' },
      refundedCents: {
        ...Amount,
        description: 'Money of paid invoices that went back or became credit, tax included',
      },
    }),
  ),
})

const COLUMNS = [
  ...(['startOn', 'endOn', 'currency', 'invoicedCents', 'creditedCents', 'netCents'] as const),
  ...(['taxCents', 'refundedCents'] as const),
] as const

export const revenueRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/revenue',
    config: reading,
    schema: {
      tags,
      summary: 'Get booked revenue by period; periods without a sale are omitted',
      querystring: Type.Object({ ...SpanQuery.properties, ...FormatQuery }),
      response: answers(Revenue),
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const span = spanOf(query, now)
      const named = partNamer(span)
      const rows = await listRevenue(db, { tenantId, ...span })
      const data = rows.map(({ startOn, ...row }) => ({ ...named(startOn), ...row }))
      if (!wantsCsv(request)) return { data }
      const table = { name: 'revenue', columns: COLUMNS, batches: atOnce(data) }
      return sendCsv(request, reply, table, log)
    },
  })
}
