import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Deleted, Id, IdParams, NoBody, Page, PageQuery, Resource } from '#lib/schema.ts'
import type { Db } from '#platform/database/index.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import { problemLanguageOf } from '#platform/http/language.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { settingsOf } from '#tenants'
import { supportSettings } from '../settings.ts'
import { pageOfAssignable } from '../tickets/actions.ts'
import { seenDepartment, staffOf } from '../tickets/locking.ts'
import { readerOf } from '../tickets/view.ts'
import {
  archiveDepartment,
  changeDepartment,
  createDepartment,
  restoreDepartment,
} from './actions.ts'
import { findDepartment, listDepartments, listOffered } from './queries.ts'
import { type DepartmentRow, departmentName } from './rules.ts'
import { Department, DepartmentChange, NewDepartment, SupportOffer } from './schema.ts'

const tags: Tag[] = ['Admin - Support']
const url = '/v1/admin/departments'
const reading = { access: 'admin', permission: 'support:read' } as const
const writing = { access: 'admin', permission: 'support:write' } as const

function exists({ db, tenantId, params }: FastifyRequest) {
  return findDepartment(db, { tenantId, id: (params as { id: string }).id })
}

async function isOpen(request: FastifyRequest) {
  return (await exists(request))?.archivedAt === null
}

async function viewsOf(request: FastifyRequest, db: Db, rows: readonly DepartmentRow[]) {
  const reader = await readerOf(db, request.tenantId, problemLanguageOf(request))
  return rows.map(({ tenantId: _, ...row }) => ({ ...row, name: departmentName(row, reader) }))
}

async function viewOf(request: FastifyRequest, db: Db, row: DepartmentRow) {
  const [view] = await viewsOf(request, db, [row])
  if (!view) throw notFound('Department')
  return view
}

/** The departments from which a customer chooses. */
export const supportRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/support/departments',
    config: { access: 'user', impersonation: 'allowed' },
    schema: {
      tags: ['Support'],
      summary:
        'Get whether tickets are taken, the departments to choose from, and what can be attached',
      response: { 200: SupportOffer },
    },
    async handler(request) {
      const { db, tenantId } = request
      const settings = await settingsOf(db, tenantId, supportSettings)
      const attachments = {
        count: settings.maxAttachments,
        fileBytes: settings.maxAttachmentBytes,
        messageBytes: settings.maxMessageAttachmentBytes,
      }
      const reader = await readerOf(db, tenantId, problemLanguageOf(request))
      const offered = await listOffered(db, tenantId)
      const departments = offered.map((it) => ({ id: it.id, name: departmentName(it, reader) }))
      return { enabled: settings.enabled, departments, attachments }
    },
  })
}

/** What administrators do with departments. */
export const departmentRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url,
    config: reading,
    schema: {
      tags,
      summary: 'List departments in their order, archived ones last',
      response: { 200: Type.Object({ data: Type.Array(Department) }) },
    },
    async handler(request) {
      const { db, tenantId } = request
      const rows = await listDepartments(db, tenantId)
      return { data: await viewsOf(request, db, rows) }
    },
  })

  app.route({
    method: 'POST',
    url,
    config: writing,
    schema: {
      tags,
      summary: 'Add a department',
      description:
        'Customers choose from the departments that are visible to them. Without `groupIds` all staff see its tickets.',
      body: NewDepartment,
      response: { 201: Department },
    },
    async handler(request, reply) {
      reply.code(201)
      return request.transact(async (tx) =>
        viewOf(request, tx, await createDepartment(tx, request.caller, request.body, request.now)),
      )
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:id`,
    config: reading,
    schema: { tags, summary: 'Get a department', params: IdParams, response: { 200: Department } },
    async handler(request) {
      const { tenantId, params, db } = request
      const department = await findDepartment(db, { tenantId, ...params })
      if (!department || department.archivedAt) throw notFound('Department')
      return viewOf(request, db, department)
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:id`,
    config: { ...writing, exists: isOpen },
    schema: {
      tags,
      summary: 'Change a department',
      description: '409 `last_department` where customers would have no department to write to.',
      params: IdParams,
      body: DepartmentChange,
      response: { 200: Department, ...problems(404, 409) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const { tenantId, params, body } = request
        return viewOf(request, tx, await changeDepartment(tx, { tenantId, ...params }, body))
      }),
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:id`,
    config: writing,
    schema: {
      tags,
      summary: 'Archive a department; its tickets keep it',
      description: '409 `last_department` where customers would have no department to write to.',
      params: IdParams,
      response: { 200: Deleted, ...problems(404, 409) },
    },
    handler: ({ params, tenantId, now, transact }) =>
      transact((tx) => archiveDepartment(tx, { tenantId, ...params }, now)),
  })

  app.route({
    method: 'POST',
    url: `${url}/:id/restore`,
    config: { ...writing, exists },
    schema: {
      tags,
      summary: 'Use an archived department again',
      description: 'One that is not archived stays as it is.',
      params: IdParams,
      body: NoBody,
      response: { 200: Department, ...problems(404) },
    },
    handler: (request) =>
      request.transact(async (tx) => {
        const { tenantId, params } = request
        return viewOf(request, tx, await restoreDepartment(tx, { tenantId, ...params }))
      }),
  })

  app.route({
    method: 'GET',
    url: `${url}/:id/staff`,
    config: { access: 'admin', permission: 'tickets:read' },
    schema: {
      tags,
      summary: 'List the members of staff who work on the tickets of a department',
      params: IdParams,
      querystring: PageQuery,
      response: {
        200: Page(Resource('SupportStaff', { id: Id, name: Type.String() })),
        ...problems(404),
      },
    },
    async handler({ db, caller, params, query }) {
      const department = await seenDepartment(db, await staffOf(db, caller), params.id)
      const { data, nextCursor } = await pageOfAssignable(db, department, query)
      return { data: data.map(({ id, name }) => ({ id, name })), nextCursor }
    },
  })
}
