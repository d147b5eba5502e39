import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Id, IdParams, Page, PageQuery } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findOwnCreditNote, linesOfNotes, listCreditNotesOf } from './queries.ts'
import { CreditNoteSchema } from './schema.ts'
import { creditNoteView } from './view.ts'

const tags: Tag[] = ['Billing']

export const creditNoteRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/v1/billing/credit-notes',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'List my credit notes, newest first',
      querystring: Type.Object({ ...PageQuery.properties, invoiceId: Type.Optional(Id) }),
      response: { 200: Page(CreditNoteSchema) },
    },
    async handler({ query, caller, db }) {
      const page = await listCreditNotesOf(db, caller, query)
      const lines = await linesOfNotes(
        db,
        caller.tenantId,
        page.data.map(({ id }) => id),
      )
      return { ...page, data: page.data.map((row) => creditNoteView(row, lines)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/credit-notes/:id',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags,
      summary: 'Get one of my credit notes',
      params: IdParams,
      response: { 200: CreditNoteSchema },
    },
    async handler({ params, caller, db }) {
      const row = await findOwnCreditNote(db, caller, params.id)
      if (!row) throw notFound('Credit note')
      return creditNoteView(row, await linesOfNotes(db, caller.tenantId, [row.id]))
    },
  })
}
