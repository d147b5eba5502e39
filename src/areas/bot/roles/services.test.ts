import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { botOf, GUILD, linkDiscord, snowflake } from '#test/bot.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { admin, app } = shop
const large = await shop.server({ name: 'Large' })
const small = await shop.server({ name: 'Small', upgradeTargetIds: [large.product.id] })
const bot = await botOf(app, admin)
const FEED = '/v1/bot/role-changes'

type Change = { discordId: string; roleId: string; action: string }

async function roleFor(source: string, sourceId: string | null): Promise<string> {
  const discordRoleId = snowflake()
  const body = { discordGuildId: GUILD, discordRoleId, source, sourceId }
  const { status, text } = await admin.post('/v1/admin/bot/role-mappings', body)
  assert.equal(status, 201, text)
  return discordRoleId
}

const roles = {
  any: await roleFor('active_service', null),
  small: await roleFor('product', small.product.id),
  large: await roleFor('product', large.product.id),
  plan: await roleFor('plan', small.plan.id),
}

test('roles follow a service from its activation over its change and suspension to its end', async () => {
  const { body: begun } = await bot.get(FEED)
  await bot.post(`${FEED}/ack`, { cursor: begun.cursor })
  const ada = await shop.customer()
  const discordId = await linkDiscord(app, ada)

  /** What is said next of Ada, in words, whatever its order; it is acknowledged. */
  async function said(count: number): Promise<string[]> {
    const { data, cursor } = await until(`${count} changes`, async () => {
      const { body } = await bot.get(FEED)
      return body.data.length >= count && body
    })
    await bot.post(`${FEED}/ack`, { cursor })
    const names = new Map(Object.entries(roles).map(([name, id]) => [id, name]))
    assert.ok(data.every((it: Change) => it.discordId === discordId))
    return data.map((it: Change) => `${it.action} ${names.get(it.roleId)}`).sort()
  }

  const member = async () => (await bot.get(`/v1/bot/users/${discordId}`)).body
  assert.equal((await member()).activeServices, 0)
  await shop.buy(ada, small.plan.id)
  const { id } = await shop.serviceBecame(ada, 'active')
  assert.deepEqual(await said(3), ['add any', 'add plan', 'add small'])
  const { activeServices, products, userId, firstName, ...rest } = await member()
  assert.deepEqual([activeServices, userId, firstName], [1, ada.userId, 'Ada'])
  assert.deepEqual(products, [{ id: small.product.id, name: 'Small', activeServices: 1 }])
  assert.deepEqual(Object.keys(rest).sort(), ['discordId', 'linkUrl', 'linked', 'linkedAt'])

  const change = { productId: large.product.id, gatewayId: shop.gatewayId }
  const changed = await ada.post(`/v1/services/${id}/upgrade`, change)
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(await said(3), ['add large', 'remove plan', 'remove small'])

  const path = `/v1/admin/services/${id}`
  const suspended = await admin.post(`${path}/suspend`)
  assert.ok(suspended.status < 300, suspended.text)
  assert.deepEqual(await said(2), ['remove any', 'remove large'])
  const back = await admin.post(`${path}/unsuspend`)
  assert.ok(back.status < 300, back.text)
  assert.deepEqual(await said(2), ['add any', 'add large'])
  const ended = await admin.post(`${path}/terminate`, { keepData: false })
  assert.ok(ended.status < 300, ended.text)
  assert.deepEqual(await said(2), ['remove any', 'remove large'])
  assert.deepEqual((await bot.get('/v1/bot/members')).body.data, [])
})

test('V38: a rank without a server gives its role when the payment arrives, and takes it at its end', async () => {
  const rank = await shop.catalog.offer({}, { name: 'VIP', delivery: 'none', provisioning: null })
  const roleId = await roleFor('product', rank.product.id)
  const bea = await shop.customer()
  const discordId = await linkDiscord(app, bea)
  const { body: begun } = await bot.get(FEED)
  await bot.post(`${FEED}/ack`, { cursor: begun.cursor })

  /** Waits until the feed has an action about the rank. */
  async function said(action: string): Promise<void> {
    const feed = await until(`${action} the role`, async () => {
      const { body } = await bot.get(FEED)
      const found = body.data.some(
        (it: Change) => it.roleId === roleId && it.action === action && it.discordId === discordId,
      )
      return found && body
    })
    await bot.post(`${FEED}/ack`, { cursor: feed.cursor })
  }

  await shop.buy(bea, rank.plan.id)
  await said('add')
  const { id } = await shop.serviceBecame(bea, 'active')
  const canceled = await bea.post(`/v1/services/${id}/cancel`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  await said('remove')
})
