import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { csvLine } from '#lib/csv.ts'
import { MAX_UNIT_PRICE_CENTS } from '#lib/money.ts'
import type { Db } from '#platform/database/index.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { type ListedAffiliate, listAffiliates, totalsOf } from './queries.ts'
import { statusOf } from './rules.ts'
import type { AffiliateTotals } from './schema.ts'

const tags: Tag[] = ['Affiliation']
const BATCH = 500

const COLUMNS = [
  ...['affiliateId', 'code', 'status', 'name', 'email', 'company', 'vatNumber', 'country'],
  ...['currency', 'pendingCents', 'availableCents', 'convertedCents', 'reversedCents'],
] as const

const ExportQuery = Type.Object({
  minimumCents: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_UNIT_PRICE_CENTS,
      default: 1,
      description: 'Only those who have at least so much available',
    }),
  ),
})

export const affiliateExportRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/affiliates/payouts',
    config: { access: 'admin', permission: 'affiliation:read' },
    schema: {
      tags,
      summary: 'Export available commissions as CSV: a line per affiliate and currency',
      produces: ['text/csv'],
      querystring: ExportQuery,
      response: { 200: Type.String() },
    },
    async handler({ tenantId, query, db, method }, reply) {
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="affiliate-payouts.csv"')
        .serializer((it: Readable) => it as never)
      if (method === 'HEAD') return reply.send(Readable.from([]) as never)
      async function* lines() {
        try {
          yield csvLine(COLUMNS)
          yield* batchesOf(db, tenantId, query.minimumCents ?? 1)
        } catch (error) {
          log.error({ err: error }, 'an export of payouts failed')
          throw error
        }
      }
      return reply.send(Readable.from(lines()) as never)
    },
  })
}

/** A batch of affiliates at a time: they are never in memory as a whole. */
async function* batchesOf(db: Db, tenantId: string, minimumCents: number): AsyncGenerator<string> {
  let cursor: string | null | undefined
  do {
    const wanted = { limit: BATCH, ...(cursor && { cursor }) }
    const page = await listAffiliates(db, tenantId, {}, wanted)
    const ids = page.data.map(({ id }) => id)
    const totals = await totalsOf(db, tenantId, ids)
    const lines = page.data.flatMap((affiliate) =>
      (totals.get(affiliate.id) ?? [])
        .filter(({ availableCents }) => availableCents >= minimumCents)
        .map((sums) => lineOf(affiliate, sums)),
    )
    if (lines.length > 0) yield lines.join('')
    cursor = page.nextCursor
  } while (cursor)
}

function lineOf(affiliate: ListedAffiliate, sums: AffiliateTotals): string {
  const { id, code, name, email, company, vatNumber, country } = affiliate
  const { currency, pendingCents, availableCents, convertedCents, reversedCents } = sums
  return csvLine([
    ...[id, code, statusOf(affiliate), name, email, company, vatNumber, country],
    ...[currency, pendingCents, availableCents, convertedCents, reversedCents],
  ])
}
