import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { areas } from '#app/areas.ts'
import { Body } from '#lib/schema.ts'
import type { Area } from '#platform/area.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

let runs = 0
let failing = false
let gate: Promise<void> | null = null
let entered = () => {}

/** Routes that count how often they ran. */
const counting: Area = {
  name: 'counting',
  routes: [
    (app) => {
      const schema = {
        hide: true,
        body: Body({ amount: Type.Integer() }),
        response: { 201: Type.Object({ run: Type.Integer(), amount: Type.Integer() }) },
      }
      for (const secretAnswer of [false, true]) {
        app.route({
          method: 'POST',
          url: secretAnswer ? '/v1/test/secret' : '/v1/test/count',
          config: { access: 'user', secretAnswer },
          schema,
          async handler({ body, transact }, reply) {
            entered()
            await gate
            if (failing) throw new Error('The machine broke')
            const run = await transact(async () => {
              runs += 1
              return runs
            })
            return reply.code(201).send({ run, amount: body.amount })
          },
        })
      }
    },
  ],
}

const app = await testApp(null, { areas: [...areas, counting] })
const ada = await person(app)
let made = 0

function withKey(key?: string) {
  made += 1
  return { headers: { 'idempotency-key': key ?? `key ${made}` } }
}

test('the same request again gets the first answer, and runs once (hardening 42)', async () => {
  const key = withKey()
  const first = await ada.post('/v1/test/count', { amount: 1 }, key)
  const second = await ada.post('/v1/test/count', { amount: 1 }, key)
  assert.equal(first.status, 201)
  assert.equal(first.headers['idempotency-replayed'], undefined)
  assert.equal(second.status, 201)
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.equal(second.text, first.text)
  assert.equal(second.headers['content-type'], first.headers['content-type'])
})

test('another request with a used key is a 422 (hardening 42)', async () => {
  const key = withKey()
  await ada.post('/v1/test/count', { amount: 1 }, key)
  const { status, body } = await ada.post('/v1/test/count', { amount: 2 }, key)
  assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
})

test("somebody else's same key is a key of their own (hardening 42)", async () => {
  const key = withKey()
  const bob = await person(app)
  const first = await ada.post('/v1/test/count', { amount: 1 }, key)
  const second = await bob.post('/v1/test/count', { amount: 1 }, key)
  assert.notEqual(first.body.run, second.body.run)
})

test('while the first request runs, the second is a 409 (hardening 42)', async () => {
  const key = withKey()
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  const inside = new Promise<void>((resolve) => {
    entered = resolve
  })
  const first = ada.post('/v1/test/count', { amount: 1 }, key)
  await inside
  const { status, body } = await ada.post('/v1/test/count', { amount: 1 }, key)
  open()
  gate = null
  assert.deepEqual([status, body.code], [409, 'in_progress'])
  assert.equal((await first).status, 201)
  const third = await ada.post('/v1/test/count', { amount: 1 }, key)
  assert.equal(third.headers['idempotency-replayed'], 'true')
})

test('of many at once, one runs (hardening 42)', async () => {
  const key = withKey()
  const before = runs
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ada.post('/v1/test/count', { amount: 1 }, key)),
  )
  assert.equal(runs, before + 1)
  for (const { status } of answers) assert.ok(status === 201 || status === 409)
})

test('after a fault the same request may be tried again (hardening 42)', async () => {
  const key = withKey()
  failing = true
  assert.equal((await ada.post('/v1/test/count', { amount: 1 }, key)).status, 500)
  failing = false
  const { status, headers } = await ada.post('/v1/test/count', { amount: 1 }, key)
  assert.equal(status, 201)
  assert.equal(headers['idempotency-replayed'], undefined)
})

test('a refusal is kept like any other answer', async () => {
  const key = withKey()
  const first = await ada.post('/v1/api-keys', { permission: 'read', allowedIps: ['x'] }, key)
  assert.equal(first.status, 422)
  const second = await ada.post('/v1/api-keys', { permission: 'read', allowedIps: ['x'] }, key)
  assert.equal(second.status, 422)
  assert.equal(second.headers['idempotency-replayed'], 'true')
})

test('an answer that holds a secret is never stored: its repeat is a 409', async () => {
  const key = withKey()
  const first = await ada.post('/v1/test/secret', { amount: 1 }, key)
  assert.equal(first.status, 201)
  const { status, body } = await ada.post('/v1/test/secret', { amount: 1 }, key)
  assert.deepEqual([status, body.code], [409, 'already_answered'])
})

test('a key of another form is a 400', async () => {
  for (const key of ['x'.repeat(256), 'sch\u00f6n']) {
    const { status } = await ada.post('/v1/test/count', { amount: 1 }, withKey(key))
    assert.equal(status, 400)
  }
})

test('a key is forgotten after a day', async () => {
  const key = withKey()
  const first = await ada.post('/v1/test/count', { amount: 1 }, key)
  await app.advance(24 * 3600 + 1)
  const again = await app.post('/v1/auth/refresh', { refreshToken: ada.refreshToken })
  const second = await app.as(again.body.accessToken).post('/v1/test/count', { amount: 1 }, key)
  assert.notEqual(second.body.run, first.body.run)
})

test('an answer is deleted a day after it was given, and not before', async () => {
  const bob = await person(app)
  const key = withKey()
  await bob.post('/v1/test/count', { amount: 1 }, key)
  const kept = async () => {
    const rows = await app.deps.database
      .of(app.tenantId)
      .selectFrom('platform.idempotency_keys')
      .select('key')
      .where('callerId', '=', bob.userId)
      .execute()
    return rows.length
  }
  await app.advance(23 * 3600)
  assert.equal(await kept(), 1)
  await app.advance(2 * 3600)
  assert.equal(await kept(), 0)
})
