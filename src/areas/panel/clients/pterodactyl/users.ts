import type { PanelClient, PanelUser, UserDraft } from '../contract.ts'
import { orAbsent } from '../panel-error.ts'
import {
  attributesOf,
  type Fields,
  flagOf,
  looseTextOf,
  numberOf,
  optionalTextOf,
  textOf,
} from './envelope.ts'
import type { Transport } from './transport.ts'

type UserCalls = Pick<
  PanelClient,
  | 'findUserByExternalId'
  | 'findUserByEmail'
  | 'createUser'
  | 'linkUser'
  | 'renameUser'
  | 'setPassword'
  | 'deleteUser'
>

/** A panel requires both names; this replaces one that a customer does not have. */
const NO_NAME = '-'

type Dialect = {
  /** Query parameters for every request of users. */
  query?: Record<string, string>
  read?: (row: Fields) => PanelUser
}

export function userCalls(
  { call, order, listAll }: Transport,
  { query = {}, read = userOf }: Dialect = {},
): UserCalls {
  const userIn = (body: unknown) => read(attributesOf(body))
  return {
    findUserByExternalId(externalId) {
      const path = `/users/external/${encodeURIComponent(externalId)}`
      return orAbsent(call({ method: 'GET', path, query }, userIn))
    },

    // The panel's filter finds every address that contains this one.
    async findUserByEmail(email) {
      const wanted = plain(email)
      const filter = { ...query, 'filter[email]': wanted, sort: 'id' }
      const users = await listAll({ path: '/users', query: filter }, read)
      return users.find((user) => plain(user.email) === wanted)
    },

    createUser(draft) {
      const body = bodyOf(draft)
      return call({ method: 'POST', path: '/users', query, body }, userIn)
    },

    linkUser(user, externalId) {
      const body = bodyOf({ ...user, externalId })
      return call({ method: 'PATCH', path: `/users/${user.id}`, query, body }, userIn)
    },

    renameUser(id, draft) {
      return call({ method: 'PATCH', path: `/users/${id}`, query, body: bodyOf(draft) }, userIn)
    },

    async setPassword(user, password) {
      const body = { ...bodyOf(user), password }
      await call({ method: 'PATCH', path: `/users/${user.id}`, query, body }, userIn)
    },

    async deleteUser(id) {
      await orAbsent(order({ method: 'DELETE', path: `/users/${id}` }))
    },
  }
}

function plain(email: string): string {
  return email.trim().toLowerCase()
}

function bodyOf(user: UserDraft | PanelUser): Fields {
  const { externalId, email, username, firstName, lastName } = user
  return {
    external_id: externalId,
    email,
    username,
    first_name: firstName.trim() || NO_NAME,
    last_name: lastName.trim() || NO_NAME,
  }
}

/** Converts a user of the panel into our form; some panels have no names. */
export function userOf(row: Fields): PanelUser {
  return {
    id: numberOf(row, 'id'),
    uuid: textOf(row, 'uuid'),
    externalId: optionalTextOf(row, 'external_id'),
    email: textOf(row, 'email'),
    username: textOf(row, 'username'),
    firstName: looseTextOf(row, 'first_name'),
    lastName: looseTextOf(row, 'last_name'),
    rootAdmin: flagOf(row, 'root_admin'),
  }
}
