import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { deletePresenceOf, listPresenceOf } from './presence/queries.ts'
import { deleteViewsOf, listViewsOf } from './views/queries.ts'

/** The views of lists that a person has saved, and the pages they have open now. */
export async function personalData(db: Db, key: UserKey) {
  const [savedViews, openPages] = [await listViewsOf(db, key), await listPresenceOf(db, key)]
  return { savedViews, openPages }
}

/** Deletes the views of a person, also the shared ones, and where they were seen. */
export async function erase(tx: Tx, person: Leaving): Promise<void> {
  await deleteViewsOf(tx, person)
  await deletePresenceOf(tx, person)
}
