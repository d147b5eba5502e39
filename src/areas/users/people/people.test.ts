import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { apiKey, person } from '#test/people.ts'

const app = await testApp(null)
const PEOPLE = '/v1/admin/users'
const clerk = await person(app, { permissions: ['users:read', 'users:write'] })

test('people are found by word prefixes of their address or name, in any case', async () => {
  const grace = await person(app, { email: 'grace_100@example.org', name: 'Grace Hopper' })
  for (const search of ['grace_1', 'GRACE_', 'grace hop', 'hopper', '100@exam']) {
    const { data } = (await clerk.get(`${PEOPLE}?search=${encodeURIComponent(search)}`)).body
    assert.deepEqual(
      data.map((it: { id: string }) => it.id),
      [grace.userId],
    )
  }
  const { data } = (await clerk.get(`${PEOPLE}?search=race`)).body
  assert.deepEqual(data, [])
})

test('the list comes in pages, newest first, and shows roles', async () => {
  const people = [await person(app), await person(app), await person(app, { admin: true })]
  const first = (await clerk.get(`${PEOPLE}?limit=2`)).body
  assert.equal(first.data[0].roles[0].name, 'Owner')
  const second = (await clerk.get(`${PEOPLE}?limit=2&cursor=${first.nextCursor}`)).body
  const ids = [...first.data, ...second.data].map((it: { id: string }) => it.id)
  assert.deepEqual(ids.slice(0, 3), people.map(({ userId }) => userId).reverse())
  assert.equal(new Set(ids).size, 4)
})

test('suspending ends sessions and keys at once; unsuspending lets the key back in (hardening 18)', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read' })
  for (const client of [ada, key]) assert.equal((await client.get('/v1/users/me')).status, 200)
  const { status, body } = await clerk.post(`${PEOPLE}/${ada.userId}/suspend`)
  assert.equal(status, 200)
  assert.equal(body.status, 'suspended')
  for (const client of [ada, key]) assert.equal((await client.get('/v1/users/me')).status, 401)
  await clerk.post(`${PEOPLE}/${ada.userId}/unsuspend`)
  assert.equal((await ada.get('/v1/users/me')).status, 401)
  assert.equal((await key.get('/v1/users/me')).status, 200)
})

test('a suspended person cannot sign in, and learns why only with the right password', async () => {
  const account = { email: 'out@example.org', password: 'correct horse battery' }
  const { body } = await app.post('/v1/auth/register', { ...account, name: 'Out' })
  await clerk.post(`${PEOPLE}/${body.user.id}/suspend`)
  const right = await app.post('/v1/auth/login', account)
  assert.deepEqual([right.status, right.body.code], [403, 'account_suspended'])
  const wrong = await app.post('/v1/auth/login', { ...account, password: 'wrong horse' })
  assert.equal(wrong.status, 401)
})

test('nobody suspends themselves, or somebody who may do more', async () => {
  const owner = await person(app, { admin: true })
  assert.equal((await clerk.post(`${PEOPLE}/${clerk.userId}/suspend`)).status, 409)
  assert.equal((await clerk.post(`${PEOPLE}/${owner.userId}/suspend`)).status, 403)
  assert.equal((await owner.get('/v1/users/me')).status, 200)
})

test('somebody nobody knows is a 404', async () => {
  const unknown = '01900000-0000-7000-8000-000000000000'
  assert.equal((await clerk.get(`${PEOPLE}/${unknown}`)).status, 404)
  assert.equal((await clerk.get(`${PEOPLE}/constructor`)).status, 404)
  assert.equal((await clerk.post(`${PEOPLE}/${unknown}/suspend`)).status, 404)
})

const ADDRESS = { line1: '1 rue de la Paix', postcode: '75002', city: 'Paris', country: 'FR' }

test('a profile is changed, and nothing else of the row can be (hardening 5)', async () => {
  const ada = await person(app)
  const url = `${PEOPLE}/${ada.userId}`
  const change = { name: 'Augusta King', address: ADDRESS, locale: 'fr', company: 'Engines' }
  const { status, body } = await clerk.patch(url, change)
  assert.equal(status, 200)
  assert.deepEqual([body.name, body.locale, body.company], ['Augusta King', 'fr', 'Engines'])
  assert.equal(body.address.city, 'Paris')
  assert.deepEqual((await clerk.patch(url, {})).body, body)
  const forbidden = ['role', 'isAdmin', 'tenantId', 'emailVerifiedAt', 'suspendedAt', 'deletedAt']
  for (const field of [...forbidden, 'passwordHash', 'mfaEnabledAt', 'id', 'credits']) {
    const { status: refused } = await clerk.patch(url, { name: 'Eve', [field]: '1' })
    assert.equal(refused, 400, field)
  }
  assert.deepEqual((await clerk.get(url)).body, body)
})

test('an address set by staff counts once its link was followed (hardening 20)', async () => {
  const ada = await person(app)
  const email = 'moved-by-staff@example.org'
  const { body } = await clerk.patch(`${PEOPLE}/${ada.userId}`, { email })
  assert.deepEqual([body.email, body.pendingEmail], [ada.email, email])
  assert.equal(body.emailVerifiedAt, null)
})

test('nobody moves the address of somebody who may do more, or their own', async () => {
  const owner = await person(app, { admin: true })
  const email = 'taken-over@example.org'
  assert.equal((await clerk.patch(`${PEOPLE}/${owner.userId}`, { email })).status, 403)
  assert.equal((await clerk.patch(`${PEOPLE}/${owner.userId}`, { name: 'x' })).status, 403)
  const { status, body } = await clerk.patch(`${PEOPLE}/${clerk.userId}`, { email })
  assert.deepEqual([status, body.code], [409, 'own_account'])
})

test('a timeline tells what happened, newest first, page by page, each thing once', async () => {
  const ada = await person(app)
  await apiKey(app, ada, { permission: 'read' })
  await clerk.post(`${PEOPLE}/${ada.userId}/suspend`)
  const url = `${PEOPLE}/${ada.userId}/timeline`
  const whole = (await clerk.get(`${url}?limit=100`)).body
  assert.equal(whole.nextCursor, null)
  const kinds = whole.data.map((it: { kind: string }) => it.kind)
  for (const kind of ['registered', 'email-verified', 'signed-in', 'api-key-made', 'suspended']) {
    assert.ok(kinds.includes(`users.${kind}`), kind)
  }
  const times = whole.data.map((it: { at: string }) => it.at)
  assert.deepEqual(times, [...times].sort().reverse())
  const seen = []
  let cursor = ''
  do {
    const { body } = await clerk.get(`${url}?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.data)
    cursor = body.nextCursor ?? ''
  } while (cursor)
  assert.deepEqual(seen, whole.data)
  assert.equal((await clerk.get(`${url}?cursor=bm9uZQ`)).status, 400)
})

test('people see what happened to their account, and not who did it or who brought them', async () => {
  const [ada, bob] = [await person(app), await person(app)]
  const key = await ada.post('/v1/api-keys', { permission: 'read', name: 'Backup' })
  assert.equal(key.status, 201, key.text)
  const boss = await person(app, { admin: true })
  await boss.post(`/v1/admin/users/${ada.userId}/impersonate`, { reason: 'Asked for help' })
  // The notice of it is the last thing that happens by itself.
  const { status, body, text } = await until('Ada is told of it', async () => {
    const answer = await ada.get('/v1/users/me/timeline')
    return answer.text.includes('notifications.told') && answer
  })
  assert.equal(status, 200)
  const kinds = body.data.map(({ kind }: { kind: string }) => kind)
  for (const kind of ['users.registered', 'users.signed-in', 'users.api-key-made']) {
    assert.ok(kinds.includes(kind), kind)
  }
  assert.ok(kinds.includes('users.impersonated'))
  assert.deepEqual(Object.keys(body.data[0]).sort(), ['at', 'detail', 'id', 'kind', 'objectId'])
  assert.ok(!text.includes(boss.userId))
  const first = (await ada.get('/v1/users/me/timeline?limit=1')).body
  const next = await ada.get(`/v1/users/me/timeline?limit=1&cursor=${first.nextCursor}`)
  assert.deepEqual([...first.data, ...next.body.data], body.data.slice(0, 2))
  await boss.patch('/v1/admin/settings', { impersonation: { tellPerson: false } })
  const quiet = (await ada.get('/v1/users/me/timeline')).body.data
  assert.ok(!quiet.some(({ kind }: { kind: string }) => kind === 'users.impersonated'))
  const theirs = (await bob.get('/v1/users/me/timeline')).body.data
  assert.ok(!theirs.some(({ kind }: { kind: string }) => kind === 'users.api-key-made'))
})
