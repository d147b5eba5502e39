import { randomUUID } from 'node:crypto'
import { type Item, listOf, timestamp, type View } from '../http/envelope.ts'
import { dataInvalid, notFound, refused } from '../http/errors.ts'
import { containing, pageOf } from '../http/query.ts'
import {
  type Call,
  created,
  noContent,
  ok,
  type Params,
  type Reply,
  type Route,
  reads,
  route,
  routeTo,
  writes,
} from '../http/router.ts'
import type { Panel } from '../panel.ts'
import { type RuleSet, validate } from '../rules/validate.ts'
import { beforeInsert } from '../state/clock.ts'
import { type Data, same } from '../state/data.ts'
import type { User } from '../state/rows.ts'

const PATH = '/api/application/users'
const ONE = `${PATH}/{user}`
const USERNAME = /^[a-z0-9]([\w.-]+)[a-z0-9]$/

export function presentUser(view: View, user: User): Item {
  const { servers } = view.panel.data
  return {
    object: 'user',
    attributes: {
      id: user.id,
      external_id: user.externalId,
      uuid: user.uuid,
      username: user.username,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      language: user.language,
      root_admin: user.rootAdmin,
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
      }),
    },
  }
}

/** What the products do differently with a user. */
type UserOperations = {
  create: (call: Call) => Promise<Reply>
  update: (call: Call, user: User) => Reply
  /** Answers in place of a deletion that is refused in a way of its own. */
  refuse?: (user: User) => Reply | null
}

export const userRoutes = userRoutesWith({ create: createUser, update: updateUser })

export function userRoutesWith({ create, update, refuse }: UserOperations): Route[] {
  return [
    route({ method: 'GET', path: PATH, access: reads('users'), run: listUsers }),
    route({ method: 'POST', path: PATH, access: writes('users'), run: create }),
    routeTo({
      method: 'GET',
      path: `${PATH}/external/{external}`,
      access: reads('users'),
      target: ({ data }, { external = '' }) => {
        const user = data.users.first(({ externalId }) => same(externalId, external))
        if (!user) throw notFound()
        return user
      },
      run: (call, user) => ok(call.view.present.user(call.view, user)),
    }),
    routeTo({
      method: 'GET',
      path: ONE,
      access: reads('users'),
      target: userIn,
      run: (call, user) => ok(call.view.present.user(call.view, user)),
    }),
    routeTo({ method: 'PATCH', path: ONE, access: writes('users'), target: userIn, run: update }),
    routeTo({
      method: 'DELETE',
      path: ONE,
      access: writes('users'),
      target: userIn,
      run: ({ panel: { data } }, user) => {
        const refusal = refuse?.(user)
        if (refusal) return refusal
        if (data.servers.first(({ ownerId }) => ownerId === user.id)) {
          throw refused(
            'Cannot delete a user with active servers attached to their account. Please delete their servers before continuing.',
          )
        }
        for (const { id } of data.subusers.where(({ userId }) => userId === user.id)) {
          data.subusers.delete(id)
        }
        for (const { id } of data.keys.where(({ userId }) => userId === user.id))
          data.keys.delete(id)
        data.users.delete(user.id)
        return noContent
      },
    }),
  ]
}

function listUsers(call: Call): Reply {
  const filters = {
    email: containing<User>((it) => it.email),
    uuid: containing<User>((it) => it.uuid),
    username: containing<User>((it) => it.username),
    external_id: containing<User>((it) => it.externalId),
  }
  const sorts = { id: (it: User) => it.id, uuid: (it: User) => it.uuid }
  const users = call.panel.data.users.all()
  return ok(pageOf(call, users, { filters, sorts }, (it) => call.view.present.user(call.view, it)))
}

function createUser(call: Call): Promise<Reply> {
  checkFields(call, null)
  return insertUser(call, {
    email: call.fields.text('email'),
    firstName: call.fields.text('first_name'),
    lastName: call.fields.text('last_name'),
    rootAdmin: call.fields.flag('root_admin', false),
  })
}

type OwnFields = Pick<User, 'email' | 'firstName' | 'lastName' | 'rootAdmin'>

/** Inserts a user whose fields were found good. Throws 500 when a race for a unique one was lost. */
export async function insertUser(call: Call, own: OwnFields): Promise<Reply> {
  const { fields, now, panel } = call
  await beforeInsert()
  const { data } = panel
  const { email } = own
  const username = fields.text('username').toLowerCase()
  const taken = 'has already been taken.'
  if (data.users.first((it) => same(it.email, email))) {
    throw dataInvalid('User', 'email', `The email ${taken}`)
  }
  if (data.users.first((it) => same(it.username, username))) {
    throw dataInvalid('User', 'username', `The username ${taken}`)
  }
  const user = data.users.insert({
    uuid: randomUUID(),
    externalId: fields.textOrNull('external_id'),
    username,
    ...own,
    language: fields.textOrNull('language') ?? 'en',
    roles: [],
    password: fields.textOrNull('password'),
    twoFactor: false,
    createdAt: now,
    updatedAt: now,
  })
  return created(call.view.present.user(call.view, user), `${call.url.origin}${PATH}/${user.id}`)
}

function updateUser(call: Call, user: User): Reply {
  const { fields } = call
  checkFields(call, user.id)
  user.email = fields.text('email')
  user.username = fields.text('username').toLowerCase()
  user.firstName = fields.text('first_name')
  user.lastName = fields.text('last_name')
  if (fields.has('external_id')) user.externalId = fields.textOrNull('external_id')
  user.language = fields.textOrNull('language') ?? user.language
  user.password = fields.textOrNull('password') ?? user.password
  user.rootAdmin = fields.flag('root_admin', user.rootAdmin)
  user.updatedAt = call.now
  return ok(call.view.present.user(call.view, user))
}

function checkFields({ input, panel }: Call, id: number | null): void {
  const free = (column: (user: User) => string | null) => ({
    name: 'unique' as const,
    passes: (value: unknown) => isFree(panel.data, id, column, String(value)),
  })
  const name: RuleSet = ['required|string|between:1,191']
  validate({
    input,
    rules: {
      external_id: ['sometimes|nullable|string|max:191', free((it) => it.externalId)],
      email: ['required|email|between:1,191', free((it) => it.email)],
      username: [
        'required|between:1,191',
        free((it) => it.username),
        {
          name: 'p_username',
          passes: (value) => USERNAME.test(String(value).toLowerCase()),
        },
      ],
      first_name: name,
      last_name: name,
      password: ['sometimes|nullable|string'],
      language: ['sometimes|string|in:en'],
      root_admin: ['sometimes|boolean'],
    },
  })
}

export function isFree(
  data: Data,
  id: number | null,
  column: (user: User) => string | null,
  value: string,
): boolean {
  return !data.users.first((it) => it.id !== id && same(column(it), value))
}

function userIn(panel: Panel, params: Params): User {
  const user = panel.data.users.find(Number(params.user))
  if (!user) throw notFound()
  return user
}
