import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gameShop } from '#test/game-shop.ts'
import { person } from '#test/people.ts'

const shop = await gameShop()
const { app } = shop
const large = await shop.server({}, { priceCents: 2500 })
const { plan } = await shop.server({ upgradeTargetIds: [large.product.id] })
const owner = await shop.customer()
await shop.buy(owner, plan.id)
const { id } = await shop.serviceBecame(owner, 'active')
const path = `/v1/services/${id}`

const MANY = 10
const times = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: MANY }, work))

function counted(statuses: readonly number[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(statuses, (status) => status))
  return Object.fromEntries(groups.map(([status, all]) => [status, all?.length ?? 0]))
}

test('of many who accept one invitation at once, the first does and the others come too late (hardening 10)', async () => {
  const friend = await person(app)
  const body = { email: friend.email, permissions: ['power'] }
  const { token } = (await owner.post(`${path}/invitations`, body)).body
  const answers = await times(() => friend.post(`/v1/invitations/${token}/accept`))
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: 1, 410: MANY - 1 })
  assert.equal((await friend.get('/v1/services')).body.data.length, 1)
})

test('of an answer and its contrary at once, one counts', async () => {
  const friend = await person(app)
  const body = { email: friend.email, permissions: [] }
  const { token } = (await owner.post(`${path}/invitations`, body)).body
  const [yes, no] = await Promise.all([
    friend.post(`/v1/invitations/${token}/accept`),
    friend.post(`/v1/invitations/${token}/decline`),
  ])
  assert.deepEqual([yes.status, no.status].sort(), [200, 410])
  const { data } = (await friend.get('/v1/services')).body
  assert.equal(data.length, yes.status === 200 ? 1 : 0)
})

test('an address that is invited many times at once has one invitation', async () => {
  const body = { email: 'rush@example.org', permissions: [] }
  const answers = await times(() => owner.post(`${path}/invitations`, body))
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 201: MANY })
  assert.equal(new Set(answers.map((it) => it.body.id)).size, 1)
})

test('of many upgrades of one service at once, one is made', async () => {
  const body = { productId: large.product.id, gatewayId: shop.gatewayId }
  const answers = await times(() => owner.post(`${path}/upgrade`, body))
  assert.deepEqual(counted(answers.map(({ status }) => status)), { 200: 1, 409: MANY - 1 })
  const { data } = (await owner.get('/v1/billing/invoices')).body
  assert.equal(data.length, 2, 'the order and one upgrade')
})
