import { Type } from 'typebox'
import { Id, Nullable } from '#lib/schema.ts'
import { work } from '#platform/jobs.ts'

/** Compares the roles of all linked people with the feed, from the one after `after` on. */
export const announceToAll = work(
  'bot.announce-to-all',
  Type.Object({ tenantId: Id, after: Nullable(Type.String()) }),
)
