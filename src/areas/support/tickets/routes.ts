import type { FastifyRequest } from 'fastify'
import { notFound } from '#lib/problem.ts'
import { IdParams, NoBody, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { writeMessage } from '../messages/actions.ts'
import { listMessages } from '../messages/queries.ts'
import { NewMessage, TicketMessage } from '../messages/schema.ts'
import { ownMessages } from '../messages/view.ts'
import { muteParticipant } from '../participants/queries.ts'
import { closeOwn, lockOwn, reopenOwn } from './actions.ts'
import { openTicket } from './opening.ts'
import { findOwnTicket, listOwnTickets } from './queries.ts'
import { NewTicket, OwnTicketQuery, Ticket, TicketWithPeople } from './schema.ts'
import { ownTicket, ownTickets } from './view.ts'

const tags: Tag[] = ['Support']
const url = '/v1/tickets'

function exists({ db, caller, params }: FastifyRequest) {
  return findOwnTicket(db, caller, (params as { id: string }).id)
}

const reading = { access: 'user', impersonation: 'allowed' } as const
const writing = { access: 'user', exists } as const

/** What customers do with their tickets. */
export const ticketRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List my tickets and those that I was added to, by their last message',
      querystring: OwnTicketQuery,
      response: { 200: Page(Ticket) },
    },
    async handler(request) {
      const { db, caller, query } = request
      const page = await listOwnTickets(db, caller, query)
      const locale = problemLanguageOf(request)
      return { ...page, data: await ownTickets(db, caller.tenantId, page.data, locale) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'Open a ticket',
      description:
        'At most 5 an hour, 20 a day, and 20 that are not closed; 2 with an address that was never confirmed. Beyond that the answer is 429 with `Retry-After`.',
      body: NewTicket,
      response: { 201: TicketWithPeople, ...problems(404, 409, 422) },
    },
    async handler(request, reply) {
      const { caller, body, now, transact } = request
      const locale = problemLanguageOf(request)
      reply.code(201)
      return transact(async (tx) => {
        const { id } = await openTicket(tx, caller, body, now)
        return ownTicket(tx, caller, id, locale)
      })
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: {
      tags,
      summary: 'Get one of my tickets',
      params: IdParams,
      response: { 200: TicketWithPeople, ...problems(404) },
    },
    handler: (request) =>
      ownTicket(request.db, request.caller, request.params.id, problemLanguageOf(request)),
  })

  for (const [word, summary, description, act] of [
    [
      'close',
      'Close my ticket',
      'For the person who opened it; closed already, it stays so.',
      closeOwn,
    ],
    [
      ...(['reopen', 'Reopen my closed ticket'] as const),
      'For the person who opened it. 409 `reopen_expired` once `reopenDays` have passed since it was closed.',
      reopenOwn,
    ],
  ] as const) {
    app.route({
      method: 'POST',
      url: `${url}/:id/${word}`,
      config: writing,
      schema: {
        ...{ tags, summary, description },
        params: IdParams,
        body: NoBody,
        response: { 200: TicketWithPeople, ...problems(403, 404, 409) },
      },
      handler: (request) =>
        request.transact(async (tx) => {
          const { caller, params, now } = request
          await act(tx, caller, params.id, now)
          return ownTicket(tx, caller, params.id, problemLanguageOf(request))
        }),
    })
  }

  for (const [word, summary, isMuted] of [
    ['mute', 'Switch the notifications about a ticket off', true],
    ['unmute', 'Switch the notifications about a ticket on again', false],
  ] as const) {
    app.route({
      method: 'POST',
      url: `${url}/:id/${word}`,
      config: writing,
      schema: {
        tags,
        summary,
        description: 'For the caller only; other participants are notified as before.',
        params: IdParams,
        body: NoBody,
        response: { 200: TicketWithPeople, ...problems(404) },
      },
      handler: (request) =>
        request.transact(async (tx) => {
          const { caller, params, now } = request
          await lockOwn(tx, caller, params.id)
          const { tenantId, userId } = caller
          const own = { tenantId, userId, ticketId: params.id }
          await muteParticipant(tx, own, isMuted ? now : null)
          return ownTicket(tx, caller, params.id, problemLanguageOf(request))
        }),
    })
  }
}

/** What is written on tickets, as their customers read it. */
export const ticketMessageRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: `${url}/:id/messages`,
    config: reading,
    schema: {
      tags,
      summary: 'List the messages of a ticket, oldest first',
      description: 'Who was added to a ticket reads what was written from then on.',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(TicketMessage), ...problems(404) },
    },
    async handler(request) {
      const { db, caller, params, query } = request
      const own = await ownTicketRow(request)
      const since = own.role === 'copied' ? own.addedAt : null
      const key = { tenantId: caller.tenantId, id: params.id }
      const page = await listMessages(db, key, { notes: false, since }, query)
      const read = { rows: page.data, departmentId: own.departmentId }
      return { ...page, data: await ownMessages(db, caller, read, problemLanguageOf(request)) }
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/messages`,
    config: writing,
    schema: {
      tags,
      summary: 'Write a message on my ticket',
      description:
        'Reopens a closed ticket for `reopenDays` after it was closed; later it opens a new ticket that continues it, and `ticketId` of the answer is that one. At most 30 messages an hour on a ticket, and 60 on all.',
      params: IdParams,
      body: NewMessage,
      response: { 201: TicketMessage, ...problems(404, 409, 422) },
    },
    async handler(request, reply) {
      const { caller, params, body, now, transact } = request
      reply.code(201)
      return transact(async (tx) => {
        const written = await writeMessage(tx, caller, { ...body, id: params.id }, now)
        const rows = [written.message]
        const read = { rows, departmentId: written.departmentId }
        const [message] = await ownMessages(tx, caller, read, problemLanguageOf(request))
        if (!message) throw new Error('A message has no view')
        return message
      })
    },
  })
}

async function ownTicketRow({ db, caller, params }: FastifyRequest) {
  const own = await findOwnTicket(db, caller, (params as { id: string }).id)
  if (!own) throw notFound('Ticket')
  return own
}
