import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Body, Deleted, Email, Id, IdParams } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { staffOf } from '../tickets/locking.ts'
import { findStaffTicket } from '../tickets/queries.ts'
import { AdminTicketDetails } from '../tickets/schema.ts'
import { staffTicket } from '../tickets/view.ts'
import { addParticipant, dropParticipant } from './actions.ts'

const tags: Tag[] = ['Admin - Support']
const url = '/v1/admin/tickets/:id/participants'
const writing = { access: 'admin', permission: 'tickets:write' } as const

const NewParticipant = Body({
  address: { ...Email, description: 'The confirmed address of an account' },
})

async function exists({ db, caller, params }: FastifyRequest) {
  return findStaffTicket(db, await staffOf(db, caller), (params as { id: string }).id)
}

/** The other people who read and write on a ticket. */
export const participantRoutes: Routes = (app) => {
  app.route({
    method: 'POST',
    url,
    config: { ...writing, exists },
    schema: {
      tags,
      summary: 'Add a participant to a ticket, by the address of their account',
      description: 'They read what is written from then on, and are notified of it.',
      params: IdParams,
      body: NewParticipant,
      response: { 201: AdminTicketDetails, ...problems(404) },
    },
    async handler(request, reply) {
      const { caller, params, body, now } = request
      reply.code(201)
      return request.transact(async (tx) => {
        const staff = await staffOf(tx, caller)
        await addParticipant(tx, staff, { ticketId: params.id, address: body.address }, now)
        return staffTicket(tx, staff, params.id, problemLanguageOf(request))
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:participantId`,
    config: writing,
    schema: {
      tags,
      summary: 'Remove a participant whom staff have added to a ticket',
      params: Type.Object({ id: Id, participantId: Id }),
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ caller, params: { id: ticketId, participantId }, now, transact }) {
      await transact(async (tx) => {
        await dropParticipant(tx, await staffOf(tx, caller), { ticketId, participantId }, now)
      })
      return { id: participantId, deleted: true }
    },
  })
}
