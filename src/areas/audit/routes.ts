import { Type } from 'typebox'
import { badRequest } from '#lib/problem.ts'
import { Id, Nullable, OneOf, Page, PageQuery, Timestamp } from '#lib/schema.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { listAddresses, listEntries } from './queries.ts'
import { verifyChain } from './verification.ts'

const tags: Tag[] = ['Admin - Audit']
const config = { access: 'admin', permission: 'audit:read' } as const

const Entry = Type.Object({
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

const EntryQuery = Type.Object({
  ...PageQuery.properties,
  actorId: Type.Optional(Id),
  objectId: Type.Optional(Id),
  route: Type.Optional(Type.String({ maxLength: 200, description: '`/v1/services/:id`' })),
  method: Type.Optional(OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
})

const Verified = Type.Object({
  valid: Type.Boolean(),
  entries: Type.Integer({ description: 'How many were checked' }),
  head: Type.Object({ sequence: Type.Integer(), hash: Type.String() }),
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
      summary: 'List who did what, newest first',
      querystring: EntryQuery,
      response: { 200: Page(Entry) },
    },
    async handler({ tenantId, query, db }) {
      const { from, to, ...rest } = query
      const page = await listEntries(db, tenantId, {
        ...rest,
        ...(from !== undefined && { from: momentOf(from) }),
        ...(to !== undefined && { to: momentOf(to) }),
      })
      const addresses = await listAddresses(
        db,
        tenantId,
        page.data.map(({ id }) => id),
      )
      const data = page.data.map(({ tenantId: _, occurredAt, ...entry }) => ({
        ...entry,
        address: addresses.get(entry.id) ?? null,
        createdAt: occurredAt,
      }))
      return { ...page, data }
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/audit-logs/verify',
    config,
    schema: {
      tags,
      summary: 'Check the whole chain: whether an entry was changed, taken out or put in',
      response: { 200: Verified },
    },
    handler: async ({ tenantId, db }) => verifyChain(db, tenantId),
  })
}

function momentOf(text: string): Instant {
  if (Number.isNaN(Date.parse(text))) throw badRequest('This is not a moment.')
  return instant(text)
}
