import { Type } from 'typebox'
import { Value } from 'typebox/value'
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
import { announceToAll } from '../work.ts'
import { announceRoles } from './actions.ts'
import { listFeeds, listMembersAfter, listMembersOf, lockFeed } from './queries.ts'

/** Members whose roles are compared in one transaction. */
const BATCH = 500

/** The facts of an event that name the person it is about. */
const Concerned = Type.Object({ userId: Type.String() })

/** Updates the feed when a person's services, roles or account change. */
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
      // Before anything is read, so that a concurrent append about this person is seen.
      const feed = await lockFeed(tx, tenantId)
      if (!feed) return
      const discordIds = await listMembersOf(tx, { tenantId, userId })
      await announceRoles(tx, feed, discordIds, clock.now())
    })
  },
  { concurrency: 2 },
)

/** Updates the feed for everybody after mappings changed, a batch of members at a time. */
export const announceToAllJob = job(
  announceToAll,
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

/** Compares everybody again now and then, to correct changes that no event reported. */
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
