import { Type } from 'typebox'
import { IdParams, OneOf } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { findCreditNote, findOwnCreditNote } from '../credit-notes/queries.ts'
import { findInvoice, findOwnInvoice } from '../invoices/queries.ts'
import { askedCreditNote, askedInvoice } from './asked.ts'
import { BEING_MADE, binary } from './responses.ts'
import { answerDocument } from './serve.ts'

const tags: Tag[] = ['Billing']
const adminTags: Tag[] = ['Admin - Store & Invoices']
const reading = { access: 'admin', permission: 'invoices:read' } as const

const FormatQuery = Type.Object({
  format: Type.Optional(
    OneOf(['cii', 'ubl'], 'CII, the XML inside the PDF (Factur-X), or UBL 2.1; cii by default'),
  ),
})
function answers(type: string) {
  return { 200: binary([type]), 202: BEING_MADE, ...problems(410) }
}

const pdf = answers('application/pdf')
const xml = answers('application/xml')

/** The documents of invoices and credit notes, for the customers they were issued to. */
export const documentRoutes: Routes = async (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/billing/invoices/:id/pdf',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'One of my invoices as a PDF/A-3 with its e-invoice (Factur-X) inside',
      params: IdParams,
      response: pdf,
    },
    async handler(request, reply) {
      const invoice = await findOwnInvoice(request.db, request.caller, request.params.id)
      return answerDocument(deps, request, reply, askedInvoice(invoice, 'pdf'))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/invoices/:id/xml',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'One of my invoices as an e-invoice (EN 16931)',
      params: IdParams,
      querystring: FormatQuery,
      response: xml,
    },
    async handler(request, reply) {
      const { db, caller, params, query } = request
      const invoice = await findOwnInvoice(db, caller, params.id)
      return answerDocument(deps, request, reply, askedInvoice(invoice, query.format ?? 'cii'))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/credit-notes/:id/pdf',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'One of my credit notes as a PDF/A-3 with its e-invoice (Factur-X) inside',
      params: IdParams,
      response: pdf,
    },
    async handler(request, reply) {
      const note = await findOwnCreditNote(request.db, request.caller, request.params.id)
      return answerDocument(deps, request, reply, askedCreditNote(note, 'pdf'))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/billing/credit-notes/:id/xml',
    config: { access: 'user' },
    schema: {
      tags,
      summary: 'One of my credit notes as an e-invoice (EN 16931)',
      params: IdParams,
      querystring: FormatQuery,
      response: xml,
    },
    async handler(request, reply) {
      const { db, caller, params, query } = request
      const note = await findOwnCreditNote(db, caller, params.id)
      return answerDocument(deps, request, reply, askedCreditNote(note, query.format ?? 'cii'))
    },
  })
}

/** The same documents for administrators; each access has an entry in the audit log. */
export const adminDocumentRoutes: Routes = async (app, deps) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/invoices/:id/pdf',
    config: reading,
    schema: {
      tags: adminTags,
      summary: 'An invoice as a PDF/A-3 with its e-invoice (Factur-X) inside',
      params: IdParams,
      response: pdf,
    },
    async handler(request, reply) {
      const { db, tenantId, params } = request
      const invoice = await findInvoice(db, { tenantId, invoiceId: params.id })
      return answerDocument(deps, request, reply, askedInvoice(invoice, 'pdf'))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/invoices/:id/xml',
    config: reading,
    schema: {
      tags: adminTags,
      summary: 'An invoice as an e-invoice (EN 16931)',
      params: IdParams,
      querystring: FormatQuery,
      response: xml,
    },
    async handler(request, reply) {
      const { db, tenantId, params, query } = request
      const invoice = await findInvoice(db, { tenantId, invoiceId: params.id })
      return answerDocument(deps, request, reply, askedInvoice(invoice, query.format ?? 'cii'))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/credit-notes/:id/pdf',
    config: reading,
    schema: {
      tags: adminTags,
      summary: 'A credit note as a PDF/A-3 with its e-invoice (Factur-X) inside',
      params: IdParams,
      response: pdf,
    },
    async handler(request, reply) {
      const { db, tenantId, params } = request
      const note = await findCreditNote(db, tenantId, params.id)
      return answerDocument(deps, request, reply, askedCreditNote(note, 'pdf'))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/credit-notes/:id/xml',
    config: reading,
    schema: {
      tags: adminTags,
      summary: 'A credit note as an e-invoice (EN 16931)',
      params: IdParams,
      querystring: FormatQuery,
      response: xml,
    },
    async handler(request, reply) {
      const { db, tenantId, params, query } = request
      const note = await findCreditNote(db, tenantId, params.id)
      return answerDocument(deps, request, reply, askedCreditNote(note, query.format ?? 'cii'))
    },
  })
}
