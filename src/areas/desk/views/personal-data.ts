import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { deleteViewsOf, listViewsOf } from './queries.ts'

/** The views of lists that a person has saved. */
export async function personalData(db: Db, key: UserKey) {
  return { savedViews: await listViewsOf(db, key) }
}

/** Deletes the views of a person, also the shared ones. */
export function erase(tx: Tx, person: Leaving): Promise<void> {
  return deleteViewsOf(tx, person)
}
