import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { TEST_SELLER } from '#test/seller.ts'

const app = await testApp(null, { sells: false })
const admin = await person(app, { admin: true })
const URL = '/v1/admin/readiness'

async function statesOf(): Promise<Record<string, string>> {
  const { status, body, text } = await admin.get(URL)
  assert.equal(status, 200, text)
  for (const { state, todo } of body.items) assert.equal(todo === null, state === 'ready')
  return Object.fromEntries(
    body.items.map(({ key, state }: { key: string; state: string }) => [key, state]),
  )
}

test('a new shop lacks everything, and each thing says what to do', async () => {
  const states = await statesOf()
  assert.deepEqual(Object.keys(states), [
    ...['seller', 'tax', 'mail', 'gateway', 'panel', 'product', 'https'],
  ])
  assert.deepEqual([...new Set(Object.values(states))], ['missing'])
  assert.equal((await admin.get(URL)).body.sells, false)
})

test('what is done is ready, by the rule that lets the shop sell', async () => {
  const { taxStatus, ...address } = TEST_SELLER
  await admin.patch('/v1/admin/shop', { seller: address })
  assert.deepEqual([(await statesOf()).seller, (await statesOf()).tax], ['ready', 'missing'])
  await admin.patch('/v1/admin/shop', { seller: { taxStatus } })
  assert.equal((await statesOf()).tax, 'ready')
  assert.equal((await admin.get(URL)).body.sells, true)
  const gateway = { driver: 'bank_transfer', name: 'Transfer', enabled: true, secrets: {} }
  const settings = { holder: 'Shop', iban: 'DE89370400440532013000' }
  const made = await admin.post('/v1/admin/gateways', { ...gateway, mode: 'live', settings })
  assert.equal(made.status, 201, made.text)
  assert.equal((await statesOf()).gateway, 'ready')
})

test('only staff who see the shop learn what it lacks', async () => {
  const clerk = await person(app, { permissions: ['services:read'] })
  assert.equal((await clerk.get(URL)).status, 403)
  assert.equal((await app.get(URL)).status, 401)
})
