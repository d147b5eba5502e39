import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { type Tx, transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { botOf, GUILD, linkDiscord, snowflake } from '#test/bot.ts'
import { type Person, person } from '#test/people.ts'
import { announceRoles } from '../roles/actions.ts'
import { lockFeed } from '../roles/queries.ts'

const app = await testApp(null)
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const admin = await person(app, { admin: true })
const bot = await botOf(app, admin)
const FEED = '/v1/bot/role-changes'

async function mapGroup(people: readonly Person[]): Promise<void> {
  const memberIds = people.map(({ userId }) => userId)
  const group = await admin.post('/v1/admin/rbac/groups', { name: snowflake(), memberIds })
  const role = { discordGuildId: GUILD, discordRoleId: snowflake() }
  const mapping = { ...role, source: 'group', sourceId: group.body.id }
  const { status, text } = await admin.post('/v1/admin/bot/role-mappings', mapping)
  assert.equal(status, 201, text)
}

function waiting(): Promise<unknown> {
  return until('somebody waits for a lock', async () => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from pg_locks join pg_stat_activity using (pid)
       where not granted and datname = current_database()`,
    )
    return rows[0]?.count !== 0
  })
}

/** A link that no event has told of. */
async function insertLink(tx: Tx, { userId }: Person, accountId: string): Promise<void> {
  const row = { tenantId, id: newId(), userId, provider: 'discord', name: 'ada' } as const
  const createdAt = app.deps.clock.now()
  await tx
    .insertInto('users.connections')
    .values({ ...row, accountId, createdAt })
    .execute()
}

async function start(): Promise<string> {
  const { body } = await bot.get(FEED)
  await bot.post(`${FEED}/ack`, { cursor: body.cursor })
  return body.cursor
}

test('of two who append at once the later one waits: a cursor never passes what is still to come', async () => {
  const [ada, bob] = [await person(app), await person(app)]
  await mapGroup([ada, bob])
  const cursor = await start()
  const first = await transact(db, async (tx) => {
    const feed = await lockFeed(tx, tenantId)
    assert.ok(feed)
    const accountId = snowflake()
    await insertLink(tx, ada, accountId)
    await announceRoles(tx, feed, [accountId], app.deps.clock.now())
    const second = await linkDiscord(app, bob)
    await waiting()
    // The other one has a place of its own to write to, and has not taken it.
    const { body } = await bot.get(FEED)
    assert.deepEqual([body.data, body.cursor], [[], cursor])
    return { accountId, second }
  })
  const { body } = await until('both are said', async () => {
    const answer = await bot.get(FEED)
    return answer.body.data.length >= 2 && answer
  })
  const ids = body.data.map((it: { discordId: string }) => it.discordId)
  assert.deepEqual(ids, [first.accountId, first.second])
  await bot.post(`${FEED}/ack`, { cursor: body.cursor })
})

test('of ten who compare the same member at once one says what changed', async () => {
  const ada = await person(app)
  await mapGroup([ada])
  await start()
  const discordId = await linkDiscord(app, ada)
  await Promise.all(
    Array.from({ length: 10 }, () =>
      transact(db, async (tx) => {
        const feed = await lockFeed(tx, tenantId)
        assert.ok(feed)
        await announceRoles(tx, feed, [discordId], app.deps.clock.now())
      }),
    ),
  )
  const { body } = await bot.get(FEED)
  const own = body.data.filter((it: { discordId: string }) => it.discordId === discordId)
  assert.equal(own.length, 1)
})

test('a link that goes while its roles are being said leaves none behind', async () => {
  const ada = await person(app)
  await mapGroup([ada])
  await start()
  const discordId = snowflake()
  await transact(db, (tx) => insertLink(tx, ada, discordId))
  await transact(db, async (tx) => {
    const feed = await lockFeed(tx, tenantId)
    assert.ok(feed)
    // Compared while the link is there, and committed when it is not any more.
    await announceRoles(tx, feed, [discordId], app.deps.clock.now())
    assert.equal((await ada.delete('/v1/users/me/connections/discord')).status, 200)
    await waiting()
  })
  const said = await until('both are said', async () => {
    const { body } = await bot.get(FEED)
    const own = body.data.filter((it: { discordId: string }) => it.discordId === discordId)
    return own.length >= 2 && own.map((it: { action: string }) => it.action)
  })
  assert.deepEqual(said, ['add', 'remove'])
})
