import { textFor } from '#lib/languages.ts'
import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { deleteNotified, listNotified } from './notices/queries.ts'

const PAGE = 100

/** The incidents that a person was notified of. */
export function personalData(db: Db, user: UserKey) {
  return { incidentNotices: noticesFor(db, user) }
}

/** Reads in batches, so that a long list is never in memory as a whole. */
async function* noticesFor(db: Db, user: UserKey) {
  let after: string | null = null
  do {
    const notices = await listNotified(db, user, { after, limit: PAGE })
    for (const { titles, state, notifiedAt } of notices) {
      yield { title: textFor(titles, 'en', null)?.[1] ?? '', state, notifiedAt }
    }
    after = notices.length === PAGE ? (notices.at(-1)?.id ?? null) : null
  } while (after)
}

/** Whom an update reached is forgotten with the person; how many it reached stays. */
export function erase(tx: Tx, person: Leaving): Promise<void> {
  return deleteNotified(tx, person)
}
