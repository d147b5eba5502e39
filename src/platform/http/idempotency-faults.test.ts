import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { areas } from '#app/areas.ts'
import { Body } from '#lib/schema.ts'
import type { Area } from '#platform/area.ts'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

/** What the next request of the probe does after, and before, it has changed something. */
let before = async (_request: FastifyRequest) => {}
let afterwards = async () => {}
let effects = 0

const probe: Area = {
  name: 'probe',
  routes: [
    (server) => {
      server.route({
        method: 'POST',
        url: '/v1/probe',
        config: { access: 'user' },
        schema: {
          tags: ['System'],
          summary: 'Changes something',
          body: Body({ word: Type.Optional(Type.String()) }),
          response: { 200: Type.Object({ effects: Type.Integer() }) },
        },
        async handler(request) {
          await before(request)
          await request.transact(async () => {
            effects += 1
          })
          await afterwards()
          return { effects }
        },
      })
    },
  ],
}
const app = await testApp(null, { areas: [...areas, probe] })
const ada = await person(app)

const send = (key: string, body = {}) =>
  ada.post('/v1/probe', body, { headers: { 'idempotency-key': key } })

function fails(): Promise<never> {
  return Promise.reject(new Error('a fault'))
}

test('invariant 26: a repeat gets the first answer, and changes nothing (hardening 42)', async () => {
  effects = 0
  const first = await send('a')
  const again = await send('a')
  assert.deepEqual([first.status, first.body], [200, { effects: 1 }])
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal((await send('a', { word: 'other' })).body.code, 'idempotency_key_reused')
  assert.equal(effects, 1)
})

test('a repeat during the first request hears that it is running, before and after its effect', async () => {
  effects = 0
  const during: number[] = []
  async function repeat(): Promise<void> {
    const { status, body } = await send('b')
    assert.equal(body.code, 'in_progress')
    during.push(status)
  }
  before = repeat
  afterwards = repeat
  const { body } = await send('b')
  before = async () => {}
  afterwards = async () => {}
  assert.deepEqual(body, { effects: 1 })
  assert.deepEqual(during, [409, 409])
  assert.equal((await send('b')).status, 200)
})

test('a fault that changed nothing is tried again under its key (hardening 42)', async () => {
  effects = 0
  before = fails
  assert.equal((await send('c')).status, 500)
  before = async () => {}
  assert.deepEqual((await send('c')).body, { effects: 1 })
})

test('a fault after the change is not tried again: nothing happens twice (hardening 42)', async () => {
  effects = 0
  afterwards = fails
  assert.equal((await send('d')).status, 500)
  afterwards = async () => {}
  const again = await send('d')
  assert.deepEqual([again.status, again.body.code], [409, 'already_answered'])
  assert.equal(effects, 1)
})

test('a fault whose key cannot be freed is answered like any other, and the key is free later (hardening 42)', async () => {
  effects = 0
  before = async ({ scope }) => {
    // Each of its statements fails from now on.
    scope.db = app.deps.database.of('no id')
    throw new Error('a fault')
  }
  const { status, body } = await send('e')
  before = async () => {}
  assert.deepEqual([status, body.code], [500, 'internal_error'])
  assert.equal((await send('e')).body.code, 'in_progress')
  await app.advance(121)
  assert.deepEqual((await send('e')).body, { effects: 1 })
})
