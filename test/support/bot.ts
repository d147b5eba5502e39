import assert from 'node:assert/strict'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { emit } from '#platform/events.ts'
import { accountConnected } from '#users'
import type { TestApp } from './app.ts'
import { type Client, clientFor } from './client.ts'
import type { Person } from './people.ts'

export const GUILD = '700000000000000001'

let made = 0

/** An id as Discord would give it, that no other test has. */
export function snowflake(): string {
  made += 1
  return String(800_000_000_000_000_000n + BigInt(made))
}

/** Links a person to an account at Discord, as their way back from there does. Answers its id. */
export async function linkDiscord(
  { deps }: TestApp,
  { tenantId, userId }: Pick<Person, 'tenantId' | 'userId'>,
  accountId = snowflake(),
): Promise<string> {
  const account = { provider: 'discord' as const, name: 'linked' }
  await transact(deps.database.of(tenantId), async (tx) => {
    const row = { tenantId, id: newId(), userId, accountId, createdAt: deps.clock.now() }
    await tx
      .insertInto('users.connections')
      .values({ ...row, ...account })
      .execute()
    await emit(tx, accountConnected, { tenantId, userId, ...account })
  })
  return accountId
}

/** A bot: a client that sends a token of its own. */
export type Bot = Client & { readonly id: string; readonly token: string }

const ALL = ['users:read', 'roles:read', 'notifications:read']

/** Has an administrator make a token. */
export async function botOf(app: TestApp, admin: Person, wanted: object = {}): Promise<Bot> {
  const body = { name: 'Bot', scopes: ALL, ...wanted }
  const answer = await admin.post('/v1/admin/bot-tokens', body)
  assert.equal(answer.status, 201, answer.text)
  const { id, token } = answer.body
  const host = admin.tenantId === app.tenantId ? {} : { host: await hostOf(app, admin.tenantId) }
  return { ...clientFor(app.url, { authorization: `Bearer ${token}`, ...host }), id, token }
}

async function hostOf({ deps }: TestApp, tenantId: string): Promise<string> {
  const { host } = await deps.database.everywhere
    .selectFrom('tenants.domains')
    .select('host')
    .where('tenantId', '=', tenantId)
    .executeTakeFirstOrThrow()
  return host
}
