import type { PanelClient, PanelUser } from '../clients/contract.ts'
import { PanelError } from '../clients/panel-error.ts'
import type { Random } from './rules.ts'
import { usernameFor } from './username.ts'

export type Customer = {
  /** Random and used only by us, like `cust-…`; never a row number, which another system may use too. */
  externalId: string
  email: string
  /** If false no existing account is taken over: an unverified address proves nothing. */
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
  /** An existing account must not be given to this customer automatically. */
  | {
      outcome: 'needs_staff'
      reason: 'foreign_external_id' | 'root_admin' | 'email_not_verified'
      /** The account in question, if it was read. */
      panelUserId: number | null
    }

type Users = Pick<
  PanelClient,
  'findUserByExternalId' | 'findUserByEmail' | 'createUser' | 'linkUser'
>

const MAX_TRIES = 5

/**
 * Finds the customer's account on the panel, links an existing one with the same verified address, or
 * creates one. May be called again after any `PanelError` it throws: it looks first. Call it under a
 * lock per customer and connection, because panels let two calls at once create two accounts.
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
      // Panels answer 500 although a user was created, if only the mail failed.
      const made = error.kind === 'unknown_outcome' && (await findAccount(users, customer, true))
      if (made) return made
      if (error.kind !== 'already_exists' || attempt === MAX_TRIES) throw error
      if (error.refuses('email') && !customer.emailVerified) {
        return { outcome: 'needs_staff', reason: 'email_not_verified', panelUserId: null }
      }
    }
  }
}

/** `isTried`: this call has tried to create the account, so one with our id was created by it. */
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

/** The data that replaces a deleted person's on an account that has to stay. */
export type Nobody = { email: string; name: string }

/**
 * Removes a person's data from their account on the panel and, if it owns no server, deletes it. May be
 * called again after any `PanelError` it throws: it looks first. A missing account is done; one that
 * administers the panel by now is no longer a customer's, so it is left unchanged.
 */
export async function forgetPanelUser(
  users: Pick<PanelClient, 'findUserByExternalId' | 'renameUser' | 'deleteUser'>,
  externalId: string,
  { email, name }: Nobody,
): Promise<void> {
  const account = await users.findUserByExternalId(externalId)
  if (!account || account.rootAdmin) return
  // Renamed first: servers that are kept for a while need the account, but it must not keep the person's
  // name.
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
