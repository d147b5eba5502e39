import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REST } from 'discord.js'
import { notify } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { botOf, GUILD, linkDiscord, snowflake } from '#test/bot.ts'
import { discordApi } from '#test/discord-api.ts'
import { type Person, person } from '#test/people.ts'
import { accountOf } from '../examples/discord-bot/src/account.ts'
import { configFrom } from '../examples/discord-bot/src/config.ts'
import { repeat } from '../examples/discord-bot/src/loop.ts'
import { contentOf, passOn } from '../examples/discord-bot/src/messages.ts'
import { MoorageError, moorageAt } from '../examples/discord-bot/src/moorage.ts'
import { compareAll, syncRoles, welcome } from '../examples/discord-bot/src/roles.ts'

/**
 * The parts of the example bot between the service and a Discord that speaks its REST API. The whole
 * bot, with the gateway that tells of commands and of who comes, is in `discord-bot-start.deep.test.ts`.
 */
const TOKEN = 'bot-token'
const app = await testApp(null)
const admin = await person(app, { admin: true })
const api = await discordApi(TOKEN)
const rest = new REST({ api: api.url, retries: 0 }).setToken(TOKEN)
const [ROLE, OTHER_ROLE, FOREIGN_ROLE] = [snowflake(), snowflake(), snowflake()]
const lines: string[] = []
const log = (line: string) => void lines.push(line)

const group = await admin.post('/v1/admin/rbac/groups', { name: 'Supporters' })
const mapping = { discordGuildId: GUILD, source: 'group', sourceId: group.body.id }
const mapped = await admin.post('/v1/admin/bot/role-mappings', { ...mapping, discordRoleId: ROLE })
assert.equal(mapped.status, 201, mapped.text)

const members = new Set<string>()

/** Whether somebody is in the group that has the role, and the feed has said so. */
async function setMember(someone: Person, isMember: boolean): Promise<void> {
  if (isMember) members.add(someone.userId)
  else members.delete(someone.userId)
  const body = { memberIds: [...members] }
  const { status } = await admin.put(`/v1/admin/rbac/groups/${group.body.id}/members`, body)
  assert.equal(status, 200)
  await until('the feed has said it', async () => {
    const { rows } = await app.deps.database.execute(
      'select count(*)::int as count from bot.grants where user_id = $1',
      [someone.userId],
    )
    return (rows[0]?.count !== 0) === isMember
  })
}

/** A bot of the shop that has applied everything up to now. */
async function shopFor() {
  const { token } = await botOf(app, admin)
  const moorage = moorageAt(app.url, token)
  await moorage.acknowledgeRoles((await moorage.roleChanges()).cursor)
  return { moorage, rest, log }
}

async function linked(name = 'Ada Lovelace') {
  const someone = await person(app, { name })
  return { ...someone, discordId: await linkDiscord(app, someone) }
}

async function tell({ tenantId, userId }: Person, name: string): Promise<void> {
  const notice = { tenantId, userId, kind: 'service_active' as const, link: '/services/1' }
  const now = app.deps.clock.now()
  const data = { name, address: null }
  await transact(app.deps.database.of(tenantId), (tx) => notify(tx, { ...notice, data }, now))
}

test('what changes in the shop changes the role at Discord, and is done once', async () => {
  const parts = await shopFor()
  const ada = await linked()
  api.addGuild(GUILD, [ROLE], { [ada.discordId]: [] })
  await setMember(ada, true)
  assert.equal(await syncRoles(parts), false)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE])
  const calls = api.calls.length
  await syncRoles(parts)
  assert.equal(api.calls.length, calls, 'nothing is left to do')
  await setMember(ada, false)
  await syncRoles(parts)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [])
})

test('while Discord is away nothing is acknowledged, and nothing is lost', async () => {
  const parts = await shopFor()
  const ada = await linked()
  api.addGuild(GUILD, [ROLE], { [ada.discordId]: [] })
  await setMember(ada, true)
  api.fail(503)
  await assert.rejects(syncRoles(parts))
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [])
  assert.equal((await parts.moorage.roleChanges()).data.length, 1)
  await syncRoles(parts)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE])
})

test('a bot that dies between a role and its acknowledgement does it again, to no harm', async () => {
  const parts = await shopFor()
  const ada = await linked()
  api.addGuild(GUILD, [ROLE], { [ada.discordId]: [] })
  await setMember(ada, true)
  const dying = { ...parts.moorage, acknowledgeRoles: () => Promise.reject(new Error('killed')) }
  await assert.rejects(syncRoles({ ...parts, moorage: dying }), /killed/)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE])
  await syncRoles(parts)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE])
  assert.deepEqual((await parts.moorage.roleChanges()).data, [])
})

test('a rate limit of Discord is waited for', async () => {
  const parts = await shopFor()
  const ada = await linked()
  api.addGuild(GUILD, [ROLE], { [ada.discordId]: [] })
  await setMember(ada, true)
  api.fail(429, 1, 0.05)
  await syncRoles(parts)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE])
})

test('a member who is not on the server, and a role the bot may not give, hold nobody up', async () => {
  const parts = await shopFor()
  const [gone, ada] = [await linked(), await linked()]
  api.addGuild(GUILD, [ROLE], { [ada.discordId]: [] })
  await setMember(gone, true)
  await setMember(ada, true)
  await syncRoles(parts)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE])
  api.addGuild(GUILD, [], { [ada.discordId]: [] })
  await setMember(ada, false)
  await syncRoles(parts)
  assert.match(lines.at(-1) ?? '', /Unknown Role/)
  assert.deepEqual((await parts.moorage.roleChanges()).data, [])
})

test('a bot that starts anew gives and takes what is not as the shop says, and leaves other roles', async () => {
  const [ada, bob] = [await linked(), await linked()]
  await setMember(ada, true)
  const stranger = snowflake()
  api.addGuild(GUILD, [ROLE, FOREIGN_ROLE], {
    [ada.discordId]: [FOREIGN_ROLE],
    [bob.discordId]: [ROLE, FOREIGN_ROLE],
    [stranger]: [ROLE],
  })
  const { token } = await botOf(app, admin)
  const parts = { moorage: moorageAt(app.url, token), rest, log }
  assert.equal((await parts.moorage.roleChanges()).reset, true)
  assert.equal(await syncRoles(parts), true)
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE, FOREIGN_ROLE].sort())
  assert.deepEqual(api.rolesOf(GUILD, bob.discordId), [FOREIGN_ROLE])
  assert.deepEqual(api.rolesOf(GUILD, stranger), [])
  assert.equal((await parts.moorage.roleChanges()).reset, false)
  const calls = api.calls.length
  await compareAll(parts)
  assert.equal(api.calls.length, calls, 'all is as it should be')
})

test('who comes to the server gets what they are to have there', async () => {
  const parts = await shopFor()
  const ada = await linked()
  const elsewhere = snowflake()
  const second = { ...mapping, discordGuildId: elsewhere, discordRoleId: OTHER_ROLE }
  assert.equal((await admin.post('/v1/admin/bot/role-mappings', second)).status, 201)
  await setMember(ada, true)
  api.addGuild(GUILD, [ROLE], { [ada.discordId]: [] })
  api.addGuild(elsewhere, [OTHER_ROLE], { [ada.discordId]: [] })
  await welcome(parts, { guildId: GUILD, discordId: ada.discordId })
  assert.deepEqual(api.rolesOf(GUILD, ada.discordId), [ROLE])
  assert.deepEqual(api.rolesOf(elsewhere, ada.discordId), [])
})

test('people read what they were told, once, and names call nobody (hardening 30)', async () => {
  const parts = await shopFor()
  const ada = await linked()
  await tell(ada, '**@everyone** [x](https://evil.example)')
  const dying = { ...parts.moorage, acknowledgeMessages: () => Promise.reject(new Error('killed')) }
  await assert.rejects(passOn({ ...parts, moorage: dying }), /killed/)
  assert.equal(await passOn(parts), true)
  assert.equal(await passOn(parts), false)
  const own = api.sent.filter((it) => it.discordId === ada.discordId)
  assert.equal(own.length, 1)
  const [message] = own
  assert.deepEqual(message?.allowed_mentions, { parse: [] })
  assert.match(message?.content ?? '', /\\\*\\\*@everyone\\\*\\\*/)
  assert.match(message?.content ?? '', /\\\[x\\?\]/)
  assert.match(message?.content ?? '', /<http:\/\/shop\.test\/services\/1>$/)
})

test('who takes no messages of the bot is left alone, and holds nobody up', async () => {
  const parts = await shopFor()
  const [ada, bob] = [await linked(), await linked()]
  api.closed.add(ada.discordId)
  await tell(ada, 'hers')
  await tell(bob, 'his')
  await passOn(parts)
  assert.equal(api.sent.filter((it) => it.discordId === bob.discordId).length, 1)
  assert.deepEqual((await parts.moorage.messages()).data, [])
})

test('a message is no longer than Discord takes, and its link is whole', () => {
  const link = 'https://shop.example/services/1'
  const text = contentOf({ id: '', discordId: '', title: 't', body: '*'.repeat(3000), link })
  assert.ok(text.length <= 2000)
  assert.ok(text.endsWith(`<${link}>`))
})

test('the command tells who has not linked where to, and others what they have', async () => {
  const { moorage } = await shopFor()
  const link = 'http://shop.test/account/security'
  assert.ok((await accountOf(moorage, snowflake())).includes(link))
  const ada = await linked('Ada*Star Lovelace')
  const text = await accountOf(moorage, ada.discordId)
  assert.equal(text, 'Hello Ada\\*Star! You have no active service.')
})

test('the bot goes on after the shop was away, and gives up over a token that does not count', async () => {
  const stopping = new AbortController()
  const options = { name: 'roles', pollMs: 1, log, signal: stopping.signal }
  let passes = 0
  await repeat(async () => {
    passes += 1
    if (passes < 3) throw new MoorageError(503, 'Draining', null)
    stopping.abort()
    return false
  }, options)
  assert.equal(passes, 3)
  const { moorage } = { moorage: moorageAt(app.url, 'moorbot_nobodys') }
  const endless = { ...options, signal: new AbortController().signal }
  await assert.rejects(
    repeat(() => syncRoles({ moorage, rest, log }), endless),
    /answers 401/,
  )
  const stranger = new REST({ api: api.url, retries: 0 }).setToken('another')
  const parts = await shopFor()
  const ada = await linked()
  await setMember(ada, true)
  await assert.rejects(
    repeat(() => syncRoles({ ...parts, rest: stranger }), endless),
    { status: 401 },
  )
  const away = moorageAt('http://127.0.0.1:1', 'moorbot_nobodys')
  await assert.rejects(away.roleChanges())
})

test('a bot that lacks a part of its configuration names it', () => {
  const whole = { DISCORD_TOKEN: 'a', MOORAGE_URL: 'https://shop.example/', MOORAGE_TOKEN: 'b' }
  assert.equal(configFrom(whole).moorageUrl, 'https://shop.example')
  assert.throws(() => configFrom({ ...whole, MOORAGE_TOKEN: '' }), /MOORAGE_TOKEN/)
  assert.throws(() => configFrom({ ...whole, MOORAGE_URL: 'shop' }), /MOORAGE_URL/)
  assert.throws(() => configFrom({ ...whole, DISCORD_API_URL: 'discord' }), /DISCORD_API_URL/)
  assert.throws(() => configFrom({ ...whole, POLL_SECONDS: '0' }), /POLL_SECONDS/)
})
