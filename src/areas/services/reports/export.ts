import { listActivityOf } from '#panel'
import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { ofPerson, othersOnServersOf } from './queries.ts'

const PAGE = 100

/**
 * What was done on a person's servers, and by them on those of others, for the export of their data:
 * page by page. From where somebody did it is for that person's export alone.
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
