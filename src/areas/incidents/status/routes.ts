import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { readerLocale } from '#store'
import { brandOf } from '#tenants'
import { type IncidentRow, statusOf } from '../incidents/rules.ts'
import { listNewestUpdates, listUpdates } from '../updates/queries.ts'
import { findPublished, listNames, listOpen, listOpenOf, listPast } from './queries.ts'
import { type Reader, shopState, shownEntry, shownUpdate } from './rules.ts'
import { OwnIncident, ShopStatus, StatusEntry, StatusIncident } from './schema.ts'

const tags: Tag[] = ['Status']
const reading = { access: 'public', impersonation: 'allowed' } as const

/** The language of `Accept-Language`, else that of the shop. */
async function readerOf(request: FastifyRequest): Promise<Reader> {
  const { locale: shopLocale } = await brandOf(request.db, request.tenantId)
  const asked = readerLocale(request) as Reader['locale'] | null
  return { locale: asked ?? shopLocale ?? 'en', shopLocale }
}

async function entriesOf<I extends IncidentRow>(request: FastifyRequest, incidents: readonly I[]) {
  const { db, tenantId, now } = request
  const ids = incidents.map(({ id }) => id)
  const [updates, names, reader] = await Promise.all([
    listNewestUpdates(db, tenantId, ids),
    listNames(db, tenantId, incidents),
    readerOf(request),
  ])
  const byIncident = new Map(updates.map((it) => [it.incidentId, it]))
  return incidents.flatMap((incident) => {
    const newest = byIncident.get(incident.id)
    return newest ? [shownEntry({ incident, newest, names }, reader, now)] : []
  })
}

/** What a shop says publicly of incidents and planned maintenance. */
export const statusRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/status',
    config: reading,
    schema: {
      tags,
      summary: 'Get the state of the shop: incidents that go on, and planned maintenance',
      description: 'Texts are in the language of `Accept-Language`, or in the best other one.',
      response: { 200: ShopStatus },
    },
    async handler(request) {
      const { db, tenantId, now } = request
      const open = await listOpen(db, tenantId, now)
      const isPlanned = (it: IncidentRow) => statusOf(it, now) === 'scheduled'
      const ongoing = open.filter((it) => !isPlanned(it)).reverse()
      return {
        state: shopState(ongoing),
        ongoing: await entriesOf(request, ongoing),
        planned: await entriesOf(request, open.filter(isPlanned)),
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/status/history',
    config: reading,
    schema: {
      tags,
      summary: 'List incidents and maintenance that are over, the last begun first',
      querystring: PageQuery,
      response: { 200: Page(StatusEntry) },
    },
    async handler(request) {
      const { db, tenantId, query, now } = request
      const { data, nextCursor } = await listPast(db, tenantId, query, now)
      return { data: await entriesOf(request, data), nextCursor }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/status/incidents/:id',
    config: reading,
    schema: {
      tags,
      summary: 'Get an incident or maintenance with everything that was said of it',
      params: IdParams,
      response: { 200: StatusIncident },
    },
    async handler(request) {
      const { db, tenantId, params } = request
      const incident = await findPublished(db, { tenantId, id: params.id })
      const [entry] = incident ? await entriesOf(request, [incident]) : []
      if (!incident || !entry) throw notFound('Incident')
      const reader = await readerOf(request)
      const { newest: _, ...shown } = entry
      const { data } = await listUpdates(db, incident, { limit: 100 })
      return { ...shown, updates: data.map((it) => shownUpdate(it, reader)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/incidents',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List the incidents and planned maintenance that affect my services now',
      description:
        'Services that others share with me count as mine. Those that are over are not listed. At most 100.',
      response: { 200: Type.Object({ data: Type.Array(OwnIncident) }) },
    },
    async handler(request) {
      const rows = await listOpenOf(request.db, request.caller, request.now)
      const own = new Map(rows.map(({ id, serviceIds }) => [id, serviceIds]))
      const entries = await entriesOf(request, rows)
      return { data: entries.map((it) => ({ ...it, serviceIds: own.get(it.id) ?? [] })) }
    },
  })
}
