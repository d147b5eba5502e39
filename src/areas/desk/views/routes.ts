import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Caller } from '#lib/caller.ts'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { namesOf } from '#users'
import { assertMayRead, changeView, createView, readable, removeView } from './actions.ts'
import { findView, listViews, type ViewRow } from './queries.ts'
import { NewView, SavedView, Screen, ViewChange } from './schema.ts'

const tags: Tag[] = ['Admin - Operations']
// Every member of staff has views; each list needs its own permission, which the handlers check.
const config = { access: 'admin', anyStaff: true } as const
const url = '/v1/admin/views'

function exists({ db, caller, params }: FastifyRequest) {
  return findView(db, { ...caller, ...(params as Static<typeof IdParams>) })
}

/** Views of lists that staff save for themselves, or for everybody who may read the list. */
export const viewRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config,
    schema: {
      tags,
      summary: 'List saved views, newest first',
      description:
        'The caller’s own views and the shared ones: of one list, or of all that the caller may read.',
      querystring: Type.Object({ screen: Type.Optional(Screen), ...PageQuery.properties }),
      response: { 200: Page(SavedView) },
    },
    async handler({ db, caller, query: { screen, ...page } }) {
      if (screen) assertMayRead(caller, screen)
      const screens = screen ? [screen] : readable(caller)
      const found = await listViews(db, caller, screens, page)
      return { ...found, data: await shown(db, caller, found.data) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config,
    schema: {
      tags,
      summary: 'Save a view of a list',
      description: '409 `name_taken`, 422 `too_many_views`.',
      body: NewView,
      response: { 201: SavedView, ...problems(409, 422) },
    },
    async handler({ body, caller, db, now, transact }, reply) {
      const row = await transact((tx) => createView(tx, caller, body, now))
      return reply.code(201).send(await view(db, caller, row))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config,
    schema: {
      tags,
      summary: 'Get a saved view',
      params: IdParams,
      response: { 200: SavedView },
    },
    async handler({ db, caller, params }) {
      const row = await findView(db, { ...caller, ...params })
      if (!row) throw notFound('View')
      assertMayRead(caller, row.screen)
      return view(db, caller, row)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...config, exists },
    schema: {
      tags,
      summary: 'Change one of my saved views',
      description: '404 for a view of another person, also if it is shared. 409 `name_taken`.',
      params: IdParams,
      body: ViewChange,
      response: { 200: SavedView, ...problems(409) },
    },
    async handler({ params, body: change, caller, db, transact }) {
      return view(db, caller, await transact((tx) => changeView(tx, caller, { ...params, change })))
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config,
    schema: {
      tags,
      summary: 'Delete one of my saved views',
      params: IdParams,
      response: { 200: Deleted },
    },
    handler: ({ params, caller: { tenantId, userId }, transact }) =>
      transact((tx) => removeView(tx, { tenantId, userId, ...params })),
  })
}

async function view(db: Db, caller: Caller, row: ViewRow): Promise<SavedView> {
  const [only] = await shown(db, caller, [row])
  if (!only) throw new Error('A saved view has no view')
  return only
}

async function shown(
  db: Db,
  { tenantId, userId }: Caller,
  rows: readonly ViewRow[],
): Promise<SavedView[]> {
  const owners = await namesOf(db, tenantId, [...new Set(rows.map((row) => row.userId))])
  return rows.map(({ tenantId: _tenant, userId: ownerId, screen, ...row }) => ({
    ...row,
    screen: screen as SavedView['screen'],
    own: ownerId === userId,
    owner: owners.get(ownerId)?.name ?? null,
  }))
}
