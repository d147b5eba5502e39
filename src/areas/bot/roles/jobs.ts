import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { Id, Nullable } from '#lib/schema.ts'
import { HOUR_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { JobContext } from '#platform/deps.ts'
import { onEvents } from '#platform/events.ts'
import { enqueue, enqueueAll, job, schedule } from '#platform/jobs.ts'
import { rolesChanged } from '#rbac'
import {
  serviceActivated,
  serviceEnded,
  serviceReactivated,
  serviceRemade,
  serviceSuspended,
  serviceUpgraded,
} from '#services'
import { accountConnected, accountDisconnected, userSuspended, userUnsuspended } from '#users'
import { announceRoles } from './actions.ts'
import { listFeeds, listMembersAfter, listMembersOf, lockFeed } from './queries.ts'

/** Members whose roles are compared in one transaction. */
const BATCH = 500

/** Whom each of the events is about. */
const Concerned = Type.Object({ userId: Type.String() })

/** Says what a change of somebody's services, roles or account means for their roles at Discord. */
export const followPerson = onEvents(
  [
    ...[serviceActivated, serviceRemade, serviceUpgraded, serviceSuspended],
    ...[serviceReactivated, serviceEnded],
    ...[rolesChanged, accountConnected, accountDisconnected, userSuspended, userUnsuspended],
  ],
  'bot.follow-person',
  async ({ transact, clock }, { tenantId, facts }) => {
    if (!Value.Check(Concerned, facts)) return
    const { userId } = facts
    await transact(async (tx) => {
      // Before anything is read: what somebody else is about to say of this person counts then.
      const feed = await lockFeed(tx, tenantId)
      if (!feed) return
      const discordIds = await listMembersOf(tx, { tenantId, userId })
      await announceRoles(tx, feed, discordIds, clock.now())
    })
  },
  { concurrency: 2 },
)

/** Says what changed mappings mean for everybody, some members at a time. */
export const announceToAll = job(
  'bot.announce-to-all',
  Type.Object({ tenantId: Id, after: Nullable(Type.String()) }),
  async ({ transact, clock }, { tenantId, after }) => {
    await transact(async (tx) => {
      const feed = await lockFeed(tx, tenantId)
      if (!feed) return
      const discordIds = await listMembersAfter(tx, tenantId, { after, limit: BATCH })
      await announceRoles(tx, feed, discordIds, clock.now())
      const last = discordIds.at(-1)
      if (discordIds.length < BATCH || last === undefined) return
      await enqueue(tx, announceToAll, { tenantId, after: last }, { key: `${tenantId} ${last}` })
    })
  },
  { concurrency: 2 },
)

/** Compares everybody again now and then: whatever no event has told of is put right. */
export const compareAll = schedule('bot.compare-all', 6 * HOUR_MS, async ({ db }: JobContext) => {
  const feeds = await listFeeds(db)
  await transact(db, (tx) =>
    enqueueAll(
      tx,
      announceToAll,
      feeds.map(({ tenantId }) => ({ payload: { tenantId, after: null }, key: tenantId })),
    ),
  )
})
