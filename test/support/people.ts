import { newId } from '#lib/id.ts'
import { instant } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import { grantOwner, grantRole, insertRole } from '#rbac'
import { accessTokens, createApiKey, insertUser, openSession } from '#users'
import type { TestApp } from './app.ts'
import { type Client, clientFor } from './client.ts'
import { enterSeller } from './seller.ts'

/** Somebody who is signed in: a client that sends their token. */
export type Person = Client & {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly token: string
  readonly sessionId: string
  readonly refreshToken: string
  readonly tenantId: string
}

type NewPerson = {
  email?: string
  name?: string
  country?: string | null
  /** Whether the address is confirmed; it is by default. */
  verified?: boolean
  /** Permissions of the administration, through a role of its own. */
  permissions?: string[]
  /** The role that may do everything. */
  admin?: boolean
  tenantId?: string
}

let made = 0

/** Makes a person without a password, with an open session. */
export async function person(app: TestApp, wanted: NewPerson = {}): Promise<Person> {
  made += 1
  const { tenantId = app.tenantId, email = `person${made}@example.org` } = wanted
  const { name = 'Ada Lovelace', country = null, verified = true } = wanted
  const { deps } = app
  const now = deps.clock.now()
  const userId = newId()
  const session = await transact(deps.database.of(tenantId), async (tx) => {
    const row = { tenantId, id: userId, email, passwordHash: null, name, country, createdAt: now }
    const user = await insertUser(tx, { ...row, emailVerifiedAt: verified ? now : null })
    if (!user) throw new Error(`${email} is taken`)
    if (wanted.admin) await grantOwner(tx, { tenantId, userId }, now)
    if (wanted.permissions) {
      const { permissions } = wanted
      const role = { tenantId, id: newId(), name: `Role of ${userId}`, permissions }
      await insertRole(tx, { ...role, description: null, system: false, createdAt: now })
      await grantRole(tx, { tenantId, userId }, role.id, now)
    }
    const device = { address: '127.0.0.1', userAgent: 'test' }
    return openSession(tx, { tenantId, userId, device }, now)
  })
  const token = accessTokens(deps).sign({ tenantId, userId, sessionId: session.sessionId }, now)
  const client = await clientOf(app, tenantId, token)
  return { ...client, ...session, userId, email, name, token, tenantId }
}

type NewKey = {
  permission: 'read' | 'read-write'
  expiresAt?: string
  allowedIps?: string[]
}

/** Makes an API key of a person, and a client that sends it. */
export async function apiKey(
  app: TestApp,
  { tenantId, userId }: { tenantId: string; userId: string },
  wanted: NewKey,
): Promise<Client & { id: string; key: string }> {
  const { deps } = app
  const { expiresAt, ...rest } = wanted
  const until = expiresAt === undefined ? {} : { expiresAt: instant(expiresAt) }
  const { id, key } = await transact(deps.database.of(tenantId), (tx) =>
    createApiKey(tx, { tenantId, userId }, { ...rest, ...until }, deps.clock.now()),
  )
  return { ...(await clientOf(app, tenantId, key)), id, key }
}

/** Makes a further tenant, reached under a host name of its own. */
export async function otherTenant(app: TestApp, host: string): Promise<string> {
  const { database, clock } = app.deps
  const id = newId()
  await transact(database.everywhere, async (tx) => {
    await tx
      .insertInto('tenants.tenants')
      .values({ id, name: host, createdAt: clock.now() })
      .execute()
    await tx.insertInto('tenants.domains').values({ host, tenantId: id }).execute()
  })
  await enterSeller(database, id)
  return id
}

/** A client that calls a tenant's host. */
async function clientOf(app: TestApp, tenantId: string, token: string): Promise<Client> {
  const authorization = `Bearer ${token}`
  if (tenantId === app.tenantId) return clientFor(app.url, { authorization })
  const domain = await app.deps.database.everywhere
    .selectFrom('tenants.domains')
    .select('host')
    .where('tenantId', '=', tenantId)
    .executeTakeFirstOrThrow()
  return clientFor(app.url, { authorization, host: domain.host })
}
