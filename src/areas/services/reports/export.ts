import { listActivityOf } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { ofPerson, othersOnServersOf } from './queries.ts'

const PAGE = 100

/**
 * The activity on a person's servers, and the person's own on those of others, for the export of their
 * data: page by page. The network address of an activity is only in the export of the person who did
 * it.
 */
export async function* serverActivityOf(db: Db, user: UserKey) {
  const whose = await ofPerson(db, user)
  if (whose.serverUuids.length + whose.panelUsers.length === 0) return
  const others = await othersOnServersOf(db, user)
  let cursor: string | null | undefined
  do {
    const page = await listActivityOf(db, whose, { limit: PAGE, ...(cursor && { cursor }) })
    for (const { id: _, panelUser, ip, ...entry } of page.data) {
      const isOther =
        panelUser !== null && others.has(panelUser) && !whose.panelUsers.includes(panelUser)
      yield { ...entry, ip: isOther ? null : ip }
    }
    cursor = page.nextCursor
  } while (cursor)
}
