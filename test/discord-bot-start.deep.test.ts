import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { botOf, GUILD, linkDiscord, snowflake } from '#test/bot.ts'
import { discordApi } from '#test/discord-api.ts'
import { person } from '#test/people.ts'
import { type Running, runToEnd, startProcess } from '#test/processes.ts'

/** The whole example bot as a process of its own, between the service and a Discord with its gateway. */
const TOKEN = 'token-of-the-bot'
const SCRIPT = 'examples/discord-bot/src/main.ts'
const app = await testApp(null)
const admin = await person(app, { admin: true })
const api = await discordApi(TOKEN)
const { gateway } = api
const ROLE = snowflake()
const [ada, grace] = [await person(app), await person(app)]
const adaAtDiscord = await linkDiscord(app, ada)
const graceAtDiscord = await linkDiscord(app, grace)
api.addGuild(GUILD, [ROLE], { [adaAtDiscord]: [] })

const group = await admin.post('/v1/admin/rbac/groups', { name: 'Supporters' })
const members = `/v1/admin/rbac/groups/${group.body.id}/members`
const source = { discordGuildId: GUILD, source: 'group', sourceId: group.body.id }
const mapped = await admin.post('/v1/admin/bot/role-mappings', { ...source, discordRoleId: ROLE })
assert.equal(mapped.status, 201, mapped.text)
const { token } = await botOf(app, admin)

const environment = {
  ...{ DISCORD_TOKEN: TOKEN, DISCORD_API_URL: api.url, POLL_SECONDS: '1' },
  ...{ MOORAGE_URL: app.url, MOORAGE_TOKEN: token },
}
let bot: Running | null = null
after(() => bot?.kill())

async function setMembers(...userIds: string[]): Promise<void> {
  const { status, text } = await admin.put(members, { memberIds: userIds })
  assert.equal(status, 200, text)
}

const hasRole = (discordId: string) => api.rolesOf(GUILD, discordId)?.includes(ROLE)

test('the bot signs in at the gateway, registers its command, and gives roles', async () => {
  bot = await startProcess({ script: SCRIPT, env: environment, ready: / Ready$/ })
  const [identify] = gateway.identified
  assert.equal(identify?.token, TOKEN)
  assert.equal(identify?.intents, 3, 'servers and their members, and nothing that anybody writes')
  assert.deepEqual([...api.commands], ['account'])
  await setMembers(ada.userId)
  await until('she has the role', () => hasRole(adaAtDiscord))
  await until('it shows that it is there', () => gateway.heartbeats > 1)
})

test('who comes to the server gets what they are to have', async () => {
  await setMembers(ada.userId, grace.userId)
  assert.equal(hasRole(graceAtDiscord), undefined)
  api.join(GUILD, graceAtDiscord)
  await until('she has the role', () => hasRole(graceAtDiscord))
})

test('the command is answered to who used it alone, within its time', async () => {
  api.use('account', adaAtDiscord)
  const [reply] = await until('the answer', () => api.replies.length > 0 && api.replies)
  assert.equal(reply?.content, 'Hello Ada! You have no active service.')
  assert.deepEqual(reply?.allowed_mentions, { parse: [] })
  assert.deepEqual(
    api.acknowledged.map(({ type, data }) => [type, data.flags]),
    [[5, 64]],
  )
})

test('a connection that breaks is resumed, and nobody who came meanwhile is missed', async () => {
  const late = await person(app)
  const lateAtDiscord = await linkDiscord(app, late)
  await setMembers(ada.userId, grace.userId, late.userId)
  gateway.cut()
  await until('it came back', () => gateway.resumed.length > 0 && gateway.connections === 1)
  assert.equal(gateway.identified.length, 1, 'to the same session')
  api.join(GUILD, lateAtDiscord)
  await until('they have the role', () => hasRole(lateAtDiscord))
})

test('asked to stop, the bot finishes and ends well', async () => {
  assert.equal(await bot?.end(), 0)
  await until('it has left the gateway', () => gateway.connections === 0)
  const before = gateway.identified.length
  await setMembers(grace.userId)
  bot = await startProcess({ script: SCRIPT, env: environment, ready: / Ready$/ })
  assert.equal(gateway.identified.length, before + 1)
  await until('what was missed is done', () => hasRole(adaAtDiscord) === false)
})

test('a token that Discord does not know ends the bot, and it says so', async () => {
  const wrong = { ...environment, DISCORD_TOKEN: 'another' }
  await assert.rejects(
    runToEnd({ script: SCRIPT, env: wrong }),
    /main\.ts : 1\n.*401: Unauthorized/,
  )
})
