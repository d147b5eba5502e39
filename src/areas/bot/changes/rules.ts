import type { ChangeRow, FeedRow } from '../roles/queries.ts'
import type { Changes } from './schema.ts'

/** Where the feed ends, and up to where it is no longer kept. */
export type Ends = Pick<FeedRow, 'lastSequence' | 'trimmedSequence'>

/** The feed of a tenant that has none. */
export const NO_FEED: Ends = { lastSequence: 0, trimmedSequence: 0 }

/**
 * What a bot that has applied everything up to `position` gets, of the changes that were read after
 * it. One that has never had all, missed what is no longer kept, or knows of changes that a restored
 * database does not, is to compare everybody instead.
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
