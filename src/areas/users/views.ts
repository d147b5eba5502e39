import { type Caller, holds } from '#lib/caller.ts'
import type { Named, UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { isDefaultTenant } from '#tenants'
import { namesOf, type UserRow } from './queries.ts'
import { userView } from './rules.ts'
import type { Me } from './schema.ts'

type UserView = ReturnType<typeof userView>
/** What `me` needs to know about the caller's session. */
type Acting = Pick<Caller, 'impersonatorId' | 'until'>

type Views = {
  one(db: Db, user: UserRow): Promise<UserView>
  many(db: Db, tenantId: string, users: readonly UserRow[]): Promise<UserView[]>
  /** A person as they see themselves, with their permissions and who acts as them. */
  me(db: Db, user: UserRow, acting?: Acting): Promise<Me>
  permissionsOf(db: Db, user: UserKey): Promise<ReadonlySet<string>>
}

/** Views of people with their roles, which come from a later area. */
export function viewsOf({ areas }: Deps): Views {
  const rolesOf = areas.find((area) => area.rolesOf)?.rolesOf
  const heldBy = areas.find((area) => area.permissionsOf)?.permissionsOf
  const keys = areas.flatMap(({ permissions = [] }) => permissions.map(({ key }) => key)).sort()
  async function many(db: Db, tenantId: string, users: readonly UserRow[]) {
    const userIds = users.map(({ id }) => id)
    const roles = await rolesOf?.(db, { tenantId, userIds })
    return users.map((user) => userView(user, roles?.get(user.id) ?? NO_ROLES))
  }
  async function one(db: Db, user: UserRow) {
    const [view] = await many(db, user.tenantId, [user])
    return view ?? userView(user, NO_ROLES)
  }
  const permissionsOf = async (db: Db, user: UserKey) => (await heldBy?.(db, user)) ?? NOTHING
  return {
    ...{ many, one, permissionsOf },
    async me(db, user, acting) {
      const { tenantId, id: userId } = user
      const [view, held, isDefault, impersonation] = await Promise.all([
        one(db, user),
        permissionsOf(db, { tenantId, userId }),
        isDefaultTenant(db, tenantId),
        impersonationOf(db, tenantId, acting),
      ])
      const permissions = keys.filter((key) => holds(held, key))
      return { ...view, permissions, platform: isDefault && held.size > 0, impersonation }
    },
  }
}

async function impersonationOf(db: Db, tenantId: string, acting?: Acting) {
  const { impersonatorId = null, until = null } = acting ?? {}
  if (!impersonatorId) return null
  const names = await namesOf(db, tenantId, [impersonatorId])
  return { byName: names.get(impersonatorId)?.name ?? '', until }
}

const NO_ROLES: readonly Named[] = []
const NOTHING: ReadonlySet<string> = new Set()
