import { createHash, randomUUID } from 'node:crypto'
import { type Item, listOf, timestamp } from '../../http/envelope.ts'
import { accessDenied, notFound, refused } from '../../http/errors.ts'
import { type Call, noContent, ok, type Params, type Reply, type Route } from '../../http/router.ts'
import { validate } from '../../rules/validate.ts'
import { type Data, same } from '../../state/data.ts'
import { randomText } from '../../state/keys.ts'
import type { Server, Subuser, User } from '../../state/rows.ts'
import { serverRoute, userOf } from './access.ts'
import { grantable, permissionsOf } from './permissions.ts'

const ONE = '/users/{subuser}'
const PERMISSIONS = { permissions: ['required|array'], 'permissions.*': ['string'] }

export const subuserRoutes: Route[] = [
  serverRoute({
    method: 'GET',
    action: '/users',
    permission: 'user.read',
    run: ({ panel: { data } }, server) => {
      const own = data.subusers.where(({ serverId }) => serverId === server.id)
      return ok(listOf(own.map((it) => presentSubuser(data, it))))
    },
  }),
  serverRoute({ method: 'POST', action: '/users', permission: 'user.create', run: addSubuser }),
  serverRoute({
    method: 'GET',
    action: ONE,
    permission: 'user.read',
    run: ({ panel: { data } }, server, params) =>
      ok(presentSubuser(data, subuserIn(data, server, params))),
  }),
  serverRoute({
    method: 'POST',
    action: ONE,
    permission: 'user.update',
    run: (call, server, params) => {
      const { data } = call.panel
      const subuser = subuserIn(data, server, params)
      validate({ input: call.input, rules: PERMISSIONS })
      subuser.permissions = grantedBy(call, server)
      return ok(presentSubuser(data, subuser))
    },
  }),
  serverRoute({
    method: 'DELETE',
    action: ONE,
    permission: 'user.delete',
    run: ({ panel: { data } }, server, params) => {
      data.subusers.delete(subuserIn(data, server, params).id)
      return noContent
    },
  }),
]

/** Gives somebody a share in a server; whoever has no account yet gets one. Answers 200. */
function addSubuser(call: Call, server: Server): Reply {
  const { fields, input, now, panel } = call
  const { data } = panel
  validate({ input, rules: { email: ['required|between:1,191|email'], ...PERMISSIONS } })
  const permissions = grantedBy(call, server)
  const email = fields.text('email')
  const user = data.users.first((it) => same(it.email, email)) ?? newUser(data, email, now)
  if (user.id === server.ownerId) {
    throw refused(
      'Cannot add the server owner as a subuser for this server.',
      'UserIsServerOwnerException',
    )
  }
  if (data.subusers.first((it) => it.serverId === server.id && it.userId === user.id)) {
    throw refused(
      'A user with that email address is already assigned as a subuser for this server.',
      'ServerSubuserExistsException',
    )
  }
  const subuser = data.subusers.insert({
    serverId: server.id,
    userId: user.id,
    permissions,
    createdAt: now,
  })
  return ok(presentSubuser(data, subuser))
}

function newUser(data: Data, email: string, now: number): User {
  const local = (email.split('@')[0] ?? '').replace(/[^\w.-]/g, '').toLowerCase()
  return data.users.insert({
    uuid: randomUUID(),
    externalId: null,
    username: `${local}${randomText(3).toLowerCase()}`,
    email,
    firstName: 'Server',
    lastName: 'Subuser',
    language: 'en',
    rootAdmin: false,
    roles: [],
    password: null,
    twoFactor: false,
    createdAt: now,
    updatedAt: now,
  })
}

/** The permissions asked for. Nobody gives away what they do not have: 403. */
function grantedBy({ fields, key, panel }: Call, server: Server): string[] {
  const asked = grantable(fields.texts('permissions'))
  const own = permissionsOf(panel, userOf(panel, key), server)
  if (!own.includes('*') && asked.some((permission) => !own.includes(permission))) {
    throw accessDenied(
      'Cannot assign permissions to a subuser that your account does not actively possess.',
    )
  }
  return asked
}

function presentSubuser(data: Data, subuser: Subuser): Item {
  const user = data.users.get(subuser.userId)
  const hash = createHash('md5').update(user.email.toLowerCase()).digest('hex')
  return {
    object: 'server_subuser',
    attributes: {
      uuid: user.uuid,
      username: user.username,
      email: user.email,
      image: `https://gravatar.com/avatar/${hash}`,
      '2fa_enabled': user.twoFactor,
      created_at: timestamp(user.createdAt),
      permissions: subuser.permissions,
    },
  }
}

function subuserIn(data: Data, server: Server, params: Params): Subuser {
  const user = data.users.first(({ uuid }) => uuid === params.subuser)
  const found = data.subusers.first((it) => it.serverId === server.id && it.userId === user?.id)
  if (!found) throw notFound()
  return found
}
