import type { FastifyRequest } from 'fastify'
import { Deleted, IdParams, NoBody } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { adminViewOf } from './admin-view.ts'
import { changeDraft, createDraft, issueDraft, removeDraft } from './drafts.ts'
import { findInvoice } from './queries.ts'
import { AdminInvoiceSchema, DraftChange, NewDraft } from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const permission = { access: 'admin', permission: 'invoices:write' } as const
const writing = {
  ...permission,
  exists: ({ db, tenantId, params }: FastifyRequest) =>
    findInvoice(db, { tenantId, invoiceId: (params as { id: string }).id }),
} as const

/** Routes for administrators' drafts. */
export const draftRoutes: Routes = async (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/invoices',
    config: permission,
    schema: {
      tags,
      summary: 'Draft an invoice; its customer sees it once it is issued',
      description:
        'A draft has no number and is not owed; `issue` prices it anew. 404 for an unknown customer, 400 for an unknown product or currency, 422 `period_invalid`.',
      body: NewDraft,
      response: { 201: AdminInvoiceSchema, ...problems(404, 422) },
    },
    async handler({ body, tenantId, db, now, transact }, reply) {
      const draft = await transact((tx) => createDraft(tx, tenantId, body, now))
      return reply.code(201).send(await adminViewOf(db, draft, now))
    },
  })

  app.route({
    method: 'PATCH',
    url: '/v1/admin/invoices/:id',
    config: writing,
    schema: {
      tags,
      summary: 'Change a draft; lines are replaced as a whole',
      description: '409 `invoice_open`, `invoice_paid` or `invoice_void` once it was issued.',
      params: IdParams,
      body: DraftChange,
      response: { 200: AdminInvoiceSchema, ...problems(404, 409, 422) },
    },
    async handler({ params, body, tenantId, db, now, transact }) {
      const key = { tenantId, invoiceId: params.id }
      return adminViewOf(db, await transact((tx) => changeDraft(tx, key, body, now)), now)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/admin/invoices/:id',
    config: permission,
    schema: {
      tags,
      summary: 'Delete a draft; an issued invoice is voided instead',
      description: '409 for an issued invoice.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404, 409) },
    },
    async handler({ params, tenantId, transact }) {
      return transact((tx) => removeDraft(tx, { tenantId, invoiceId: params.id }))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/invoices/:id/issue',
    config: writing,
    schema: {
      tags,
      summary: 'Issue a draft: it is priced as of now, numbered, and its customer owes it',
      description:
        'It can no longer be changed. A total of 0 is paid at once. 409 for an invoice that is no draft, 422 `invoice_empty`, `invoice_negative` or `shop_not_ready`.',
      params: IdParams,
      body: NoBody,
      response: { 200: AdminInvoiceSchema, ...problems(404, 409, 422) },
    },
    async handler({ params, tenantId, db, now, transact }) {
      const key = { tenantId, invoiceId: params.id }
      return adminViewOf(db, await transact((tx) => issueDraft(tx, key, now)), now)
    },
  })
}
