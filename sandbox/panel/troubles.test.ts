import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failures, rows, testPanel, userBody } from './testing.ts'

/** What billing systems met in practice: a client that copes here copes there. */

test('the first hit for an address may be somebody else', async (t) => {
  const panel = await testPanel(t)
  await panel.newUser('joann')
  await panel.newUser('ann')
  const { body } = await panel.app('GET', '/users?filter[email]=ann@example.com&sort=id')
  assert.equal(rows(body)[0]?.email, 'joann@example.com')
})

test('an address is taken although the first page of the lookup does not show it', async (t) => {
  const panel = await testPanel(t)
  for (const name of ['xann', 'yann', 'ann']) await panel.newUser(name)
  const query = 'filter[email]=ann@example.com&sort=id'
  const first = await panel.app('GET', `/users?${query}&per_page=2`)
  assert.ok(rows(first.body).every(({ email }) => email !== 'ann@example.com'))
  const refused = await panel.app(
    'POST',
    '/users',
    userBody('another', { email: 'ann@example.com' }),
  )
  assert.deepEqual(failures(refused), ['email/unique'])
  const second = await panel.app('GET', `/users?${query}&per_page=2&page=2`)
  assert.equal(rows(second.body)[0]?.email, 'ann@example.com')
})

test('a user is there although the answer to its creation was a 500', async (t) => {
  const panel = await testPanel(t)
  const route = 'POST /api/application/users'
  await panel.control('POST', '/faults', { route, kind: 'commit-then-500' })
  const body = userBody('ann', { external_id: 'cust-1' })
  assert.equal((await panel.app('POST', '/users', body)).status, 500)
  assert.equal((await panel.app('GET', '/users/external/cust-1')).status, 200)
  const again = await panel.app('POST', '/users', body)
  assert.deepEqual(failures(again), ['external_id/unique', 'email/unique', 'username/unique'])
})

test('a second server with one external id is refused by that field', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer({ external_id: 'svc-1' })
  const again = await panel.newServer({ external_id: 'svc-1' })
  assert.deepEqual(failures(again), ['external_id/unique'])
})

test('a lookup that fails is no sign of absence: only the JSON 404 of a thing is', async (t) => {
  const panel = await testPanel(t)
  await panel.newServer({ external_id: 'svc-1' })
  const route = 'GET /api/application/servers/external/{id}'
  for (const kind of ['401', '403', '429', 'html-502', '504-before', 'empty-body']) {
    await panel.control('POST', '/faults', { route, kind })
    const answer = await panel.app('GET', '/servers/external/svc-1')
    assert.notEqual(answer.status, 404)
    assert.notEqual(answer.fields.text('attributes.external_id'), 'svc-1')
  }
  assert.equal((await panel.app('GET', '/servers/external/svc-1')).status, 200)
})
