import { notFound } from '#lib/problem.ts'
import { IdParams } from '#lib/schema.ts'
import { findLocation } from '#panel'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { existing } from '../paths.ts'
import { setLocationPrices } from './actions.ts'
import { listPriceRows } from './queries.ts'
import { LocationPrices, LocationPricesChange } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const url = '/v1/admin/locations/:id/prices'
const exists = existing(findLocation)

/** What locations cost in addition to plans. */
export const componentRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'store:read' },
    schema: {
      tags,
      summary: 'List the surcharges of a location',
      params: IdParams,
      response: { 200: LocationPrices, ...problems(404) },
    },
    async handler({ params: { id }, tenantId, db }) {
      if (!(await findLocation(db, { tenantId, id }))) throw notFound('Location')
      return pricesOf(db, tenantId, id)
    },
  })

  app.route({
    method: 'PUT',
    url,
    config: { access: 'admin', permission: 'store:write', exists },
    schema: {
      tags,
      summary: 'Set the surcharges of a location; services keep the price that they have',
      description:
        'Replaces all of them. A location with surcharges is sold only in the cycles and currencies that are listed. 422 `price_twice` and `price_micros_mismatch`.',
      params: IdParams,
      body: LocationPricesChange,
      response: { 200: LocationPrices, ...problems(404, 422) },
    },
    async handler({ params: { id }, body, tenantId, transact }) {
      return transact(async (tx) => {
        if (!(await findLocation(tx, { tenantId, id }))) throw notFound('Location')
        await setLocationPrices(tx, { tenantId, id }, body.prices)
        return pricesOf(tx, tenantId, id)
      })
    },
  })
}

async function pricesOf(db: Db, tenantId: string, locationId: string) {
  const rows = await listPriceRows(db, tenantId, [locationId])
  return { prices: rows.map(({ kind: _, pricedId: __, ...price }) => price) }
}
