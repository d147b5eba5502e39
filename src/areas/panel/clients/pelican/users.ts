import type { PanelUser } from '../contract.ts'
import { type Fields, relatedOf } from '../pterodactyl/envelope.ts'
import type { Transport } from '../pterodactyl/transport.ts'
import * as pterodactyl from '../pterodactyl/users.ts'

const WITH_ROLES = { include: 'roles' }

export function userCalls(transport: Transport) {
  return pterodactyl.userCalls(transport, { query: WITH_ROLES, read: userOf })
}

/** Whoever has a role administers a part of the panel: no such account becomes a customer's. */
function userOf(row: Fields): PanelUser {
  const user = pterodactyl.userOf(row)
  const roles = relatedOf(row, 'roles') ?? []
  return { ...user, rootAdmin: user.rootAdmin || roles.length > 0 }
}
