import { Type } from 'typebox'
import { Id, Nullable, OneOf, Page, PageQuery, Resource, Timestamp } from '#lib/schema.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { Filters, listShown } from './shown.ts'
import { verifyChain } from './verification.ts'

const tags: Tag[] = ['Admin - Audit']
const config = { access: 'admin', permission: 'audit:read' } as const

const Entry = Resource('AuditEntry', {
  id: Id,
  sequence: Nullable(
    Type.Integer({ description: 'Its place in the chain; null until it has one' }),
  ),
  actorId: Nullable(Id),
  actorKind: Nullable(Type.String()),
  via: Nullable(Type.String()),
  credentialId: Nullable(Type.String()),
  impersonatorId: Nullable(Id),
  method: Type.String(),
  route: Type.String(),
  objectId: Nullable(Id),
  requestId: Type.String(),
  changed: Type.Boolean({ description: 'Whether something was changed' }),
  statusCode: Nullable(
    Type.Integer({ description: 'Null while the request runs, and when its process died' }),
  ),
  address: Nullable(Type.String()),
  createdAt: Timestamp,
})

const EntryQuery = Type.Object({ ...PageQuery.properties, ...Filters })

const Verified = Resource('AuditVerification', {
  valid: Type.Boolean(),
  entries: Type.Integer({ description: 'How many were checked' }),
  head: Type.Object({ sequence: Type.Integer(), hash: Type.String() }),
  prunedTo: Nullable(
    Type.Object(
      { sequence: Type.Integer(), hash: Type.String(), at: Timestamp },
      { description: 'The last entry that was removed because of its age' },
    ),
  ),
  brokenAt: Nullable(Type.Integer()),
  reason: Nullable(OneOf(['missing', 'changed', 'personal_changed', 'cut_off'])),
})

export const auditRoutes: Routes = (app) => {
  app.route({
    method: 'GET',
    url: '/v1/admin/audit-logs',
    config,
    schema: {
      tags,
      summary: 'List audit entries, newest first',
      querystring: EntryQuery,
      response: { 200: Page(Entry) },
    },
    handler: async ({ tenantId, query, db }) => listShown(db, tenantId, query),
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/audit-logs/verify',
    config,
    schema: {
      tags,
      summary: 'Verify the whole chain: whether an entry was changed, removed or inserted',
      response: { 200: Verified },
    },
    handler: async ({ tenantId, db }) => verifyChain(db, tenantId),
  })
}
