import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, failures, testPanel, userBody } from './testing.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/

test('a user is created with 201 and its address, and read by id and by external id', async (t) => {
  const panel = await testPanel(t)
  const made = await panel.app('POST', '/users', userBody('Ann', { external_id: 'Cust-1' }))
  assert.equal(made.status, 201)
  const { fields } = made
  assert.match(fields.text('attributes.created_at'), TIMESTAMP)
  assert.match(fields.text('attributes.uuid'), /^[0-9a-f-]{36}$/)
  assert.deepEqual(Object.keys(fields.record('attributes')), [
    'id',
    'external_id',
    'uuid',
    'username',
    'email',
    'first_name',
    'last_name',
    'language',
    'root_admin',
    '2fa',
    'created_at',
    'updated_at',
  ])
  assert.partialDeepStrictEqual(made.body, {
    object: 'user',
    attributes: {
      id: 2,
      username: 'ann',
      email: 'Ann@example.com',
      root_admin: false,
      '2fa': false,
    },
    meta: { resource: `${panel.url}/api/application/users/2` },
  })
  for (const path of ['/users/2', '/users/external/cust-1']) {
    const read = await panel.app('GET', path)
    assert.deepEqual([read.status, read.body.attributes], [200, made.body.attributes])
  }
})

const REFUSED: [string, Record<string, unknown>, string[]][] = [
  ['without a last name', { last_name: null }, ['last_name/required']],
  ['with no address', { email: 'nobody' }, ['email/email']],
  ['with a taken address in other case', { email: 'ADMIN@panel.example.net' }, ['email/unique']],
  ['with a taken name in other case', { username: 'ADMIN' }, ['username/unique']],
  ['with a name of two characters', { username: 'ab' }, ['username/p_username']],
  ['with a name that ends with a dot', { username: 'ann.' }, ['username/p_username']],
  ['with a name with a space', { username: 'ann b' }, ['username/p_username']],
  ['with an unknown language', { language: 'tlh' }, ['language/in']],
]

for (const [what, changes, expected] of REFUSED) {
  test(`a user ${what} is refused`, async (t) => {
    const panel = await testPanel(t)
    const answer = await panel.app('POST', '/users', userBody('ann', changes))
    assert.deepEqual(failures(answer), expected)
  })
}

test('an update needs the whole set, and keeps what else is left out', async (t) => {
  const panel = await testPanel(t)
  await panel.app('POST', '/users', userBody('ann', { external_id: 'cust-1' }))
  const partial = await panel.app('PATCH', '/users/2', { email: 'new@example.com' })
  const missing = ['username/required', 'first_name/required', 'last_name/required']
  assert.deepEqual(failures(partial), missing)
  const whole = await panel.app('PATCH', '/users/2', userBody('ann', { email: 'new@example.com' }))
  assert.equal(whole.status, 200)
  const attributes = { email: 'new@example.com', external_id: 'cust-1' }
  assert.partialDeepStrictEqual(whole.body, { attributes })
})

test('a user with servers stays, one without goes', async (t) => {
  const panel = await testPanel(t)
  const user = await panel.newUser()
  await panel.newServer({ user })
  const refused = await panel.app('DELETE', `/users/${user}`)
  assertError(refused, 400, 'DisplayException', /^Cannot delete a user with active servers/)
  await panel.app('DELETE', '/servers/1')
  assert.deepEqual(await statusAndText(panel.app('DELETE', `/users/${user}`)), [204, ''])
  assert.equal((await panel.app('GET', `/users/${user}`)).status, 404)
})

test('of users made at once with one address, one is made', async (t) => {
  const panel = await testPanel(t)
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      panel.app('POST', '/users', userBody(`ann${index}`, { email: 'ann@example.com' })),
    ),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.equal(statuses.filter((status) => status === 201).length, 1)
  assert.ok(
    statuses.every((status) => [201, 422, 500].includes(status)),
    statuses.join(),
  )
})

async function statusAndText(answer: Promise<{ status: number; text: string }>) {
  const { status, text } = await answer
  return [status, text]
}
