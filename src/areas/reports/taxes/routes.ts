import { Type } from 'typebox'
import { listOssSales, listTaxes } from '#billing'
import { Amount, Country, Currency, DayOn, Nullable, OneOf, Rate, Resource } from '#lib/schema.ts'
import { EU_COUNTRIES } from '#lib/vat.ts'
import type { Routes } from '#platform/http/index.ts'
import { answers, atOnce, FormatQuery, sendCsv, wantsCsv } from '#platform/http/table.ts'
import { taxSettings } from '#store'
import { settingsOf } from '#tenants'
import { reading, tags } from '../access.ts'
import { PartOfSpan, partNamer, SpanQuery, spanOf } from '../span.ts'
import { QUARTER, quarterNameOf, quarterOf } from './rules.ts'

const Taxes = Resource('TaxReport', {
  data: Type.Array(
    Type.Object({
      ...PartOfSpan,
      currency: Currency,
      country: { ...Country, description: 'Whose VAT law decided on the tax' },
      category: OneOf(
        ['S', 'AE', 'O', 'E'],
        'EN 16931: taxed, reverse charge, outside the scope, exempt',
      ),
      rateBasisPoints: Nullable(Rate),
      invoicedNetCents: { ...Amount, description: 'Base of the invoices issued' },
      invoicedTaxCents: Amount,
      creditedNetCents: { ...Amount, description: 'Base of the credit notes issued' },
      creditedTaxCents: Amount,
      netCents: { ...Amount, description: 'Invoiced less credited' },
      taxCents: Amount,
    }),
  ),
})

const TAX_COLUMNS = [
  ...(['startOn', 'endOn', 'currency', 'country', 'category', 'rateBasisPoints'] as const),
  ...(['invoicedNetCents', 'invoicedTaxCents', 'creditedNetCents', 'creditedTaxCents'] as const),
  ...(['netCents', 'taxCents'] as const),
] as const

const OssReturn = Resource('OssReturn', {
  quarter: Type.String(),
  startOn: DayOn,
  endOn: DayOn,
  sales: Type.Array(
    Type.Object({
      country: { ...Country, description: 'The member state of consumption' },
      rateBasisPoints: Rate,
      currency: Currency,
      netCents: { ...Amount, description: 'The base, less credit notes of the same quarter' },
      taxCents: Amount,
    }),
  ),
  corrections: Type.Array(
    Type.Object({
      country: Country,
      quarter: { ...Type.String(), description: 'The quarter of the sale that was credited' },
      rateBasisPoints: Rate,
      currency: Currency,
      netCents: { ...Amount, description: 'Below 0' },
      taxCents: { ...Amount, description: 'Below 0' },
    }),
  ),
})

const OSS_COLUMNS = [
  ...(['kind', 'quarter', 'country', 'rateBasisPoints', 'currency', 'netCents'] as const),
  'taxCents',
] as const

export const taxRoutes: Routes = (app, { log }) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/reports/tax',
    config: reading,
    schema: {
      tags,
      summary: 'Tax by country, category and rate, of the documents that were issued',
      querystring: Type.Object({ ...SpanQuery.properties, ...FormatQuery }),
      response: answers(Taxes),
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const span = spanOf(query, now)
      const named = partNamer(span)
      const rows = await listTaxes(db, { tenantId, ...span })
      const data = rows.map(({ startOn, ...row }) => ({ ...named(startOn), ...row }))
      if (!wantsCsv(request)) return { data }
      const table = { name: 'tax', columns: TAX_COLUMNS, batches: atOnce(data) }
      return sendCsv(request, reply, table, log)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/reports/tax/oss',
    config: reading,
    schema: {
      tags,
      summary:
        'Get the figures of a quarterly One-Stop-Shop return, by member state of consumption',
      description:
        'Taxed sales to other member states, but for those with a VAT registration of your own. ' +
        'Credit notes over sales of former quarters are corrections of those quarters. Amounts are ' +
        'in the currency of the sale and not converted.',
      querystring: Type.Object({
        quarter: Type.Optional(
          Type.String({
            pattern: QUARTER,
            description: '`2026-Q3`; by default the one before this',
          }),
        ),
        ...FormatQuery,
      }),
      response: answers(OssReturn),
    },
    async handler(request, reply) {
      const { tenantId, query, db, now } = request
      const { from, to, ...quarter } = quarterOf(query.quarter, now)
      const { registrations } = await settingsOf(db, tenantId, taxSettings)
      const countries = EU_COUNTRIES.filter((country) => !registrations.includes(country))
      const rows = await listOssSales(db, { tenantId, from, to, countries })
      const named = rows.map(({ soldOn, ...row }) => ({
        ...row,
        quarter: soldOn === null ? quarter.quarter : quarterNameOf(soldOn),
        kind: soldOn === null ? 'sale' : 'correction',
      }))
      if (wantsCsv(request)) {
        const name = `oss-${quarter.quarter}`
        return sendCsv(request, reply, { name, columns: OSS_COLUMNS, batches: atOnce(named) }, log)
      }
      const sales = named.filter(({ kind }) => kind === 'sale')
      const corrections = named.filter(({ kind }) => kind === 'correction')
      return { ...quarter, sales, corrections }
    },
  })
}
