import { type Static, Type } from 'typebox'
import { holds } from '#lib/caller.ts'
import { notFound } from '#lib/problem.ts'
import { IdParams, Nullable, Page, PageQuery, Resource } from '#lib/schema.ts'
import type { TimelineObject } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { type DatedMoment, timelinePage } from '#platform/timeline.ts'
import { Moment, namesOf } from '#users'
import { objectsOf } from './queries.ts'

const ObjectMoment = Resource('ObjectTimelineEntry', {
  ...Moment.properties,
  actorName: Nullable(
    Type.String({ description: 'Null if the system acted, or if the account was deleted' }),
  ),
})

const DESCRIPTION = 'Parts for which the caller lacks the permission are left out'

const TIMELINES = [
  {
    kind: 'service',
    ...{ name: 'Service', permission: 'services:read' },
    ...{ url: '/v1/admin/services/:id/timeline', tag: 'Admin - Operations' },
    summary: 'List the events of a service and the changes that were requested, newest first',
  },
  {
    kind: 'order',
    ...{ name: 'Order', permission: 'orders:read' },
    ...{ url: '/v1/admin/orders/:id/timeline', tag: 'Admin - Store & Invoices' },
    summary: 'List the events of an order, of its invoice and services, newest first',
  },
  {
    kind: 'invoice',
    ...{ name: 'Invoice', permission: 'invoices:read' },
    ...{ url: '/v1/admin/invoices/:id/timeline', tag: 'Admin - Store & Invoices' },
    summary: 'List the events of an invoice and of its payments, newest first',
  },
] as const

/** What happened to a service, an order or an invoice, and who did it. */
export const timelineRoutes: Routes = (app, { areas }) => {
  for (const { kind, name, permission, url, tag, summary } of TIMELINES) {
    app.route({
      method: 'GET',
      url,
      config: { access: 'admin', permission },
      schema: {
        ...{ tags: [tag], summary, description: DESCRIPTION },
        ...{ params: IdParams, querystring: PageQuery },
        response: { 200: Page(ObjectMoment), ...problems(404) },
      },
      async handler({ tenantId, caller: { permissions }, params: { id }, query, db }) {
        const objects = await objectsOf(db, { tenantId, kind, id })
        if (objects.length === 0) throw notFound(name)
        const shown = areas.filter(({ timelineNeeds = [] }) =>
          timelineNeeds.every((it) => holds(permissions, it)),
        )
        const sources = shown.flatMap(({ objectTimeline }) =>
          objects.flatMap((object) => objectTimeline?.(db, object) ?? []),
        )
        const { data, nextCursor } = await timelinePage(db, sources, query)
        return { data: await withNames(db, tenantId, data), nextCursor }
      },
    })
  }
}

async function withNames(
  db: Db,
  tenantId: TimelineObject['tenantId'],
  moments: readonly DatedMoment[],
): Promise<Static<typeof ObjectMoment>[]> {
  const actors = moments.flatMap(({ actorId }) => actorId ?? [])
  const names = await namesOf(db, tenantId, actors)
  return moments.map((it) => ({ ...it, actorName: names.get(it.actorId ?? '')?.name ?? null }))
}
