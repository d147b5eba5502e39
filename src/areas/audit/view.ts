import { type Static, Type } from 'typebox'
import { badRequest } from '#lib/problem.ts'
import { Id, OneOf, Timestamp } from '#lib/schema.ts'
import { type Instant, instant } from '#lib/time.ts'
import type { Area, ObjectKind } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { PageQuery } from '#platform/page.ts'
import { findUsers } from '#users'
import { listAddresses, listChanges, listEntries } from './queries.ts'

/** The filters of the list of entries. */
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

/**
 * A page of entries with network addresses, the names of people and objects, and the changes. The number of queries
 * does not depend on the number of entries. Throws 400 for an invalid date-time or cursor.
 */
export async function listEntryViews(
  { db, tenantId, areas }: { db: Db; tenantId: string; areas: readonly Area[] },
  { from, to, ...rest }: FilterQuery & PageQuery,
) {
  const page = await listEntries(db, tenantId, {
    ...rest,
    ...(from !== undefined && { from: momentOf(from) }),
    ...(to !== undefined && { to: momentOf(to) }),
  })
  const ids = page.data.map(({ id }) => id)
  const actors = page.data.flatMap(({ actorId, impersonatorId }) => [actorId, impersonatorId])
  const [addresses, changes, people, objects] = await Promise.all([
    listAddresses(db, tenantId, ids),
    listChanges(db, tenantId, ids),
    namesOfPeople(db, tenantId, known(actors)),
    namesOfObjects({ db, tenantId, areas }, known(page.data.map(({ objectId }) => objectId))),
  ])
  const data = page.data.map(({ tenantId: _, occurredAt, ...entry }) => ({
    ...entry,
    actorName: people.get(entry.actorId ?? '') ?? null,
    impersonatorName: people.get(entry.impersonatorId ?? '') ?? null,
    object: objects.get(entry.objectId ?? '') ?? null,
    changes: [...(changes.get(entry.id) ?? [])],
    address: addresses.get(entry.id) ?? null,
    createdAt: occurredAt,
  }))
  return { ...page, data }
}

function known(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null)
}

/** The names of people, or their e-mail addresses if they have no name; deleted people have neither. */
async function namesOfPeople(db: Db, tenantId: string, ids: readonly string[]) {
  const people = ids.length === 0 ? [] : await findUsers(db, tenantId, ids)
  const named = people.filter(({ deletedAt }) => deletedAt === null)
  return new Map(named.map(({ id, name, email }) => [id, name || email]))
}

/** Kind and name of objects, one query per kind. */
async function namesOfObjects(
  { db, tenantId, areas }: { db: Db; tenantId: string; areas: readonly Area[] },
  ids: readonly string[],
): Promise<ReadonlyMap<string, { kind: ObjectKind; name: string }>> {
  if (ids.length === 0) return new Map()
  const found = await Promise.all(
    areas.map(async ({ objectsAmong }) => (await objectsAmong?.(db, tenantId, ids)) ?? []),
  )
  return new Map(found.flat().map(({ id, kind, name }) => [id, { kind, name }]))
}

function momentOf(text: string): Instant {
  if (Number.isNaN(Date.parse(text))) throw badRequest('This is not a date with a time.')
  return instant(text)
}
