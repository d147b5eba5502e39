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
  | 'deleteUser'
>

/** A panel demands both names; this stands for one a customer does not have. */
const NO_NAME = '-'

export function userCalls({ call, order, listAll }: Transport): UserCalls {
  return {
    findUserByExternalId(externalId) {
      const path = `/users/external/${encodeURIComponent(externalId)}`
      return orAbsent(call({ method: 'GET', path }, userIn))
    },

    // The panel's filter finds every address that contains this one.
    async findUserByEmail(email) {
      const wanted = plain(email)
      const query = { 'filter[email]': wanted, sort: 'id' }
      const users = await listAll({ path: '/users', query }, userOf)
      return users.find((user) => plain(user.email) === wanted)
    },

    createUser(draft) {
      const body = bodyOf(draft)
      return call({ method: 'POST', path: '/users', body }, userIn)
    },

    linkUser(user, externalId) {
      const body = bodyOf({ ...user, externalId })
      return call({ method: 'PATCH', path: `/users/${user.id}`, body }, userIn)
    },

    renameUser(id, draft) {
      return call({ method: 'PATCH', path: `/users/${id}`, body: bodyOf(draft) }, userIn)
    },

    async deleteUser(id) {
      await orAbsent(order({ method: 'DELETE', path: `/users/${id}` }))
    },
  }
}

function plain(email: string): string {
  return email.trim().toLowerCase()
}

function bodyOf({ externalId, email, username, firstName, lastName }: UserDraft): Fields {
  return {
    external_id: externalId,
    email,
    username,
    first_name: firstName.trim() || NO_NAME,
    last_name: lastName.trim() || NO_NAME,
  }
}

function userIn(body: unknown): PanelUser {
  return userOf(attributesOf(body))
}

function userOf(row: Fields): PanelUser {
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
