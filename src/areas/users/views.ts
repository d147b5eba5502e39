import type { Named, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { UserRow } from './queries.ts'
import { userView } from './rules.ts'

type Views = {
  one(db: Db, user: UserRow): Promise<ReturnType<typeof userView>>
  many(db: Db, tenantId: string, users: readonly UserRow[]): Promise<ReturnType<typeof userView>[]>
  permissionsOf(db: Db, user: UserKey): Promise<ReadonlySet<string>>
}

/** People with the roles that a later area gives them. */
export function viewsOf({ areas }: Deps): Views {
  const rolesOf = areas.find((area) => area.rolesOf)?.rolesOf
  const permissionsOf = areas.find((area) => area.permissionsOf)?.permissionsOf
  async function many(db: Db, tenantId: string, users: readonly UserRow[]) {
    const userIds = users.map(({ id }) => id)
    const roles = await rolesOf?.(db, { tenantId, userIds })
    return users.map((user) => userView(user, roles?.get(user.id) ?? NO_ROLES))
  }
  return {
    many,
    async one(db, user) {
      const [view] = await many(db, user.tenantId, [user])
      return view ?? userView(user, NO_ROLES)
    },
    permissionsOf: (db, user) => permissionsOf?.(db, user) ?? Promise.resolve(new Set()),
  }
}

const NO_ROLES: readonly Named[] = []
