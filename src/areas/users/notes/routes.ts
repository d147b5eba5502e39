import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { newId } from '#lib/id.ts'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findUser, lockUser } from '../queries.ts'
import { deleteNote, insertNote, listNotes } from './queries.ts'
import { NewNote, noteResource, noteViews } from './schema.ts'

const tags: Tag[] = ['Auth & Users']
const url = '/v1/admin/users/:id/notes'

const Note = noteResource('CustomerNote')

function exists({ db, tenantId, params }: FastifyRequest) {
  return findUser(db, { tenantId, userId: (params as { id: string }).id })
}

/** Internal notes of staff about customers; they are included in the customer's data export. */
export const noteRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: { access: 'admin', permission: 'users:read' },
    schema: {
      tags,
      summary: 'List the notes about a person, newest first',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: Page(Note), ...problems(404) },
    },
    async handler({ db, tenantId, params: { id: userId }, query }) {
      if (!(await findUser(db, { tenantId, userId }))) throw notFound('User')
      const page = await listNotes(db, { tenantId, userId }, query)
      return { ...page, data: await noteViews(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: { access: 'admin', permission: 'users:write', exists },
    schema: {
      tags,
      summary: 'Add a note about a person',
      description: 'The note is part of the data that the person may export.',
      params: IdParams,
      body: NewNote,
      response: { 201: Note, ...problems(404) },
    },
    async handler({ caller, db, params: { id: userId }, body: { text }, now, transact }, reply) {
      const { tenantId, userId: authorId } = caller
      const note = { tenantId, id: newId(), userId, authorId, text, createdAt: now }
      await transact(async (tx) => {
        const person = await lockUser(tx, { tenantId, userId })
        if (!person || person.deletedAt) throw notFound('User')
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
    config: { access: 'admin', permission: 'users:write' },
    schema: {
      tags,
      summary: 'Delete a note about a person',
      params: Type.Object({ id: Id, noteId: Id }),
      response: { 200: Deleted, ...problems(404) },
    },
    async handler({ tenantId, params: { id: userId, noteId: id }, transact }) {
      const gone = await transact((tx) => deleteNote(tx, { tenantId, userId, id }))
      if (!gone) throw notFound('Note')
      return { id, deleted: true }
    },
  })
}
