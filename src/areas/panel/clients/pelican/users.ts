import type { PanelUser } from '../contract.ts'
import { type Fields, relatedOf } from '../pterodactyl/envelope.ts'
import type { Transport } from '../pterodactyl/transport.ts'
import * as pterodactyl from '../pterodactyl/users.ts'

const WITH_ROLES = { include: 'roles' }

export function userCalls(transport: Transport) {
  return pterodactyl.userCalls(transport, { query: WITH_ROLES, read: userOf })
}

/** A user with any role administers part of the panel: such an account is never a customer's. */
function userOf(row: Fields): PanelUser {
  const user = pterodactyl.userOf(row)
  const roles = relatedOf(row, 'roles') ?? []
  return { ...user, rootAdmin: user.rootAdmin || roles.length > 0 }
}
