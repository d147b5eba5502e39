import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { NewNote, noteResource, noteViews } from '#users'
import { findService, lockService } from '../queries.ts'
import { deleteNote, insertNote, listNotes } from './queries.ts'

const tags: Tag[] = ['Admin - Operations']
const url = '/v1/admin/services/:id/notes'

const Note = noteResource('ServiceNote')

function exists({ db, tenantId, params }: FastifyRequest) {
  return findService(db, { tenantId, id: (params as { id: string }).id })
}

/** Internal notes of staff about services; they are part of the data export of the owner. */
export const serviceNoteRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'services:read' },
    schema: {
      tags,
      summary: 'List the notes about a service, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(Note), ...problems(404) },
    },
    async handler({ db, tenantId, params: { id }, query }) {
      if (!(await findService(db, { tenantId, id }))) throw notFound('Service')
      const page = await listNotes(db, { tenantId, id }, query)
      return { ...page, data: await noteViews(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'admin', permission: 'services:write', exists },
    schema: {
      tags,
      summary: 'Add a note about a service',
      description: 'The note is part of the data that the owner of the service may export.',
      params: IdParams,
      body: NewNote,
      response: { 201: Note, ...problems(404) },
    },
    async handler({ caller, db, params: { id: serviceId }, body: { text }, now, transact }, reply) {
      const { tenantId, userId: authorId } = caller
      const note = { tenantId, id: newId(), serviceId, authorId, text, createdAt: now }
      await transact(async (tx) => {
        if (!(await lockService(tx, { tenantId, id: serviceId }))) throw notFound('Service')
        await insertNote(tx, note)
      })
      const [view] = await noteViews(db, tenantId, [note])
      if (!view) throw new Error('A note has no view')
      return reply.code(201).send(view)
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:noteId`,
    config: { access: 'admin', permission: 'services:write' },
    schema: {
      tags,
      summary: 'Delete a note about a service',
      params: Type.Object({ id: Id, noteId: Id }),
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ tenantId, params: { id: serviceId, noteId: id }, transact }) {
      const gone = await transact((tx) => deleteNote(tx, { tenantId, serviceId, id }))
      if (!gone) throw notFound('Note')
      return { id, deleted: true }
    },
  })
}
