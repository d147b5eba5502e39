import { notFound } from '#lib/problem.ts'
import { IdParams, Page, PageQuery } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { assignEntry, dismissEntry, readStatement, storeStatement } from './actions.ts'
import { proposalsFor } from './proposals.ts'
import { findEntry, findStatement, listEntries, listStatements } from './queries.ts'
import { entryView, statementView } from './rules.ts'
import {
  Assignment,
  Dismissal,
  EntryQuery,
  EntrySchema,
  EntryWithProposals,
  LARGEST_STATEMENT,
  NewStatement,
  StatementSchema,
} from './schema.ts'

const tags: Tag[] = ['Admin - Store & Invoices']
const reading = { access: 'admin', permission: 'invoices:read' } as const
const writing = { access: 'admin', permission: 'invoices:write' } as const
/** A text in JSON may be twice as long as the text itself. */
const LARGEST_BODY = 2 * LARGEST_STATEMENT

export const bankStatementRoutes: Routes = async (app) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/bank-statements',
    bodyLimit: LARGEST_BODY,
    config: writing,
    schema: {
      tags,
      summary: 'Import a bank statement; the same file again changes nothing',
      description:
        'Takes camt.053, camt.054, MT940 or CSV. Incoming transfers whose reference names an invoice are booked at once; the others wait for staff. 422 `statement_unreadable`, `other_account`, `no_bank_transfers`.',
      body: NewStatement,
      response: { 201: StatementSchema, ...problems(404, 422) },
    },
    async handler({ body, caller, db, now, transact }, reply) {
      const statement = await readStatement(db, caller.tenantId, body)
      const row = await transact((tx) => storeStatement(tx, caller, body, { statement, now }))
      return reply.code(201).send(statementView(row))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/bank-statements',
    config: reading,
    schema: {
      tags,
      summary: 'List imported bank statements, newest first',
      querystring: PageQuery,
      response: { 200: Page(StatementSchema) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listStatements(db, tenantId, query)
      return { ...page, data: page.data.map(statementView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/bank-statements/:id',
    config: reading,
    schema: {
      tags,
      summary: 'Get an imported bank statement',
      params: IdParams,
      response: { 200: StatementSchema },
    },
    async handler({ params, tenantId, db }) {
      const row = await findStatement(db, { tenantId, id: params.id })
      if (!row) throw notFound('Bank statement')
      return statementView(row)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/bank-entries',
    config: reading,
    schema: {
      tags,
      summary: 'List incoming bank transfers, newest first',
      querystring: EntryQuery,
      response: { 200: Page(EntrySchema) },
    },
    async handler({ query, tenantId, db }) {
      const page = await listEntries(db, tenantId, query)
      return { ...page, data: page.data.map(entryView) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/bank-entries/:id',
    config: reading,
    schema: {
      tags,
      summary: 'Get an incoming bank transfer and the invoices it may pay',
      params: IdParams,
      response: { 200: EntryWithProposals },
    },
    async handler({ params, tenantId, db }) {
      const row = await findEntry(db, { tenantId, id: params.id })
      if (!row) throw notFound('Bank entry')
      return { ...entryView(row), proposals: await proposalsFor(db, row) }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/bank-entries/:id/assign',
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) =>
        findEntry(db, { tenantId, id: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Book an incoming bank transfer on an invoice; more than is due becomes credit',
      description:
        'Pays the invoice as `mark-paid` does, and starts what was ordered. 409 `entry_booked` and `invoice_draft`, 422 `currencies`.',
      params: IdParams,
      body: Assignment,
      response: { 200: EntrySchema, ...problems(404, 422) },
    },
    async handler({ params, body, caller, now, transact }) {
      const wanted = { caller, id: params.id, ...body }
      return entryView(await transact((tx) => assignEntry(tx, wanted, now)))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/bank-entries/:id/dismiss',
    config: {
      ...writing,
      exists: ({ db, tenantId, params }) =>
        findEntry(db, { tenantId, id: (params as { id: string }).id }),
    },
    schema: {
      tags,
      summary: 'Dismiss an incoming bank transfer that belongs to no invoice; this books nothing',
      description: '409 `entry_booked`.',
      params: IdParams,
      body: Dismissal,
      response: { 200: EntrySchema },
    },
    async handler({ params, body, caller, now, transact }) {
      const wanted = { caller, id: params.id, ...body }
      return entryView(await transact((tx) => dismissEntry(tx, wanted, now)))
    },
  })
}
