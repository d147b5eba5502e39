import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { type Bot, botOf, GUILD, linkDiscord, snowflake } from '#test/bot.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const FEED = '/v1/bot/role-changes'
const MAPPINGS = '/v1/admin/bot/role-mappings'
const GROUPS = '/v1/admin/rbac/groups'

type Change = { id: string; discordId: string; guildId: string; roleId: string; action: string }

async function mapping(wanted: object, by = admin) {
  const role = { discordGuildId: GUILD, discordRoleId: snowflake() }
  const { status, body, text } = await by.post(MAPPINGS, { ...role, ...wanted })
  assert.equal(status, 201, text)
  return body
}

async function group(members: readonly Person[], by = admin): Promise<string> {
  const memberIds = members.map(({ userId }) => userId)
  const { status, body, text } = await by.post(GROUPS, { name: `Group ${snowflake()}`, memberIds })
  assert.equal(status, 201, text)
  return body.id
}

/** A bot that has what there is, and reads on from here. */
async function bot(by = admin): Promise<Bot> {
  const made = await botOf(app, by)
  await catchUp(made)
  return made
}

async function catchUp(reader: Bot): Promise<void> {
  const { body } = await reader.get(FEED)
  const { cursor } = body.reset ? body : (await reader.get(`${FEED}?limit=500`)).body
  assert.equal((await reader.post(`${FEED}/ack`, { cursor })).status, 200)
}

async function changesOf(reader: Bot, discordId: string): Promise<Change[]> {
  const { body } = await reader.get(`${FEED}?limit=500`)
  assert.equal(body.reset, false)
  return body.data.filter((it: Change) => it.discordId === discordId)
}

function said(changes: readonly Change[]): string[] {
  return changes.map(({ action, roleId }) => `${action} ${roleId}`)
}

/** What the feed says of a member next, once it says so much. */
function next(reader: Bot, discordId: string, count: number): Promise<Change[]> {
  return until(`${count} changes`, async () => {
    const changes = await changesOf(reader, discordId)
    return changes.length >= count && changes
  })
}

/** Waits until everything that was to be said is said. */
async function quiet(): Promise<void> {
  await until('no job of bots waits', async () => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from jobs.job where name like 'bot.%'
       and state in ('created', 'retry', 'active')`,
    )
    return rows[0]?.count === 0
  })
}

test('who comes to a group gets its role, once, and who leaves it loses it', async () => {
  const ada = await person(app)
  const discordId = await linkDiscord(app, ada)
  const groupId = await group([])
  const { discordRoleId } = await mapping({ source: 'group', sourceId: groupId })
  const reader = await bot()
  await admin.put(`${GROUPS}/${groupId}/members`, { memberIds: [ada.userId] })
  const [added] = await next(reader, discordId, 1)
  assert.deepEqual([added?.action, added?.guildId, added?.roleId], ['add', GUILD, discordRoleId])
  await admin.put(`${GROUPS}/${groupId}/members`, { memberIds: [ada.userId] })
  await quiet()
  assert.equal((await changesOf(reader, discordId)).length, 1, 'a repeat says nothing')
  await admin.delete(`${GROUPS}/${groupId}`)
  const changes = await next(reader, discordId, 2)
  assert.deepEqual(said(changes), [`add ${discordRoleId}`, `remove ${discordRoleId}`])
})

test('a role that two mappings give stays until both have ended', async () => {
  const ada = await person(app)
  const discordId = await linkDiscord(app, ada)
  const discordRoleId = snowflake()
  const [one, two] = [await group([ada]), await group([ada])]
  const first = await mapping({ source: 'group', sourceId: one, discordRoleId })
  const second = await mapping({ source: 'group', sourceId: two, discordRoleId })
  const reader = await bot()
  await quiet()
  const held = (await reader.get(`/v1/bot/users/${discordId}/roles`)).body
  assert.deepEqual(held.roles, [{ guildId: GUILD, roleId: discordRoleId }])
  await catchUp(reader)
  await admin.delete(`${MAPPINGS}/${first.id}`)
  await quiet()
  assert.deepEqual(await changesOf(reader, discordId), [])
  await admin.delete(`${MAPPINGS}/${second.id}`)
  assert.deepEqual(said(await next(reader, discordId, 1)), [`remove ${discordRoleId}`])
})

test('a mapping that is made, changed and deleted is carried out for all who are linked', async () => {
  const people = [await person(app), await person(app), await person(app)]
  const ids = await Promise.all(people.map((it) => linkDiscord(app, it)))
  const role = await admin.post('/v1/admin/rbac/roles', { name: snowflake(), permissions: [] })
  for (const { userId } of people) {
    const path = `/v1/admin/rbac/users/${userId}/roles`
    const { status, text } = await admin.put(path, { roleIds: [role.body.id] })
    assert.equal(status, 200, text)
  }
  await quiet()
  const reader = await bot()
  const made = await mapping({ source: 'rbac_role', sourceId: role.body.id })
  for (const id of ids) assert.equal((await next(reader, id, 1))[0]?.roleId, made.discordRoleId)
  const discordRoleId = snowflake()
  const { status } = await admin.patch(`${MAPPINGS}/${made.id}`, { discordRoleId })
  assert.equal(status, 200)
  for (const id of ids) {
    const wanted = [`add ${made.discordRoleId}`, `remove ${made.discordRoleId}`]
    assert.deepEqual(said(await next(reader, id, 3)), [...wanted, `add ${discordRoleId}`])
  }
  assert.equal((await admin.delete(`${MAPPINGS}/${made.id}`)).status, 200)
  for (const id of ids) {
    assert.equal(said(await next(reader, id, 4))[3], `remove ${discordRoleId}`)
  }
})

test('roles follow the account they are linked to', async () => {
  const [ada, bob] = [await person(app), await person(app)]
  const account = snowflake()
  const { discordRoleId } = await mapping({ source: 'group', sourceId: await group([ada, bob]) })
  const reader = await bot()
  await linkDiscord(app, ada, account)
  assert.deepEqual(said(await next(reader, account, 1)), [`add ${discordRoleId}`])
  assert.equal((await ada.delete('/v1/users/me/connections/discord')).status, 200)
  const unlinked = (await reader.get(`/v1/bot/users/${account}/roles`)).body
  assert.deepEqual([unlinked.linked, unlinked.roles], [false, []])
  assert.ok(unlinked.remove.some((it: Change) => it.roleId === discordRoleId))
  assert.deepEqual(said(await next(reader, account, 2))[1], `remove ${discordRoleId}`)
  await linkDiscord(app, bob, account)
  assert.deepEqual(said(await next(reader, account, 3))[2], `add ${discordRoleId}`)
})

test('who is suspended has no roles, and has them back after', async () => {
  const ada = await person(app)
  const discordId = await linkDiscord(app, ada)
  const { discordRoleId } = await mapping({ source: 'group', sourceId: await group([ada]) })
  const reader = await bot()
  await quiet()
  await catchUp(reader)
  const path = `/v1/admin/users/${ada.userId}`
  assert.equal((await admin.post(`${path}/suspend`)).status, 200)
  assert.deepEqual(said(await next(reader, discordId, 1)), [`remove ${discordRoleId}`])
  assert.equal((await admin.post(`${path}/unsuspend`)).status, 200)
  assert.deepEqual(said(await next(reader, discordId, 2))[1], `add ${discordRoleId}`)
})

test('the feed goes on behind what was acknowledged, page by page, and never back', async () => {
  const reader = await bot()
  const people = [await person(app), await person(app), await person(app)]
  for (const it of people) await linkDiscord(app, it)
  await mapping({ source: 'group', sourceId: await group(people) })
  await quiet()
  const first = (await reader.get(`${FEED}?limit=2`)).body
  assert.deepEqual([first.data.length, first.more], [2, true])
  assert.deepEqual((await reader.get(`${FEED}?limit=2`)).body, first, 'nothing was acknowledged')
  const rest = (await reader.get(`${FEED}?after=${first.cursor}`)).body
  assert.deepEqual([rest.data.length, rest.more], [1, false])
  const ack = (cursor: string) => reader.post(`${FEED}/ack`, { cursor })
  assert.equal((await ack(rest.cursor)).body.cursor, rest.cursor)
  assert.equal((await ack(first.cursor)).body.cursor, rest.cursor, 'one from before')
  const end = (await reader.get(FEED)).body
  assert.deepEqual(end, { data: [], cursor: rest.cursor, more: false, reset: false })
  const ahead = await ack(String(Number(rest.cursor) + 1))
  assert.deepEqual([ahead.status, ahead.body.code], [422, 'cursor_ahead'])
  const beyond = (await reader.get(`${FEED}?after=999999`)).body
  assert.equal(beyond.reset, true, 'it knows of what is not there')
})

test('a new bot reads who has what, and then goes on with the changes', async () => {
  const ada = await person(app)
  const discordId = await linkDiscord(app, ada)
  const { discordRoleId } = await mapping({ source: 'group', sourceId: await group([ada]) })
  await quiet()
  const reader = await botOf(app, admin)
  const start = (await reader.get(FEED)).body
  assert.deepEqual([start.reset, start.data], [true, []])
  const found: { discordId: string; roles: { roleId: string }[] }[] = []
  let after: string | null = null
  do {
    const query: string = after === null ? '' : `&after=${after}`
    const { body } = await reader.get(`/v1/bot/members?limit=2${query}`)
    found.push(...body.data)
    assert.ok(body.managed.some((it: Change) => it.roleId === discordRoleId))
    after = body.nextCursor
  } while (after !== null)
  const ids = found.map((it) => it.discordId)
  assert.deepEqual(ids, [...new Set(ids)].sort(), 'each once, in order')
  const own = found.find((it) => it.discordId === discordId)
  assert.deepEqual(
    own?.roles.map(({ roleId }) => roleId),
    [discordRoleId],
  )
  assert.equal((await reader.post(`${FEED}/ack`, { cursor: start.cursor })).status, 200)
  assert.deepEqual((await reader.get(FEED)).body, { ...start, reset: false })
})

test('a bot of another shop sees nothing of this one', async () => {
  const tenantId = await otherTenant(app, 'feeds.test')
  const owner = await person(app, { tenantId, admin: true })
  const reader = await bot(owner)
  const ada = await person(app)
  const discordId = await linkDiscord(app, ada)
  await mapping({ source: 'group', sourceId: await group([ada]) })
  await quiet()
  for (const path of [`${FEED}?after=0`, '/v1/bot/members', '/v1/bot/notifications']) {
    assert.deepEqual((await reader.get(path)).body.data, [], path)
  }
  const { body } = await reader.get(`/v1/bot/users/${discordId}`)
  assert.deepEqual([body.linked, body.firstName], [false, null])
})

const WRONG = [
  [
    'a product of no one',
    { source: 'product', sourceId: '01900000-0000-7000-8000-000000000000' },
    422,
  ],
  ['a plan without an id', { source: 'plan' }, 422],
  [
    'any service, with an id',
    { source: 'active_service', sourceId: '01900000-0000-7000-8000-000000000000' },
    422,
  ],
  ['a number', { source: 'active_service', discordRoleId: 800_000_000_000_000_000 }, 400],
  ['no id of Discord', { source: 'active_service', discordRoleId: '12ab' }, 400],
] as const

for (const [what, body, expected] of WRONG) {
  test(`a mapping of ${what} is a ${expected}`, async () => {
    const role = { discordGuildId: GUILD, discordRoleId: snowflake() }
    assert.equal((await admin.post(MAPPINGS, { ...role, ...body })).status, expected)
  })
}

test('a mapping is there once, and takes the permission to change it', async () => {
  const tenantId = await otherTenant(app, 'mappings.test')
  const owner = await person(app, { tenantId, admin: true })
  const made = await mapping({ source: 'active_service' }, owner)
  const { id: _, createdAt: __, ...same } = made
  const again = await owner.post(MAPPINGS, same)
  assert.deepEqual([again.status, again.body.code], [409, 'role_mapping_exists'])
  const reader = await person(app, { tenantId, permissions: ['bot:read'] })
  assert.deepEqual((await reader.get(`${MAPPINGS}/${made.id}`)).body, made)
  assert.equal((await reader.patch(`${MAPPINGS}/${made.id}`, {})).status, 403)
  assert.equal((await admin.patch(`${MAPPINGS}/${made.id}`, {})).status, 404)
  const other = await owner.patch(`${MAPPINGS}/${made.id}`, { source: 'group' })
  assert.deepEqual([other.status, other.body.details[0].path], [422, 'sourceId'])
})

// The last ones: they move the clock.
test('a bot that was off for a week misses nothing, and one that was off for longer starts anew', async () => {
  const [ada, bob] = [await person(app), await person(app)]
  const discordId = await linkDiscord(app, ada)
  const { discordRoleId } = await mapping({ source: 'group', sourceId: await group([ada, bob]) })
  // A new bot reads what there is, and hears of what comes after.
  await quiet()
  const [reader, diligent] = [await bot(), await bot()]
  await linkDiscord(app, bob)
  await admin.post(`/v1/admin/users/${ada.userId}/suspend`)
  await next(diligent, discordId, 1)
  await quiet()
  const { cursor } = (await diligent.get(`${FEED}?limit=500`)).body
  await catchUp(diligent)
  await app.advance(7 * 24 * 3600)
  const kept = await changesOf(reader, discordId)
  assert.deepEqual(said(kept), [`remove ${discordRoleId}`])
  await app.advance(24 * 24 * 3600)
  await app.eventually('they are forgotten', async () => (await reader.get(FEED)).body.reset)
  assert.deepEqual((await diligent.get(FEED)).body, {
    ...{ data: [], cursor, more: false, reset: false },
  })
})

test('what every bot has applied is forgotten after a day', async () => {
  const tenantId = await otherTenant(app, 'trimmed.test')
  const owner = await person(app, { tenantId, admin: true })
  // A session does not live as long as this takes.
  const key = await apiKey(app, owner, { permission: 'read-write' })
  const [one, two] = [await bot(owner), await bot(owner)]
  const ada = await person(app, { tenantId })
  const discordId = await linkDiscord(app, ada)
  await mapping({ source: 'group', sourceId: await group([ada], owner) }, owner)
  await next(one, discordId, 1)
  await catchUp(one)
  const count = async () => {
    const { rows } = await app.deps.database.execute(
      'select count(*)::int as count from bot.role_changes where tenant_id = $1',
      [tenantId],
    )
    return rows[0]?.count
  }
  await app.advance(2 * 24 * 3600)
  await quiet()
  assert.equal(await count(), 1, 'one of them has not read it')
  assert.equal((await key.delete(`/v1/admin/bot-tokens/${two.id}`)).status, 200)
  await app.advance(1)
  await app.eventually('it is forgotten', async () => (await count()) === 0)
  assert.equal((await one.get(FEED)).body.reset, false)
})
