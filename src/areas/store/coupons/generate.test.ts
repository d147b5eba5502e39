import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const terms = { type: 'percent', percentBasisPoints: 2000, maxRedemptions: 1 }
const generate = (body: object, who = admin) => who.post('/v1/admin/coupons/generate', body)
const list = async () => (await admin.get('/v1/admin/coupons?limit=100')).body.data

test('five hundred coupons with the same terms get a code each', async () => {
  const tried = await generate({ ...terms, count: 500, prefix: 'lan-', dryRun: true })
  assert.deepEqual([tried.status, tried.body.created, tried.body.dryRun], [200, 500, true])
  assert.deepEqual(await list(), [], 'a dry run creates nothing')
  const { status, body, text } = await generate({ ...terms, count: 500, prefix: 'lan-' })
  assert.equal(status, 200, text)
  const codes = new Set(body.rows.map(({ code }: { code: string }) => code))
  assert.deepEqual([body.created, codes.size], [500, 500])
  for (const code of codes) assert.match(String(code), /^LAN-[A-HJKMNP-Z2-9]{10}$/)
  const { body: one } = await admin.get(`/v1/admin/coupons/${body.rows[0].id}`)
  const { code, percentBasisPoints, maxRedemptions, currency } = one
  assert.deepEqual(
    [code, percentBasisPoints, maxRedemptions, currency],
    [body.rows[0].code, 2000, 1, 'EUR'],
  )
})

test('a repetition under the same key creates no more', async () => {
  const keyed = { headers: { 'idempotency-key': 'coupons for the party' } }
  const body = { ...terms, count: 3, prefix: 'PARTY' }
  const first = await admin.post('/v1/admin/coupons/generate', body, keyed)
  const second = await admin.post('/v1/admin/coupons/generate', body, keyed)
  assert.deepEqual(second.body, first.body)
})

test('incomplete terms, too many codes and a wrong prefix are refused, and nothing is created', async () => {
  const before = (await list()).length
  for (const wrong of [
    { type: 'fixed', count: 2 },
    { ...terms, count: 0 },
    { ...terms, count: 501 },
    { ...terms, count: 2, prefix: 'two words' },
    { ...terms, count: 2, code: 'MINE' },
    { ...terms, count: 2, productIds: ['00000000-0000-7000-8000-000000000000'] },
  ]) {
    assert.equal((await generate(wrong)).status, 400, JSON.stringify(wrong))
  }
  assert.equal((await list()).length, before)
  const clerk = await person(app, { permissions: ['store:read'] })
  assert.equal((await generate({ ...terms, count: 1 }, clerk)).status, 403)
})
