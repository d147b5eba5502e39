import { Type } from 'typebox'
import { Id, Nullable, OneOf, Page, PageQuery, Resource, Timestamp } from '#lib/schema.ts'
import { OBJECT_KINDS } from '#platform/area.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { verifyChain } from './verification.ts'
import { Filters, listEntryViews } from './view.ts'

const tags: Tag[] = ['Admin - Audit']
const config = { access: 'admin', permission: 'audit:read' } as const

const Entry = Resource('AuditEntry', {
  id: Id,
  sequence: Nullable(
    Type.Integer({ description: 'Its place in the chain; null until it has one' }),
  ),
  actorId: Nullable(Id),
  actorName: Nullable(Type.String({ description: 'Null for a deleted person' })),
  actorKind: Nullable(Type.String()),
  via: Nullable(Type.String()),
  credentialId: Nullable(Type.String()),
  impersonatorId: Nullable(Id),
  impersonatorName: Nullable(Type.String()),
  method: Type.String(),
  route: Type.String(),
  objectId: Nullable(Id),
  object: Nullable(
    Type.Object(
      { kind: OneOf([...OBJECT_KINDS]), name: Type.String() },
      { description: 'The object of `objectId`; null if it has no name, or no longer exists' },
    ),
  ),
  requestId: Type.String(),
  changed: Type.Boolean({ description: 'Whether something was changed' }),
  changes: Type.Array(
    Type.Object({
      path: Type.String({ description: 'The field: `brand.name`' }),
      before: Type.Unknown(),
      after: Type.Unknown(),
    }),
    {
      description:
        'The fields that the edit changed, with their values before and after; kept for a year. Values of ' +
        'secrets are hidden. Other requests have none',
    },
  ),
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

export const auditRoutes: Routes = (app, { areas }) => {
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
    handler: async ({ tenantId, query, db }) => listEntryViews({ db, tenantId, areas }, query),
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
