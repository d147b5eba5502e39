import type { ChangeRow, FeedRow } from '../roles/queries.ts'
import type { Changes } from './schema.ts'

/** The last position of the feed, and the one up to which it was deleted. */
export type Ends = Pick<FeedRow, 'lastSequence' | 'trimmedSequence'>

/** The state of a feed that does not exist yet. */
export const NO_FEED: Ends = { lastSequence: 0, trimmedSequence: 0 }

/**
 * The answer to a bot that has applied everything up to `position`, with the changes that were read after
 * it. A bot that has never read everything, that missed deleted changes, or that is ahead because the database
 * was restored, is told to read all members instead.
 */
export function pageAfter(
  position: number | null,
  { lastSequence, trimmedSequence }: Ends,
  { rows, limit }: { rows: readonly ChangeRow[]; limit: number },
): Changes {
  if (position === null || position < trimmedSequence || position > lastSequence) {
    return { data: [], cursor: String(lastSequence), more: false, reset: true }
  }
  const part = rows.slice(0, limit)
  const data = part.map(({ sequence, discordId, guildId, roleId, action, createdAt }) => {
    return { id: String(sequence), discordId, guildId, roleId, action, at: createdAt }
  })
  const cursor = data.at(-1)?.id ?? String(position)
  return { data, cursor, more: rows.length > limit, reset: false }
}
