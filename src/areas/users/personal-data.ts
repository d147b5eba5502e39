import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listApiKeyHistory } from './api-keys/queries.ts'
import { findUser } from './queries.ts'
import { userView } from './rules.ts'
import { listSessionHistory } from './sessions/queries.ts'

/** The person's profile, and the metadata of their sessions and keys: never a hash, never a token. */
export async function personalData(db: Db, key: UserKey) {
  const user = await findUser(db, key)
  if (!user) return {}
  const { roles: _roles, ...profile } = userView(user, [])
  return {
    profile,
    sessions: await listSessionHistory(db, key),
    apiKeys: await listApiKeyHistory(db, key),
  }
}
