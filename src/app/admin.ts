import { randomBytes } from 'node:crypto'
import { defineCommand } from 'citty'
import { IsEmail } from 'typebox/format'
import { Problem } from '#lib/problem.ts'
import { startClock } from '#platform/clock.ts'
import { transact } from '#platform/database/index.ts'
import { StartError } from '#platform/start-error.ts'
import { createOwner } from '#rbac'
import { findDefaultTenant } from '#tenants'
import {
  assertGuessResistant,
  confirmOwnAddress,
  findUserByEmail,
  hashPassword,
  setPassword,
} from '#users'
import { environment } from './configured.ts'
import { mending } from './failure.ts'
import { type Place, runTask, type Task } from './task.ts'

const PASSWORD_BYTES = 15
type Given<Args> = { args: Args }

/** `moorage admin create --email …`: creates an administrator, for the person who runs the service. */
export const createAdmin = defineCommand({
  meta: { name: 'create', description: 'Create an account that may do everything' },
  args: {
    email: { type: 'string', required: true, description: 'Its address' },
    name: { type: 'string', default: 'Administrator', description: 'Its name' },
  },
  run: mending(({ args: { email, name } }: Given<{ email: string; name: string }>) =>
    runTask(adminCreation, { email: addressIn(email), name, ...choice() }),
  ),
})

/** `moorage admin reset-password --email …`: sets a new password for an existing account. */
export const resetPassword = defineCommand({
  meta: { name: 'reset-password', description: 'Set a new password; sessions and API keys end' },
  args: { email: { type: 'string', required: true, description: 'The address of the account' } },
  run: mending(({ args: { email } }: Given<{ email: string }>) =>
    runTask(passwordReset, { email: addressIn(email), ...choice() }),
  ),
})

/** The password in this command's own environment, `.env` or file; the service may have another environment. */
function choice(): { chosen: string | null } {
  return { chosen: environment().MOORAGE_ADMIN_PASSWORD || null }
}

/** The address that was entered, in lower case. Throws a `StartError` if it is not an address. */
function addressIn(typed: string): string {
  const email = typed.trim().toLowerCase()
  if (!IsEmail(email)) throw new StartError(`--email: "${typed}" is not an email address.`)
  return email
}

type Account = { email: string; chosen: string | null }

/** Creates an administrator of the first shop; an existing account with the address becomes one. */
export const adminCreation: Task<Account & { name: string }> = {
  name: 'admin create',
  migrates: true,
  run: (place, { name, ...account }) =>
    withPassword(place, account, async ({ email, password, tenantId, passwordHash }) => {
      const now = startClock().now()
      const wanted = { tenantId, email, name, passwordHash }
      await transact(place.database.everywhere, (tx) => createOwner(tx, wanted, now))
      place.print(`${email} may do everything now.`)
      if (!account.chosen) place.print(`Password: ${password}`)
    }),
}

/** Sets the password of an account of the first shop, which ends its sessions. */
export const passwordReset: Task<Account> = {
  name: 'admin reset-password',
  migrates: true,
  run: (place, account) =>
    withPassword(place, account, async ({ email, password, tenantId, passwordHash }) => {
      const db = place.database.everywhere
      const user = await findUserByEmail(db, { tenantId, email })
      if (!user) throw new Problem(404, `No account has the address ${email}.`)
      const change = { tenantId, userId: user.id, passwordHash }
      await transact(db, async (tx) => {
        const now = startClock().now()
        await setPassword(tx, change, now)
        // Otherwise a shop that requires confirmed addresses would not let the administrator in.
        await confirmOwnAddress(tx, change, now)
      })
      place.print(
        `${email} has a new password, and all sessions and API keys of the account have ended.`,
      )
      if (!account.chosen) place.print(`Password: ${password}`)
    }),
}

type Prepared = { email: string; password: string; tenantId: string; passwordHash: string }

async function withPassword(
  { database, complain }: Place,
  account: Account,
  work: (prepared: Prepared) => Promise<void>,
): Promise<number> {
  const { email } = account
  const password = account.chosen ?? randomBytes(PASSWORD_BYTES).toString('base64url')
  try {
    assertGuessResistant(password, email)
    const tenant = await findDefaultTenant(database.everywhere)
    if (!tenant) throw new Problem(404, 'There is no shop yet. Start the service once first.')
    const passwordHash = await hashPassword(password)
    await work({ email, password, tenantId: tenant.id, passwordHash })
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    complain(error.message)
    return 1
  }
}
