import { newId } from '#lib/id.ts'
import { conflict, gone, notFound, unauthorized } from '#lib/problem.ts'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { asTenant, type Db, type Tx, transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { emit } from '#platform/events.ts'
import { randomToken, sameBytes, tokenHash } from '#platform/secrets.ts'
import { findDefaultTenant } from '#tenants'
import {
  confirmOwnAddress,
  findUserByEmail,
  hashPassword,
  insertUser,
  setPassword,
  type UserRow,
  userRegistered,
} from '#users'
import { grantOwner } from '../roles/actions.ts'
import { hasOwner, lockOwnerRole } from '../roles/queries.ts'
import { deleteSetup, findSetup, upsertSetup } from './queries.ts'

type NewOwner = { tenantId: string; email: string; passwordHash: string; name: string }

/**
 * Creates an account that owns its tenant, at the request of the service's operator: the address counts
 * as confirmed. If an account has the address already, it becomes the owner's, with the new password.
 */
export async function createOwner(tx: Tx, wanted: NewOwner, now: Instant): Promise<UserRow> {
  const { tenantId, passwordHash } = wanted
  const email = wanted.email.toLowerCase()
  const row = { ...wanted, email, id: newId(), emailVerifiedAt: now, createdAt: now }
  const made = await insertUser(tx, row)
  const user = made ?? (await findUserByEmail(tx, { tenantId, email }))
  if (!user) throw new Error('An address was taken and is not there')
  const key = { tenantId, userId: user.id }
  if (made) await emit(tx, userRegistered, { ...key, referralCode: null, visitorToken: null })
  else {
    await setPassword(tx, { ...key, passwordHash }, now)
    await confirmOwnAddress(tx, key, now)
  }
  await grantOwner(tx, key, now)
  return user
}

/** How long a link for the first administrator is valid, unless a newer one ends it. */
const SETUP_DAYS = 7

/** When a link that was created at this time ends. */
export function setupEnd(createdAt: Instant): Instant {
  return later(createdAt, SETUP_DAYS * DAY_MS)
}

/**
 * Creates the first administrator of a tenant by its token. 404 once there is one, 401 for a wrong
 * token, 410 for one that is a week old.
 */
export async function setUp(
  tx: Tx,
  { token, ...wanted }: NewOwner & { token: string },
  now: Instant,
): Promise<UserRow> {
  const { tenantId } = wanted
  // Two simultaneous calls wait for each other here, and the second finds an owner.
  await lockOwnerRole(tx, { tenantId, id: newId() }, now)
  if (await hasOwner(tx, tenantId)) throw notFound('Route')
  const setup = await findSetup(tx, tenantId)
  if (!setup || !sameBytes(setup.tokenHash, tokenHash(token))) {
    throw unauthorized('This is not the token of the last link that was made.')
  }
  if (setupEnd(setup.createdAt) <= now) throw gone('This link has expired. Ask for a new one.')
  await deleteSetup(tx, tenantId)
  return createOwner(tx, wanted, now)
}

/** Whether a token could create the first administrator now. */
export async function isSetupToken(
  db: Db,
  { tenantId, token }: { tenantId: string; token?: string },
  now: Instant,
): Promise<boolean> {
  const setup = await findSetup(db, tenantId)
  if (!setup || token === undefined) return false
  return sameBytes(setup.tokenHash, tokenHash(token)) && setupEnd(setup.createdAt) > now
}

/** Creates the administrator that the configuration names, if the default tenant has none. */
export async function prepareOwner({ config, database, clock }: Deps): Promise<void> {
  const db = database.everywhere
  const tenantId = await defaultTenantId(db)
  const now = clock.now()
  if (!config.admin || (await hasOwner(db, tenantId))) {
    await transact(db, (tx) => lockOwnerRole(tx, { tenantId, id: newId() }, now))
    return
  }
  const { email, password } = config.admin
  const passwordHash = await hashPassword(password)
  await transact(db, async (tx) => {
    await lockOwnerRole(tx, { tenantId, id: newId() }, now)
    if (await hasOwner(tx, tenantId)) return
    await createOwner(tx, { tenantId, email, passwordHash, name: 'Administrator' }, now)
  })
}

/**
 * A link that creates the first administrator of the default tenant; null if there is one. Only the
 * token's hash is stored, so every call creates a new token, and only the last printed link works.
 */
export async function setupLink({
  config,
  database,
  clock,
}: Pick<Deps, 'config' | 'database' | 'clock'>): Promise<string | null> {
  const db: Db = database.everywhere
  const tenantId = await defaultTenantId(db)
  if (await hasOwner(db, tenantId)) return null
  const token = randomToken()
  const row = { tenantId, tokenHash: tokenHash(token), createdAt: clock.now() }
  await transact(db, (tx) => upsertSetup(tx, row))
  return `${config.publicUrl}/setup#${token}`
}

/**
 * A token that creates the first administrator of a tenant; it replaces any earlier one. Throws 409
 * if there is an administrator already, who can invite others.
 */
export async function renewSetup(tx: Tx, tenantId: string, now: Instant): Promise<string> {
  const token = randomToken()
  await asTenant(tx, tenantId, async () => {
    if (await hasOwner(tx, tenantId)) {
      throw conflict('This tenant has an administrator already.', 'has_administrator')
    }
    await upsertSetup(tx, { tenantId, tokenHash: tokenHash(token), createdAt: now })
  })
  return token
}

async function defaultTenantId(db: Db): Promise<string> {
  const tenant = await findDefaultTenant(db)
  if (!tenant) throw new Error('There is no default tenant yet')
  return tenant.id
}
