import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Country, Deleted, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import { dayOf } from '#lib/time.ts'
import { RATES_AS_OF } from '#lib/vat.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { changeTaxRate, createTaxRate, importEuRates, removeTaxRate } from './actions.ts'
import { findTaxRate, listTaxRates } from './queries.ts'
import { withCurrentRate } from './rules.ts'
import { EuImport, NewTaxRate, TaxRate, TaxRateChange } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const TaxRateQuery = Type.Object({ ...PageQuery.properties, country: Type.Optional(Country) })

/** What administrators do with tax rates. */
export const taxRateRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/tax-rates',
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List tax rates, newest first',
      querystring: TaxRateQuery,
      response: { 200: Page(TaxRate) },
    },
    async handler({ query: { country, ...page }, tenantId, db, now }) {
      const rates = await listTaxRates(db, { tenantId, ...(country && { country }) }, page)
      return { ...rates, data: rates.data.map((rate) => withCurrentRate(rate, dayOf(now))) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/tax-rates',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Create a tax rate',
      description:
        'Counts from `validFrom`, by default today. 409 `tax_rate_overlap` with a rate of the same country and class, 422 `exempt_rate_not_zero` or `dates_reversed`.',
      body: NewTaxRate,
      response: { 201: TaxRate, ...problems(409, 422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      const rate = await transact((tx) => createTaxRate(tx, caller, body, now))
      reply.code(201)
      return withCurrentRate(rate, dayOf(now))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/tax-rates/import-eu',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary:
        'Copy the standard rates of the 27 EU states, with their history, to the rates of the shop',
      description:
        'Rates that the shop has stay; they get a newer change of the list. Repeating it changes nothing.',
      body: NoBody,
      response: { 200: EuImport, ...problems(409) },
    },
    async handler({ tenantId, now, transact }) {
      const counts = await transact((tx) => importEuRates(tx, tenantId, now))
      return { ...counts, asOf: RATES_AS_OF }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/tax-rates/:id',
    config: { access: 'admin', permission: 'store:read' },
    schema: { tags, summary: 'Get a tax rate', params: IdParams, response: { 200: TaxRate } },
    async handler({ params, tenantId, db, now }) {
      const rate = await findTaxRate(db, { tenantId, ...params })
      if (!rate) throw notFound('Tax rate')
      return withCurrentRate(rate, dayOf(now))
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/tax-rates/:id',
    config: { access: 'admin', permission: 'store:write', exists: existing(findTaxRate) },
    schema: {
      tags,
      summary: 'Change a tax rate; another percentage counts from effectiveFrom on',
      description:
        'Issued invoices stay. A new percentage ends the current version and keeps the id. 409 `tax_rate_overlap`, 422 `effective_from_outside`.',
      params: IdParams,
      body: TaxRateChange,
      response: { 200: TaxRate, ...problems(404, 409, 422) },
    },
    async handler({ params, body, tenantId, now, transact }) {
      const rate = await transact((tx) => changeTaxRate(tx, { tenantId, ...params }, body, now))
      return withCurrentRate(rate, dayOf(now))
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/tax-rates/:id',
    config: { access: 'admin', permission: 'store:write' },
    schema: {
      tags,
      summary: 'Delete a tax rate; products that have it fall back to the standard rate',
      description: 'Issued invoices stay.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ params, tenantId, now, transact }) {
      return transact((tx) => removeTaxRate(tx, { tenantId, ...params }, now))
    },
  })
}
