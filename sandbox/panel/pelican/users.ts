import { type Item, listOf, timestamp, type View } from '../http/envelope.ts'
import { type Call, ok, type Reply } from '../http/router.ts'
import { insertUser, isFree, userRoutesWith } from '../pterodactyl/users.ts'
import { validate } from '../rules/validate.ts'
import type { User } from '../state/rows.ts'

/** A user of this panel has no names; who they administer for is told by roles. */
export function presentUser(view: View, user: User): Item {
  const { servers } = view.panel.data
  return {
    object: 'user',
    attributes: {
      id: user.id,
      external_id: user.externalId,
      is_managed_externally: false,
      uuid: user.uuid,
      username: user.username,
      email: user.email,
      language: user.language,
      root_admin: user.rootAdmin,
      '2fa_enabled': user.twoFactor,
      '2fa': user.twoFactor,
      created_at: timestamp(user.createdAt),
      updated_at: timestamp(user.updatedAt),
      ...view.relations({
        servers: {
          resource: 'servers',
          load: (into) => {
            const own = servers.where(({ ownerId }) => ownerId === user.id)
            return listOf(own.map((it) => into.present.server(into, it)))
          },
        },
        roles: { resource: 'roles', load: () => listOf(rolesOf(user)) },
      }),
    },
  }
}

function rolesOf({ rootAdmin, roles }: User): Item[] {
  return (rootAdmin ? ['Root Admin', ...roles] : roles).map((name, index) => ({
    object: 'role',
    attributes: { id: index + 1, name },
  }))
}

export const userRoutes = userRoutesWith({
  create: createUser,
  update: updateUser,
  refuse: ({ rootAdmin }) => (rootAdmin ? { status: 403, body: [] } : null),
})

function createUser(call: Call): Promise<Reply> {
  checkFields(call, null)
  const email = call.fields.text('email').toLowerCase()
  return insertUser(call, { email, firstName: '', lastName: '', rootAdmin: false })
}

function updateUser(call: Call, user: User): Reply {
  const { fields } = call
  checkFields(call, user.id)
  user.email = fields.text('email').toLowerCase()
  user.username = fields.text('username').toLowerCase()
  if (fields.has('external_id')) user.externalId = fields.textOrNull('external_id')
  user.language = fields.textOrNull('language') ?? user.language
  user.password = fields.textOrNull('password') ?? user.password
  user.updatedAt = call.now
  return ok(presentUser(call.view, user))
}

function checkFields({ input, panel }: Call, id: number | null): void {
  const free = (column: (user: User) => string | null) => ({
    name: 'unique' as const,
    passes: (value: unknown) => isFree(panel.data, id, column, String(value)),
  })
  validate({
    input,
    rules: {
      external_id: ['sometimes|nullable|string|max:255', free((it) => it.externalId)],
      email: ['required|email|between:1,255', free((it) => it.email)],
      username: ['required|between:1,255', free((it) => it.username)],
      password: ['sometimes|nullable|string'],
      language: ['sometimes|string|in:en'],
    },
  })
}
