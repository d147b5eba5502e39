import { randomBytes } from 'node:crypto'
import { defineCommand } from 'citty'
import { Problem } from '#lib/problem.ts'
import { startClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { NOBODY_LISTENS, transact } from '#platform/database/index.ts'
import { migrate } from '#platform/database/migrate.ts'
import { openDatabaseOf } from '#platform/start.ts'
import { createOwner } from '#rbac'
import { findDefaultTenant } from '#tenants'
import { assertGuessResistant, hashPassword } from '#users'
import { configured } from './configured.ts'

const PASSWORD_BYTES = 15

/** `moorage admin create --email …`: for whoever runs the service and cannot get in. */
export const createAdmin = defineCommand({
  meta: { name: 'create', description: 'Make an account that may do everything' },
  args: {
    email: { type: 'string', required: true, description: 'Its address' },
    name: { type: 'string', default: 'Administrator', description: 'Its name' },
  },
  async run({ args }) {
    const config = configured()
    const chosen = config.admin?.password ?? null
    const password = chosen ?? randomBytes(PASSWORD_BYTES).toString('base64url')
    try {
      await create(config, { ...args, email: args.email.toLowerCase(), password })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      console.error(error.message)
      process.exit(1)
    }
    console.log(`${args.email} may do everything now.`)
    if (!chosen) console.log(`Password: ${password}`)
  },
})

type Wanted = { email: string; name: string; password: string }

async function create(config: Config, { email, name, password }: Wanted): Promise<void> {
  assertGuessResistant(password, email)
  // Nobody listens in this process: what a running one would be told is not needed here.
  const database = await openDatabaseOf(config, NOBODY_LISTENS)
  try {
    await migrate(database)
    const db = database.everywhere
    const tenant = await findDefaultTenant(db)
    if (!tenant) throw new Error('Start the service once before you make an administrator.')
    const passwordHash = await hashPassword(password)
    const wanted = { tenantId: tenant.id, email, name, passwordHash }
    await transact(db, (tx) => createOwner(tx, wanted, startClock().now()))
  } finally {
    await database.close()
  }
}
