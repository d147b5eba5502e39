import { type Static, Type } from 'typebox'
import { badRequest } from '#lib/problem.ts'
import { Id, OneOf, Timestamp } from '#lib/schema.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { Db } from '#platform/database/index.ts'
import type { PageQuery } from '#platform/page.ts'
import { listAddresses, listEntries } from './queries.ts'

/** What entries are looked for by. */
export const Filters = {
  actorId: Type.Optional(Id),
  impersonatorId: Type.Optional(Id),
  objectId: Type.Optional(Id),
  route: Type.Optional(Type.String({ maxLength: 200, description: '`/v1/services/:id`' })),
  method: Type.Optional(OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
}

export const FilterQuery = Type.Object(Filters)
export type FilterQuery = Static<typeof FilterQuery>

/** A page of entries as they are shown: with their addresses. Throws 400 for a bad moment or cursor. */
export async function listShown(
  db: Db,
  tenantId: string,
  { from, to, ...rest }: FilterQuery & PageQuery,
) {
  const page = await listEntries(db, tenantId, {
    ...rest,
    ...(from !== undefined && { from: momentOf(from) }),
    ...(to !== undefined && { to: momentOf(to) }),
  })
  const ids = page.data.map(({ id }) => id)
  const addresses = await listAddresses(db, tenantId, ids)
  const data = page.data.map(({ tenantId: _, occurredAt, ...entry }) => ({
    ...entry,
    address: addresses.get(entry.id) ?? null,
    createdAt: occurredAt,
  }))
  return { ...page, data }
}

function momentOf(text: string): Instant {
  if (Number.isNaN(Date.parse(text))) throw badRequest('This is not a moment.')
  return instant(text)
}
