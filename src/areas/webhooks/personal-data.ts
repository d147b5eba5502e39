import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listMessagesOf } from './messages/queries.ts'

const PAGE = 100

/** What other systems were told about a person. Bodies name them by their id only, so they stay. */
export function personalData(db: Db, user: UserKey) {
  return { messages: messagesOf(db, user) }
}

async function* messagesOf(db: Db, user: UserKey) {
  let cursor: string | null | undefined
  do {
    const page = await listMessagesOf(db, user, { limit: PAGE, ...(cursor && { cursor }) })
    yield* page.data
    cursor = page.nextCursor
  } while (cursor)
}
