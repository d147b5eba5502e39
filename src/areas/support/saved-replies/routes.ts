import type { FastifyRequest } from 'fastify'
import { type Caller, holds } from '#lib/caller.ts'
import { notFound } from '#lib/problem.ts'
import { Deleted, IdParams, NoBody, Page } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { staffOf } from '../tickets/locking.ts'
import { findStaffTicket } from '../tickets/queries.ts'
import { archiveReply, changeReply, createReply, restoreReply } from './actions.ts'
import { findReply, listReplies, listUsableReplies, type Reader } from './queries.ts'
import {
  NewSavedReply,
  SavedReply,
  SavedReplyChange,
  SavedReplyQuery,
  UsableReply,
  UsableReplyQuery,
} from './schema.ts'
import { replyView, usableReplies } from './view.ts'

const tags: Tag[] = ['Admin - Support']
const url = '/v1/admin/saved-replies'
const config = { access: 'admin', permission: 'tickets:write' } as const

async function readerOf(db: Db, caller: Caller): Promise<Reader> {
  const seesAll = holds(caller.permissions, 'support:read')
  return { staff: await staffOf(db, caller), seesAll }
}

async function exists({ db, caller, params }: FastifyRequest) {
  return findReply(db, await readerOf(db, caller), (params as { id: string }).id)
}

async function isUsed(request: FastifyRequest) {
  return (await exists(request))?.archivedAt === null
}

/** The texts that staff save for their answers. */
export const savedReplyRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config,
    schema: {
      tags,
      summary: 'List saved replies by name: mine, and the shared ones of my departments',
      querystring: SavedReplyQuery,
      response: { 200: Page(SavedReply) },
    },
    async handler({ db, caller, query }) {
      const page = await listReplies(db, await readerOf(db, caller), query)
      return { ...page, data: page.data.map(replyView) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config,
    schema: {
      tags,
      summary: 'Save a reply',
      description:
        'A shared one needs `support:write`. 422 `unknown_placeholder`, `assignee_without_access` and `too_many_saved_replies`, 409 `name_taken`.',
      body: NewSavedReply,
      response: { 201: SavedReply, ...problems(409, 422) },
    },
    async handler({ body, caller, now, transact }, reply) {
      reply.code(201)
      return transact(async (tx) => replyView(await createReply(tx, caller, body, now)))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config,
    schema: { tags, summary: 'Get a saved reply', params: IdParams, response: { 200: SavedReply } },
    async handler(request) {
      const found = await exists(request)
      if (!found || found.archivedAt) throw notFound('Saved reply')
      return replyView(found)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...config, exists: isUsed },
    schema: {
      tags,
      summary: 'Change a saved reply',
      description:
        '`actions` replaces all actions. A shared one needs `support:write`. 422 and 409 as when it is saved.',
      params: IdParams,
      body: SavedReplyChange,
      response: { 200: SavedReply, ...problems(404, 409, 422) },
    },
    handler: ({ params, body: change, caller, transact }) =>
      transact(async (tx) => replyView(await changeReply(tx, caller, { ...params, change }))),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config,
    schema: {
      tags,
      summary: 'Archive a saved reply',
      description: 'It can no longer be used. A shared one needs `support:write`.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404) },
    },
    handler: ({ params, caller, now, transact }) =>
      transact((tx) => archiveReply(tx, caller, params.id, now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/restore`,
    config: { ...config, exists },
    schema: {
      tags,
      summary: 'Use an archived saved reply again',
      description: 'One that is not archived stays as it is. 409 `name_taken`.',
      params: IdParams,
      body: NoBody,
      response: { 200: SavedReply, ...problems(404, 409) },
    },
    handler: ({ params, caller, transact }) =>
      transact(async (tx) => replyView(await restoreReply(tx, caller, params.id))),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/tickets/:id/saved-replies',
    config,
    schema: {
      tags,
      summary: 'List the saved replies for a ticket by name, with the text filled in',
      description:
        'In the language of the customer, else in that of the shop. `missing` names placeholders without a value.',
      params: IdParams,
      querystring: UsableReplyQuery,
      response: { 200: Page(UsableReply), ...problems(404) },
    },
    async handler(request) {
      const { db, caller, params, query } = request
      const staff = await staffOf(db, caller)
      const ticket = await findStaffTicket(db, staff, params.id)
      if (!ticket) throw notFound('Ticket')
      const { departmentId } = ticket
      const page = await listUsableReplies(db, staff, { ...query, departmentId })
      const locale = problemLanguageOf(request)
      return { ...page, data: await usableReplies(db, { ticket, staff }, page.data, locale) }
    },
  })
}
