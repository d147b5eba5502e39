import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listMessagesOf } from './messages/queries.ts'

const PAGE = 100

/** What was sent to other systems about a person. Bodies contain only their id, so they stay. */
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
