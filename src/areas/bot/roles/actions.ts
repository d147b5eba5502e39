import type { Instant } from '#lib/time.ts'
import type { Leaving } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  deleteAdditions,
  deleteGrants,
  type FeedRow,
  type Grant,
  insertChanges,
  insertGrants,
  listEntitled,
  listGrants,
  listMembersOf,
  lockFeed,
  moveGrants,
  updateFeed,
} from './queries.ts'
import { differenceOf } from './rules.ts'

/**
 * Appends to the feed how the roles of members differ from what the feed last said, or nothing if they do not.
 * `feed` must be locked: concurrent appends wait, so that sequences become visible in order and each
 * comparison sees the result of the one before.
 */
export async function announceRoles(
  tx: Tx,
  feed: FeedRow,
  discordIds: readonly string[],
  now: Instant,
): Promise<void> {
  if (discordIds.length === 0) return
  const { tenantId } = feed
  const granted = await listGrants(tx, { tenantId, discordIds })
  const wanted = await listEntitled(tx, { tenantId, discordIds })
  const { added, removed, moved } = differenceOf(granted, wanted)
  await append(tx, feed, { added, removed }, now)
  await deleteGrants(tx, tenantId, removed)
  await insertGrants(
    tx,
    added.map((it) => ({ tenantId, ...it, createdAt: now })),
  )
  await moveGrants(
    tx,
    moved.map((it) => ({ tenantId, ...it })),
  )
}

async function append(
  tx: Tx,
  { tenantId, lastSequence }: FeedRow,
  { added, removed }: { added: readonly Grant[]; removed: readonly Grant[] },
  now: Instant,
): Promise<void> {
  const entries = [
    ...removed.map((grant) => ({ grant, action: 'remove' as const })),
    ...added.map((grant) => ({ grant, action: 'add' as const })),
  ]
  if (entries.length === 0) return
  const rows = entries.map(({ grant: { discordId, guildId, roleId }, action }, index) => {
    const sequence = lastSequence + index + 1
    return { tenantId, sequence, discordId, guildId, roleId, action, createdAt: now }
  })
  await insertChanges(tx, rows)
  await updateFeed(tx, { tenantId, lastSequence: lastSequence + rows.length })
}

/**
 * Takes away every role of a person whose account ends. Of the feed's entries about them, the removals
 * stay until bots have applied them.
 */
export async function removeAllRoles(tx: Tx, person: Leaving, now: Instant): Promise<void> {
  const { tenantId } = person
  const feed = await lockFeed(tx, tenantId)
  if (!feed) return
  const discordIds = await listMembersOf(tx, person)
  if (discordIds.length === 0) return
  const removed = await listGrants(tx, { tenantId, discordIds })
  await deleteAdditions(tx, { tenantId, discordIds })
  await append(tx, feed, { added: [], removed }, now)
  await deleteGrants(tx, tenantId, removed)
}
