import type { UserKey } from '#platform/area.ts'
import type { Tx } from '#platform/database/index.ts'
import { lockUser } from '#users'
import { deleteWishes, insertWishes } from './queries.ts'
import { switchesIn } from './rules.ts'
import type { PreferenceChange } from './schema.ts'

/**
 * Changes switches of a person; only what differs from the default is stored. If a switch is named twice,
 * the last value counts. 422 for one that is locked.
 */
export async function changePreferences(
  tx: Tx,
  user: UserKey,
  changes: readonly PreferenceChange[],
): Promise<void> {
  const named = switchesIn(changes)
  const switches = [...new Map(named.map((it) => [`${it.kind} ${it.channel}`, it])).values()]
  if (switches.length === 0) return
  await lockUser(tx, user)
  await deleteWishes(tx, user, switches)
  await insertWishes(
    tx,
    user,
    switches.filter(({ enabled, usual }) => enabled !== usual),
  )
}
