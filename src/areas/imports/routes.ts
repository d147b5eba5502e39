import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { csvLine } from '#lib/csv.ts'
import { newId } from '#lib/id.ts'
import { badRequest, notFound } from '#lib/problem.ts'
import { IdParams, Page, PageQuery } from '#lib/schema.ts'
import { transact as inTransaction } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { sendCsv } from '#platform/http/table.ts'
import { receiveFile } from '#platform/http/upload.ts'
import { settingsOf } from '#tenants'
import { beginImport, beginRenewals, cancelImport } from './actions.ts'
import { CHANGE_COLUMNS, changesOf, changesPage } from './cutover/changes.ts'
import { decide, decisionsOf, findWritten } from './cutover/decisions.ts'
import {
  RECONCILED_COLUMNS,
  reconciledOf,
  reconciledPage,
  reconciliationsOf,
} from './cutover/reconcile.ts'
import { undoLater } from './jobs.ts'
import { PREVIEW_COLUMNS, previewOf, previewPage, setUpFor } from './preview.ts'
import {
  deleteUpload,
  findImport,
  type ImportRow,
  insertUpload,
  listImports,
  notesOf,
} from './queries.ts'
import { fileNameOf, importView, summaryOf } from './rules.ts'
import {
  BegunRenewals,
  Decisions,
  ImportChanges,
  ImportDecisions,
  ImportPreview,
  ImportReconciliations,
  ImportSchema,
  ImportSummary,
  PreviewDecisions,
  PreviewQuery,
  ReconciledCustomer,
  SYSTEMS,
  Undo,
  UndoneImport,
  Upload,
} from './schema.ts'
import { importSettings } from './settings.ts'
import { beginUndo } from './undoing/actions.ts'

const tags: Tag[] = ['Admin - Imports']
const read = { access: 'admin', permission: 'imports:read' } as const
const write = { access: 'admin', permission: 'imports:write' } as const

const COLUMNS = ['outcome', 'code', 'table', 'id', 'detail'] as const

const ReconciliationParams = Type.Object({
  ...IdParams.properties,
  days: Type.Integer({ description: '7 or 30' }),
})

/** The default page size of a preview. */
const PREVIEWED = 50

function exists({ db, tenantId, params }: FastifyRequest) {
  return findImport(db, { tenantId, id: (params as { id: string }).id })
}

export const importRoutes: Routes = (app, { files, log }) => {
  // The route reads the form itself, a piece at a time.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))

  app.route({
    method: 'POST',
    url: '/v1/admin/imports',
    config: { ...write, longBody: true },
    schema: {
      tags,
      summary: 'Import the dump of another system; the same file again is the same import',
      description:
        'Takes a multipart form with the dump and answers before it is read; follow it with `GET`. With `dryRun` everything is checked and nothing is written. 409 `import_running`, 413 above the limit of the installation.',
      consumes: ['multipart/form-data'],
      body: Upload,
      response: { 202: ImportSchema, ...problems(409, 413, 415, 422) },
    },
    async handler({ raw, tenantId, caller, db, now, transact }, reply) {
      const id = newId()
      const key = { tenantId, id }
      const fileKey = `${tenantId}/imports/${id}`
      const { maxUploadBytes } = await settingsOf(db, tenantId, importSettings)
      await inTransaction(db, (tx) => insertUpload(tx, { ...key, fileKey, createdAt: now }))
      const forget = () => inTransaction(db, (tx) => deleteUpload(tx, key))
      try {
        const received = await receiveFile(raw, { files, key: fileKey, maxBytes: maxUploadBytes })
        const wanted = { ...key, ...choicesIn(received.fields), userId: caller.userId, fileKey }
        const { sizeBytes, sha256 } = received
        const fileName = fileNameOf(received.fileName)
        const upload = { ...wanted, fileName, sizeBytes, sha256, createdAt: now }
        const { row, known } = await transact((tx) => beginImport(tx, upload))
        if (known) {
          await files.delete(fileKey)
          await forget()
        }
        return await reply.code(202).send(importView(row, now))
      } catch (error) {
        await files.delete(fileKey)
        await forget()
        throw error
      }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports',
    config: read,
    schema: {
      tags,
      summary: 'List imports, newest first',
      querystring: PageQuery,
      response: { 200: Page(ImportSummary) },
    },
    async handler({ query, tenantId, db, now }) {
      const page = await listImports(db, tenantId, query)
      return { ...page, data: page.data.map((row) => summaryOf(row, now)) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id',
    config: read,
    schema: {
      tags,
      summary: 'An import: how far it is, and its report once it has ended',
      params: IdParams,
      response: { 200: ImportSchema },
    },
    async handler({ params, tenantId, db, now }) {
      const row = await findImport(db, { tenantId, ...params })
      if (!row) throw notFound('Import')
      return importView(row, now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/imports/:id/cancel',
    config: { ...write, exists },
    schema: {
      tags,
      summary: 'Cancel an import before it is written; it leaves no data',
      description:
        '409 `import_ended`, and `import_writing` once records are written: undo it then.',
      params: IdParams,
      response: { 200: ImportSchema, ...problems(409) },
    },
    async handler({ params, tenantId, now, transact }) {
      const key = { tenantId, ...params }
      return importView(await transact((tx) => cancelImport(tx, key, now)), now)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/imports/:id/begin-renewals',
    config: { ...write, exists },
    schema: {
      tags,
      summary: 'Renew the services of an import from now on',
      description:
        'Past periods are not invoiced. An open imported invoice is the renewal of the services that it names. Imports of a system begin in their order, each with the services that it added: 409 `older_import_waits`.',
      params: IdParams,
      body: Type.Optional(Decisions),
      response: { 200: BegunRenewals, ...problems(409) },
    },
    async handler({ params, body, tenantId, caller, now, transact }) {
      return transact((tx) =>
        beginRenewals(
          tx,
          { tenantId, ...params },
          { made: body ?? {}, userId: caller.userId },
          now,
        ),
      )
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/imports/:id/undo',
    config: { ...write, exists },
    schema: {
      tags,
      summary: 'Undo an import before renewals begin',
      description:
        'Removes everything that the import wrote, unless its records have been used since. `undoing` becomes `undone`.',
      params: IdParams,
      body: Type.Optional(Undo),
      response: { 200: UndoneImport, ...problems(409) },
    },
    async handler({ params, body, tenantId, transact }) {
      const undo = { dryRun: body?.dryRun ?? false, later: undoLater }
      return transact((tx) => beginUndo(tx, { tenantId, ...params }, undo))
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/preview',
    config: read,
    schema: {
      tags,
      summary: 'Preview the first invoices if renewals of an import began now',
      params: IdParams,
      querystring: PreviewQuery,
      response: { 200: ImportPreview, ...problems(409) },
    },
    async handler({ params, query, tenantId, db, now }) {
      const key = { tenantId, ...params }
      const { limit = PREVIEWED, cursor, ...decisions } = query
      const page = await previewPage(db, key, { ...decisions, limit, cursor }, now)
      return { setUp: await setUpFor(db, key, decisions, now), ...page }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/preview/csv',
    config: read,
    schema: {
      tags,
      summary: 'The full preview of renewals, as CSV',
      params: IdParams,
      querystring: PreviewDecisions,
      produces: ['text/csv'],
      response: { 200: Type.String(), ...problems(409) },
    },
    async handler(request, reply) {
      const { params, query, tenantId, db, now } = request
      const batches = previewOf(db, { tenantId, ...params }, query, now)
      const table = { name: 'import-preview', columns: PREVIEW_COLUMNS, batches }
      return sendCsv(request, reply, table, log)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/decisions',
    config: read,
    schema: {
      tags,
      summary:
        'The decisions about an import: which are needed before renewals begin, and which are made',
      params: IdParams,
      response: { 200: ImportDecisions, ...problems(409) },
    },
    async handler({ params, tenantId, db, now }) {
      return { data: await decisionsOf(db, { tenantId, ...params }, now) }
    },
  })

  app.route({
    method: 'PUT',
    url: '/v1/admin/imports/:id/decisions',
    config: { ...write, exists },
    schema: {
      tags,
      summary: 'Make decisions about an import; those that are left out stay as they are',
      description: '409 `renewals_begun`.',
      params: IdParams,
      body: Decisions,
      response: { 200: ImportDecisions, ...problems(409) },
    },
    async handler({ params, body, tenantId, caller, now, transact }) {
      const key = { tenantId, ...params }
      return transact(async (tx) => {
        await findWritten(tx, key)
        await decide(tx, key, { made: body, userId: caller.userId }, now)
        return { data: await decisionsOf(tx, key, now) }
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/changes',
    config: read,
    schema: {
      tags,
      summary: 'The changes since the dump before: rows that are new, changed or gone',
      description:
        'Compares people, services, invoices and prices with the import before of the same system, also a dry run or one that was undone.',
      params: IdParams,
      querystring: PageQuery,
      response: { 200: ImportChanges },
    },
    async handler({ params, query: { limit = PREVIEWED, cursor }, tenantId, db }) {
      return changesPage(db, { tenantId, ...params }, { limit, cursor })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/changes/csv',
    config: read,
    schema: {
      tags,
      summary: 'All changes since the dump before, as CSV',
      params: IdParams,
      produces: ['text/csv'],
      response: { 200: Type.String() },
    },
    async handler(request, reply) {
      const { params, tenantId, db } = request
      const batches = changesOf(db, { tenantId, ...params })
      const table = { name: 'import-changes', columns: CHANGE_COLUMNS, batches }
      return sendCsv(request, reply, table, log)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/reconciliations',
    config: read,
    schema: {
      tags,
      summary: 'Compare the first invoices after an import with its preview, after 7 and 30 days',
      params: IdParams,
      response: { 200: ImportReconciliations },
    },
    async handler({ params, tenantId, db }) {
      return { data: await reconciliationsOf(db, { tenantId, ...params }) }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/reconciliations/:days',
    config: read,
    schema: {
      tags,
      summary: 'The customers of a reconciliation, unexplained differences first',
      params: ReconciliationParams,
      querystring: PageQuery,
      response: { 200: Page(ReconciledCustomer), ...problems(409) },
    },
    async handler({ params: { id, days }, query, tenantId, db }) {
      const { limit = PREVIEWED, cursor } = query
      return reconciledPage(db, { tenantId, id, days }, { limit, cursor })
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/reconciliations/:days/csv',
    config: read,
    schema: {
      tags,
      summary: 'All customers of a reconciliation, as CSV',
      params: ReconciliationParams,
      produces: ['text/csv'],
      response: { 200: Type.String(), ...problems(409) },
    },
    async handler(request, reply) {
      const { params, tenantId, db } = request
      const batches = reconciledOf(db, { tenantId, ...params })
      const table = { name: 'import-reconciliation', columns: RECONCILED_COLUMNS, batches }
      return sendCsv(request, reply, table, log)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/imports/:id/rows',
    config: read,
    schema: {
      tags,
      summary: 'Export the rows that were skipped, merged, failed or are unusual, as CSV',
      params: IdParams,
      produces: ['text/csv'],
      response: { 200: Type.String() },
    },
    async handler({ params, tenantId, db, method }, reply) {
      const key = { tenantId, ...params }
      if (!(await findImport(db, key))) throw notFound('Import')
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="import-rows.csv"')
        .serializer((it: Readable) => it as never)
      if (method === 'HEAD') return reply.send(Readable.from([]) as never)
      async function* lines() {
        try {
          yield csvLine(COLUMNS)
          for await (const { kind, code, sourceTable, sourceId, detail } of notesOf(db, key)) {
            yield csvLine([kind, code, sourceTable, sourceId, detail])
          }
        } catch (error) {
          log.error({ err: error }, 'the rows of an import could not be sent')
          throw error
        }
      }
      return reply.send(Readable.from(lines()) as never)
    },
  })
}

type Choices = Pick<ImportRow, 'dryRun' | 'wantedSystem'>

/** The choices in the fields of the form. Throws 400 for an unknown field. */
function choicesIn(fields: ReadonlyMap<string, string>): Choices {
  for (const name of fields.keys()) {
    if (name !== 'source' && name !== 'dryRun') throw badRequest(`Unknown field: ${name}`)
  }
  const source = fields.get('source') ?? null
  const wantedSystem = SYSTEMS.find((it) => it === source) ?? null
  if (source !== null && !wantedSystem) throw badRequest('source: not a system that is known')
  const dryRun = fields.get('dryRun') ?? 'false'
  if (dryRun !== 'true' && dryRun !== 'false') throw badRequest('dryRun: true or false')
  return { dryRun: dryRun === 'true', wantedSystem }
}
