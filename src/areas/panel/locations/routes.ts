import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { notifyDependents } from '../nodes/dependents.ts'
import { archiveLocation, changeLocation, createLocation, restoreLocation } from './actions.ts'
import {
  findLocation,
  findOpenLocation,
  type LocationRow,
  listLocations,
  listPlaces,
} from './queries.ts'
import { Location, LocationChange, NewLocation } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/locations'
const reading = { access: 'admin', permission: 'nodes:read' } as const
const writing = { access: 'admin', permission: 'nodes:write' } as const

const LocationQuery = Type.Object({
  ...PageQuery.properties,
  archived: Type.Optional(Type.Boolean()),
})

/** Routes for administrators to manage locations. */
export const locationRoutes: Routes = (app, deps) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List locations, newest first; or archived ones',
      querystring: LocationQuery,
      response: { 200: Page(Location) },
    },
    async handler({ query: { archived = false, ...page }, tenantId, db }) {
      const found = await listLocations(db, { tenantId, archived }, page)
      return { ...found, data: await viewsOf(db, tenantId, found.data) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add a location',
      description:
        'Without `slug` it is made of the name. 409 `slug_taken`, 400 for an unknown panel connection.',
      body: NewLocation,
      response: { 201: Location, ...problems(409) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact(async (tx) => viewOf(tx, await createLocation(tx, caller, body, now)))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: { tags, summary: 'Get a location', params: IdParams, response: { 200: Location } },
    async handler({ params, tenantId, db }) {
      const location = await findOpenLocation(db, { tenantId, ...params })
      if (!location) throw notFound('Location')
      return viewOf(db, location)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: existing(findOpenLocation) },
    schema: {
      tags,
      summary: 'Change a location',
      description: 'Counts for future orders; servers are not moved. 409 `slug_taken`.',
      params: IdParams,
      body: LocationChange,
      response: { 200: Location, ...problems(404, 409) },
    },
    handler: ({ params, body, tenantId, now, transact }) =>
      transact(async (tx) => {
        const location = await changeLocation(tx, { tenantId, ...params }, body)
        await notifyDependents(deps, tx, tenantId, now)
        return viewOf(tx, location)
      }),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Archive a location; services keep it',
      description: 'It is no longer offered; services and their servers stay.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact(async (tx) => {
        const archived = await archiveLocation(tx, { tenantId, ...params }, now)
        await notifyDependents(deps, tx, tenantId, now)
        return archived
      }),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/restore`,
    config: { ...writing, exists: existing(findLocation) },
    schema: {
      tags,
      summary: 'Offer an archived location again',
      description: '409 `slug_taken` if another location has its slug by now.',
      params: IdParams,
      body: NoBody,
      response: { 200: Location, ...problems(404, 409) },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact(async (tx) => {
        const location = await restoreLocation(tx, { tenantId, ...params })
        await notifyDependents(deps, tx, tenantId, now)
        return viewOf(tx, location)
      }),
  })
}

function existing(find: (db: Db, key: { tenantId: string; id: string }) => Promise<unknown>) {
  return ({ db, tenantId, params }: FastifyRequest) =>
    find(db, { tenantId, ...(params as Static<typeof IdParams>) })
}

async function viewOf(db: Db, location: LocationRow): Promise<Location> {
  const [view] = await viewsOf(db, location.tenantId, [location])
  if (!view) throw notFound('Location')
  return view
}

/** Locations as staff see them, with their places: one query for all. */
async function viewsOf(
  db: Db,
  tenantId: string,
  locations: readonly LocationRow[],
): Promise<Location[]> {
  const ids = locations.map(({ id }) => id)
  const rows = ids.length > 0 ? await listPlaces(db, tenantId, ids) : []
  const places = Map.groupBy(rows, ({ locationId }) => locationId)
  return locations.map(({ tenantId: _, ...location }) => ({
    ...location,
    places: (places.get(location.id) ?? []).map(({ nodeId, remoteId }) => ({ nodeId, remoteId })),
  }))
}
