import { notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import { tellLive } from '#notifications'
import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { namesOf } from '#users'
import {
  deletePresence,
  isSeen,
  listPresent,
  lockObject,
  type PresenceKey,
  upsertPresence,
} from './queries.ts'
import { expiredAt, expiryOf, MOST_PRESENT } from './rules.ts'
import type { Heartbeat, OpenObject, Presence } from './schema.ts'

/**
 * Records that a member of staff has an object open, and returns the others who have it open. Those are notified only
 * of a change: of a person who was not present before, or who begins or stops writing. Throws 404.
 */
export async function beat(
  tx: Tx,
  { tenantId, userId }: UserKey,
  { kind, id, writing = false }: Heartbeat,
  now: Instant,
): Promise<Presence> {
  const key: PresenceKey = { tenantId, userId, kind, id }
  if (!(await isSeen(tx, key))) throw notFound('Object')
  await lockObject(tx, key)
  const present = await listPresent(tx, key, expiredAt(now))
  const before = present.find((it) => it.userId === userId)
  await upsertPresence(tx, { tenantId, kind, objectId: id, userId, writing, seenAt: now })
  const others = present.filter((it) => it !== before)
  if (before?.writing !== writing) await tellOthers(tx, key, others)
  const names = await namesOf(
    tx,
    tenantId,
    others.map((it) => it.userId),
  )
  const named = others.map((it) => ({
    ...{ id: it.userId, writing: it.writing },
    name: names.get(it.userId)?.name ?? '',
  }))
  const sorted = named.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
  return { others: sorted.slice(0, MOST_PRESENT), expiresAt: expiryOf(now) }
}

/** Ends the presence of a member of staff at an object, if there is one, and notifies the others. */
export async function leave(
  tx: Tx,
  { tenantId, userId }: UserKey,
  { kind, id }: OpenObject,
  now: Instant,
): Promise<void> {
  const key: PresenceKey = { tenantId, userId, kind, id }
  if (!(await deletePresence(tx, key))) return
  await tellOthers(tx, key, await listPresent(tx, key, expiredAt(now)))
}

async function tellOthers(
  tx: Tx,
  { tenantId, kind, id }: PresenceKey,
  others: readonly { userId: string }[],
): Promise<void> {
  const userIds = others.slice(0, MOST_PRESENT).map(({ userId }) => userId)
  await tellLive(tx, { tenantId, userIds, event: 'presence', data: { kind, id } })
}
