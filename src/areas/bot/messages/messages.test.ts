import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { type Notice, notify } from '#notifications'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { type Bot, botOf, linkDiscord } from '#test/bot.ts'
import { otherTenant, type Person, person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const bot = await botOf(app, admin)
const FEED = '/v1/bot/notifications'
const now = () => app.deps.clock.now()

type Message = { id: string; discordId: string; kind: string; title: string; link: string | null }

function tell(
  { tenantId, userId }: Person,
  name = 'Skyblock',
  notice: Partial<Notice> = {},
): Promise<string | null> {
  const kind = 'service_active' as const
  const data = { name, address: null }
  const told = { tenantId, userId, kind, data, link: '/services/1', ...notice } as Notice
  return transact(app.deps.database.of(tenantId), (tx) => notify(tx, told, now()))
}

async function linked(): Promise<Person & { discordId: string }> {
  const made = await person(app)
  return { ...made, discordId: await linkDiscord(app, made) }
}

async function told(reader: Bot, path = FEED): Promise<Message[]> {
  const { status, body, text } = await reader.get(path)
  assert.equal(status, 200, text)
  return body.data
}

function ofMember({ discordId }: { discordId: string }): string {
  return `/v1/bot/users/${discordId}/notifications`
}

test('what somebody is told comes to the bot until it says that it has passed it on', async () => {
  const ada = await linked()
  const id = await tell(ada)
  const [message] = await told(bot, ofMember(ada))
  assert.deepEqual(
    [message?.id, message?.discordId, message?.kind, message?.title, message?.link],
    [id, ada.discordId, 'service_active', 'Skyblock is ready', 'http://shop.test/services/1'],
  )
  assert.deepEqual(await told(bot, ofMember(ada)), [message], 'it comes again')
  const ack = () => bot.post(`${ofMember(ada)}/ack`, { ids: [id] })
  assert.equal((await ack()).body.acknowledged, 1)
  assert.equal((await ack()).body.acknowledged, 0)
  assert.deepEqual(await told(bot, ofMember(ada)), [])
})

test('one that is acknowledged out of order leaves the others', async () => {
  const ada = await linked()
  const ids = [await tell(ada, 'one'), await tell(ada, 'two'), await tell(ada, 'three')]
  await bot.post(`${FEED}/ack`, { ids: [ids[1]] })
  const left = (await told(bot, ofMember(ada))).map(({ id }) => id)
  assert.deepEqual(left, [ids[0], ids[2]])
  const first = (await bot.get(`${ofMember(ada)}?limit=1`)).body
  assert.deepEqual([first.data.length, first.nextCursor], [1, ids[0]])
  const rest = (await bot.get(`${ofMember(ada)}?after=${first.nextCursor}`)).body
  assert.deepEqual([rest.data[0].id, rest.nextCursor], [ids[2], null])
})

test('nothing about money comes to a bot, and no link that opens something by itself', async () => {
  const ada = await linked()
  const money = { amountCents: 1234, currency: 'EUR' }
  await tell(ada, '', { kind: 'invoice_paid', data: { number: 'F-1', ...money } })
  await tell(ada, '', {
    kind: 'price_change',
    data: { name: 'x', ...money, effectiveFrom: '2030-01-02' },
  })
  await tell(ada, '', { kind: 'invitation', data: { inviter: 'x', service: 'y' } })
  const messages = await told(bot, ofMember(ada))
  assert.deepEqual(messages, [])
})

test('what somebody does not want to be told on Discord does not come', async () => {
  const ada = await linked()
  const data = [{ kind: 'service_active', discord: false }]
  const { status, text } = await ada.patch('/v1/notifications/preferences', { data })
  assert.equal(status, 200, text)
  await tell(ada)
  assert.deepEqual(await told(bot, ofMember(ada)), [])
})

test('names stand in messages as they were typed (hardening 30)', async () => {
  const ada = await linked()
  const name = '<img onerror=alert(1)> @everyone {{7*7}}'
  await tell(ada, name)
  assert.equal((await told(bot, ofMember(ada)))[0]?.title, `${name} is ready`)
})

test('what was told before the account was linked, or the token made, does not come', async () => {
  const ada = await person(app)
  await tell(ada, 'before')
  app.deps.clock.advance(1000)
  const discordId = await linkDiscord(app, ada)
  await tell(ada, 'after')
  const late = await botOf(app, admin)
  const path = ofMember({ discordId })
  assert.deepEqual(
    (await told(bot, path)).map(({ title }) => title),
    ['after is ready'],
  )
  assert.deepEqual(await told(late, path), [])
  await tell(ada, 'later')
  assert.equal((await told(late, path)).length, 1)
})

test('each bot passes on by itself, and only what is of its members', async () => {
  const [ada, bob] = [await linked(), await linked()]
  const other = await botOf(app, admin)
  const [hers, his] = [await tell(ada), await tell(bob)]
  const wrong = await bot.post(`${ofMember(bob)}/ack`, { ids: [hers, newId()] })
  assert.equal(wrong.body.acknowledged, 0)
  await bot.post(`${ofMember(bob)}/ack`, { ids: [his] })
  assert.equal((await told(bot, ofMember(ada))).length, 1)
  assert.equal((await told(bot, ofMember(bob))).length, 0)
  assert.equal((await told(other)).filter(({ id }) => id === hers || id === his).length, 2)
  assert.equal((await bot.get(ofMember({ discordId: '12345678' }))).status, 404)
  const tenantId = await otherTenant(app, 'messages.test')
  const foreign = await botOf(app, await person(app, { tenantId, admin: true }))
  assert.equal((await foreign.get(ofMember(ada))).status, 404)
  assert.deepEqual(await told(foreign), [])
  assert.equal((await foreign.post(`${FEED}/ack`, { ids: [hers] })).body.acknowledged, 0)
})

test('the look for new ones begins behind what is done with, and never behind what may still come', async () => {
  const owner = await person(app, { tenantId: await otherTenant(app, 'settled.test'), admin: true })
  const reader = await botOf(app, owner)
  const ada = await person(app, { tenantId: owner.tenantId })
  await linkDiscord(app, ada)
  const ids = [await tell(ada, 'old'), await tell(ada, 'older'), await tell(ada, 'new')]
  await reader.post(`${FEED}/ack`, { ids: ids.slice(0, 2) })
  // As if the first two, and the token, were from hours ago.
  const early = ['01800000-0000-7000-8000-00000000000a', '01800000-0000-7000-8000-00000000000b']
  const execute = (sql: string, values: unknown[]) => app.deps.database.execute(sql, values)
  await execute('update bot.tokens set notifications_from = $2 where id = $1', [
    reader.id,
    '01800000-0000-7000-8000-000000000001',
  ])
  for (const [index, id] of early.entries()) {
    await execute('update notifications.notifications set id = $2 where id = $1', [ids[index], id])
    await execute('update bot.delivered set notification_id = $2 where notification_id = $1', [
      ids[index],
      id,
    ])
  }
  const state = async () => {
    const { rows } = await execute(
      `select notifications_from as start,
              (select count(*)::int from bot.delivered where token_id = $1) as delivered
       from bot.tokens where id = $1`,
      [reader.id],
    )
    return rows[0] as { start: string; delivered: number }
  }
  await app.deps.queue.runSchedules()
  await app.eventually('they are forgotten', async () => (await state()).delivered === 0)
  const { start } = await state()
  assert.ok(start > (early[1] ?? '') && start < (ids[2] ?? ''), 'an hour is left')
  assert.deepEqual(
    (await told(reader)).map(({ id }) => id),
    [ids[2]],
  )
})

// The last one: it moves the clock.
test('what is older than a month is not passed on any more', async () => {
  const ada = await linked()
  await tell(ada)
  await app.advance(31 * 24 * 3600)
  assert.deepEqual(await told(bot, ofMember(ada)), [])
})
