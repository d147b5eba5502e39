import type { PanelClient, PanelUser } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import type { Random } from './rules.ts'
import { usernameFor } from './username.ts'

export type Customer = {
  /** Random and ours alone, as `cust-…`; never a row number, which another system may use too. */
  externalId: string
  email: string
  /** Without it no existing account is taken over: an address alone proves nothing. */
  emailVerified: boolean
  firstName: string
  lastName: string
}

export type PanelUserResult =
  | {
      outcome: 'ready'
      user: PanelUser
      /** Whether this call has created the account. */
      madeHere: boolean
    }
  /** An account is in the way that must not be given to this customer by itself. */
  | {
      outcome: 'needs_staff'
      reason: 'foreign_external_id' | 'root_admin' | 'email_not_verified'
      /** The account in question, where it was looked at. */
      panelUserId: number | null
    }

type Users = Pick<
  PanelClient,
  'findUserByExternalId' | 'findUserByEmail' | 'createUser' | 'linkUser'
>

const MAX_TRIES = 5

/**
 * Finds the customer's account on the panel, links an existing one with the same verified
 * address, or makes one. May be run again after any `PanelError` it throws: it looks first. Run
 * it under a lock per customer and connection, for panels let two at once make two accounts.
 */
export async function ensurePanelUser(
  users: Users,
  customer: Customer,
  random: Random,
): Promise<PanelUserResult> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findAccount(users, customer, false)
    if (found) return found
    try {
      const { email, externalId, firstName, lastName } = customer
      const username = usernameFor(`${firstName}${lastName}` || email, random)
      const draft = { email, externalId, firstName, lastName, username }
      return { outcome: 'ready', user: await users.createUser(draft), madeHere: true }
    } catch (error) {
      if (!(error instanceof PanelError)) throw error
      // Panels answer 500 after a user was made, when only the mail failed.
      const made = error.kind === 'unknown_outcome' && (await findAccount(users, customer, true))
      if (made) return made
      if (error.kind !== 'already_exists' || attempt === MAX_TRIES) throw error
      if (error.refuses('email') && !customer.emailVerified) {
        return { outcome: 'needs_staff', reason: 'email_not_verified', panelUserId: null }
      }
    }
  }
}

/** `isTried`: whether this call has tried to create the account, so that one with our id is its work. */
async function findAccount(
  users: Users,
  customer: Customer,
  isTried: boolean,
): Promise<PanelUserResult | undefined> {
  const own = await users.findUserByExternalId(customer.externalId)
  if (own?.rootAdmin) return refusal(own, 'root_admin')
  if (own) return { outcome: 'ready', user: own, madeHere: isTried }
  if (!customer.emailVerified) return undefined
  const sameEmail = await users.findUserByEmail(customer.email)
  if (!sameEmail) return undefined
  if (sameEmail.rootAdmin) return refusal(sameEmail, 'root_admin')
  if (sameEmail.externalId !== null) return refusal(sameEmail, 'foreign_external_id')
  const user = await users.linkUser(sameEmail, customer.externalId)
  return { outcome: 'ready', user, madeHere: false }
}

function refusal(user: PanelUser, reason: 'root_admin' | 'foreign_external_id'): PanelUserResult {
  return { outcome: 'needs_staff', reason, panelUserId: user.id }
}

/** What is left of an account whose person is gone, where the account itself has to stay. */
export type Nobody = { email: string; name: string }

/**
 * Takes a person out of their account on the panel and, where it owns no server, deletes it. May be
 * run again after any `PanelError` it throws: it looks first. An account that is gone is done, and
 * one that rules the panel by now is no customer's, so it is left alone.
 */
export async function forgetPanelUser(
  users: Pick<PanelClient, 'findUserByExternalId' | 'renameUser' | 'deleteUser'>,
  externalId: string,
  { email, name }: Nobody,
): Promise<void> {
  const account = await users.findUserByExternalId(externalId)
  if (!account || account.rootAdmin) return
  // Renamed first: servers that are kept for a while hold the account, and must not hold its name.
  if (account.email !== email) {
    const [firstName = '', ...rest] = name.split(' ')
    const username = `deleted-${account.uuid}`
    const draft = { externalId, email, username, firstName, lastName: rest.join(' ') }
    await users.renameUser(account.id, draft)
  }
  try {
    await users.deleteUser(account.id)
  } catch (error) {
    if (!(error instanceof PanelError) || error.kind !== 'conflict') throw error
  }
}
