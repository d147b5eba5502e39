import type { Instant } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import { recordChange } from '../tickets/changes.ts'
import type { TicketKey } from '../tickets/queries.ts'
import { deleteTags, insertTags, tagsOf } from './queries.ts'

type Wanted = { readonly tags: readonly string[]; readonly actorId: string }

/** Gives a locked ticket exactly these tags, and records the change for staff if there is one. */
export async function setTags(
  tx: Tx,
  ticket: TicketKey,
  { tags, actorId }: Wanted,
  now: Instant,
): Promise<void> {
  const before = await tagsOf(tx, ticket)
  const added = tags.filter((it) => !before.includes(it))
  const removed = before.filter((it) => !tags.includes(it))
  if (added.length + removed.length === 0) return
  if (removed.length > 0) await deleteTags(tx, ticket, removed)
  if (added.length > 0) await insertTags(tx, ticket, added)
  const values = { before: before.join(', ') || null, after: tags.join(', ') || null }
  await recordChange(tx, ticket, { kind: 'tags', actorId, ...values }, now)
}
