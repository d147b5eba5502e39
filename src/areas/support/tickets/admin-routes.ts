import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { IdParams, NoBody, Nullable, Page, PageQuery } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { POLLING, SAME_PAGE, unlessSame } from '#platform/http/polled.ts'
import { answer } from '../messages/actions.ts'
import { listMessages } from '../messages/queries.ts'
import { AdminTicketMessage, NewAnswer } from '../messages/schema.ts'
import { staffMessages } from '../messages/view.ts'
import {
  changeTicket,
  closeAsStaff,
  holdTicket,
  reopenAsStaff,
  takeNext,
  takeTicket,
} from './actions.ts'
import { staffOf } from './locking.ts'
import { openTicketFor } from './opening.ts'
import { findStaffTicket, listTickets } from './queries.ts'
import {
  AdminTicket,
  AdminTicketDetails,
  Hold,
  NewTicketFor,
  TicketChange,
  TicketCounts,
  TicketQuery,
} from './schema.ts'
import { countsFor, staffTicket, staffTickets } from './view.ts'

const tags: Tag[] = ['Admin - Support']
const url = '/v1/admin/tickets'
const reading = { access: 'admin', permission: 'tickets:read' } as const
const writing = { access: 'admin', permission: 'tickets:write' } as const

async function exists({ db, caller, params }: FastifyRequest) {
  return findStaffTicket(db, await staffOf(db, caller), (params as { id: string }).id)
}

/** A ticket as the calling member of staff sees it. */
async function seenBy(request: FastifyRequest, db: Db, id: string) {
  return staffTicket(db, await staffOf(db, request.caller), id, problemLanguageOf(request))
}

/** The tickets that staff list, read and open. */
export const adminTicketRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List the tickets of my departments, in one of the views',
      description: POLLING,
      querystring: TicketQuery,
      response: { 200: Page(AdminTicket), ...SAME_PAGE },
    },
    async handler(request, reply) {
      const { db, caller, query } = request
      const page = await listTickets(db, await staffOf(db, caller), query)
      const locale = problemLanguageOf(request)
      const data = await staffTickets(db, caller.tenantId, page.data, locale)
      return unlessSame(request, reply, { ...page, data })
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/counts`,
    config: reading,
    schema: {
      tags,
      summary: 'Count the tickets of each view, and the open ones of each department',
      response: { 200: TicketCounts },
    },
    async handler(request) {
      const { db, caller } = request
      return countsFor(db, await staffOf(db, caller), problemLanguageOf(request))
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Open a ticket with a message to a customer',
      description:
        'The customer is notified by mail and in the application. 404 for a person, service or invoice that does not exist, and for a department that the caller does not see.',
      body: NewTicketFor,
      response: { 201: AdminTicketDetails, ...problems(404) },
    },
    async handler(request, reply) {
      reply.code(201)
      return request.transact(async (tx) => {
        const staff = await staffOf(tx, request.caller)
        const { id } = await openTicketFor(tx, staff, request.body, request.now)
        return seenBy(request, tx, id)
      })
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/next`,
    config: writing,
    schema: {
      tags,
      summary: 'Assign the most urgent unassigned ticket to me',
      description:
        'By priority, then by how long the customer has been waiting. `ticket` is null where no ticket is unassigned.',
      body: NoBody,
      response: { 200: Type.Object({ ticket: Nullable(AdminTicketDetails) }) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const id = await takeNext(tx, await staffOf(tx, request.caller), request.now)
        return { ticket: id === null ? null : await seenBy(request, tx, id) }
      }),
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get a ticket with who takes part and what was done with it',
      params: IdParams,
      response: { 200: AdminTicketDetails, ...problems(404) },
    },
    handler: (request) => seenBy(request, request.db, request.params.id),
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists },
    schema: {
      tags,
      summary:
        'Change the subject, department, priority, assignee, tags, service or invoice of a ticket',
      description:
        'A ticket that is moved to a department which its assignee does not see is unassigned.',
      params: IdParams,
      body: TicketChange,
      response: { 200: AdminTicketDetails, ...problems(404, 422) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const { id } = request.params
        const staff = await staffOf(tx, request.caller)
        await changeTicket(tx, staff, { id, change: request.body }, request.now)
        return seenBy(request, tx, id)
      }),
  })
}

/** What staff do with a ticket. */
export const ticketActionRoutes: Routes = (app) => {
  for (const [word, summary, description, act] of [
    ['take', 'Assign a ticket to me', 'Also from another member of staff.', takeTicket],
    [
      'close',
      'Close a ticket',
      'An answer of the customer reopens it for `reopenDays`.',
      closeAsStaff,
    ],
    [
      ...(['reopen', 'Open a ticket again that is closed, on hold or answered'] as const),
      'It counts as waiting for staff from now on.',
      reopenAsStaff,
    ],
  ] as const) {
    app.route({
      method: 'POST',
      url: `${url}/:id/${word}`,
      config: { ...writing, exists },
      schema: {
        ...{ tags, summary, description },
        params: IdParams,
        body: NoBody,
        response: { 200: AdminTicketDetails, ...problems(404) },
      },
      handler: (request) =>
        request.transact(async (tx) => {
          const { id } = request.params
          await act(tx, await staffOf(tx, request.caller), id, request.now)
          return seenBy(request, tx, id)
        }),
    })
  }

  app.route({
    method: 'POST',
    url: `${url}/:id/hold`,
    config: { ...writing, exists },
    schema: {
      tags,
      summary: 'Put a ticket on hold, until an instant or without an end',
      description:
        'It is open again when the hold ends or the customer answers. 409 `ticket_closed`, 422 `hold_in_the_past`.',
      params: IdParams,
      body: Hold,
      response: { 200: AdminTicketDetails, ...problems(404, 409, 422) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const { id } = request.params
        const { until = null } = request.body
        await holdTicket(tx, await staffOf(tx, request.caller), { id, until }, request.now)
        return seenBy(request, tx, id)
      }),
  })

  app.route({
    method: 'GET',
    url: `${url}/:id/messages`,
    config: reading,
    schema: {
      tags,
      summary: 'List the messages and notes of a ticket, oldest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(AdminTicketMessage), ...problems(404) },
    },
    async handler(request) {
      const { db, tenantId, params, query } = request
      if (!(await exists(request))) throw notFound('Ticket')
      const key = { tenantId, id: params.id }
      const page = await listMessages(db, key, { notes: true, since: null }, query)
      return { ...page, data: await staffMessages(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/messages`,
    config: { ...writing, exists },
    schema: {
      tags,
      summary: 'Answer a ticket, or note something for staff',
      description:
        'An answer notifies its participants; a note is seen by staff only. `seenThrough` is the last message that the caller has read: 409 `ticket_changed` where there is a newer one. A ticket without an assignee is assigned to the caller. With `savedReplyId` the actions of a saved reply are done in the same transaction: 409 `saved_reply_archived` and `saved_reply_changed`, 422 `saved_reply_not_usable`, `assignee_without_access` and `too_many_tags` send nothing.',
      params: IdParams,
      body: NewAnswer,
      response: { 201: AdminTicketMessage, ...problems(404, 409, 422) },
    },
    async handler(request, reply) {
      reply.code(201)
      return request.transact(async (tx) => {
        const { caller, params, body, now } = request
        const staff = await staffOf(tx, caller)
        const written = await answer(tx, staff, { ...body, id: params.id }, now)
        const [message] = await staffMessages(tx, caller.tenantId, [written])
        if (!message) throw new Error('A message has no view')
        return message
      })
    },
  })
}
