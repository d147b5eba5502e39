import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { CountedPage, Id, IdParams, ListQuery, Resource } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { namesOf } from '#users'
import { type CreditNoteRow, findCreditNote, linesOfNotes, listCreditNotes } from './queries.ts'
import { CreditNoteSchema } from './schema.ts'
import { creditNoteView } from './view.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const config = { access: 'admin', permission: 'invoices:read' } as const

const AdminCreditNote = Resource('AdminCreditNote', {
  ...CreditNoteSchema.properties,
  userId: Id,
  customerName: Type.String(),
  customerEmail: Type.String(),
})

export const adminCreditNoteRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/credit-notes',
    config,
    schema: {
      tags,
      summary: 'List credit notes, newest first',
      querystring: Type.Object({
        ...ListQuery.properties,
        userId: Type.Optional(Id),
        invoiceId: Type.Optional(Id),
        number: Type.Optional(Type.String({ maxLength: 35 })),
      }),
      response: { 200: CountedPage(AdminCreditNote) },
    },
    async handler({ db, tenantId, query }) {
      const page = await listCreditNotes(db, tenantId, query)
      return { ...page, data: await viewsOf(db, tenantId, page.data) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/credit-notes/:id',
    config,
    schema: {
      tags,
      summary: 'Get a credit note',
      params: IdParams,
      response: { 200: AdminCreditNote, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id } }) {
      const note = await findCreditNote(db, tenantId, id)
      const [view] = note ? await viewsOf(db, tenantId, [note]) : []
      if (!view) throw notFound('Credit note')
      return view
    },
  })
}

async function viewsOf(db: Db, tenantId: string, notes: readonly CreditNoteRow[]) {
  const ids = notes.map(({ id }) => id)
  const userIds = notes.map(({ userId }) => userId)
  const [lines, customers] = await Promise.all([
    linesOfNotes(db, tenantId, ids),
    namesOf(db, tenantId, userIds),
  ])
  return notes.map((note) => {
    const { name: customerName = '', email: customerEmail = '' } = customers.get(note.userId) ?? {}
    return { ...creditNoteView(note, lines), userId: note.userId, customerName, customerEmail }
  })
}
