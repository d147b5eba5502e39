import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { apiKey, type Person, person } from '#test/people.ts'

const app = await testApp(null)
const db = app.deps.database.of(app.tenantId)
const owner = await person(app, { admin: true })
const SUPPORT = ['users:read', 'users:impersonate', 'rbac:write']

function begin(by: Pick<Person, 'post'>, whom: { userId: string }) {
  return by.post(`/v1/admin/users/${whom.userId}/impersonate`, { reason: 'Asked for help' })
}

/** A client that acts as somebody. */
async function acting(by: Person, whom: { userId: string }) {
  const { status, body, text } = await begin(by, whom)
  assert.equal(status, 201, text)
  return { ...app.as(body.accessToken), ...body }
}

test('support sees what a customer sees, and the session says so (hardening 11)', async () => {
  const [clerk, ada] = [await person(app, { permissions: SUPPORT }), await person(app)]
  const as = await acting(clerk, ada)
  assert.equal(as.expiresIn, 1800)
  const { body } = await as.get('/v1/users/me')
  assert.equal(body.id, ada.userId)
  assert.equal((await as.get('/v1/billing/invoices')).status, 200)
  const sessions = (await ada.get('/v1/users/me/sessions')).body.data
  const shown = sessions.find((it: { id: string }) => it.id === as.sessionId)
  assert.deepEqual([shown.impersonated, shown.address], [true, null])
})

test('nothing shows or changes how the person signs in (hardening 11)', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read' })
  const as = await acting(owner, ada)
  const refused = [
    ['GET', '/v1/users/me/sessions'],
    ['DELETE', '/v1/users/me/sessions'],
    ['GET', '/v1/api-keys'],
    ['POST', '/v1/api-keys', { permission: 'read' }],
    ['DELETE', `/v1/api-keys/${key.id}`],
    ['GET', `/v1/api-keys/${key.id}`],
    ['GET', '/v1/users/me/totp'],
    ['POST', '/v1/users/me/totp'],
    ['POST', '/v1/users/me/totp/confirm', { code: '123456' }],
    ['DELETE', '/v1/users/me/totp', { currentPassword: 'x', code: '123456' }],
    ['POST', '/v1/users/me/recovery-codes'],
    ['GET', '/v1/users/me/passkeys'],
    ['POST', '/v1/users/me/passkeys/options'],
    ['POST', '/v1/billing/setup-intent', {}],
    ['POST', '/v1/users/me/password', { currentPassword: 'x', newPassword: 'long enough to be' }],
    ['PATCH', '/v1/users/me', { email: 'mine@example.org' }],
    ['DELETE', '/v1/users/me', { password: 'x' }],
    ['GET', '/v1/billing/payment-methods'],
    ['POST', '/v1/billing/portal-session'],
    ['GET', '/v1/billing/export-data'],
  ] as const
  for (const [method, path, body] of refused) {
    const { status, body: answer } = await as.request(method, path, body)
    assert.deepEqual([status, answer.code], [403, 'impersonated'], `${method} ${path}`)
  }
})

test('who acts as staff cannot administer as them', async () => {
  const clerk = await person(app, { permissions: ['users:read'] })
  const as = await acting(owner, clerk)
  assert.equal((await as.get('/v1/users/me')).status, 200)
  const { status, body } = await as.get('/v1/admin/users')
  assert.deepEqual([status, body.code], [403, 'impersonated'])
  assert.equal((await begin(as, await person(app))).status, 403)
})

test('the log names both people, for what was read too (hardening 11)', async () => {
  const [clerk, ada] = [await person(app, { permissions: SUPPORT }), await person(app)]
  const as = await acting(clerk, ada)
  await as.get('/v1/users/me')
  await as.get('/v1/api-keys')
  const path = `/v1/admin/audit-logs?impersonatorId=${clerk.userId}`
  const { data } = (await owner.get(path)).body
  assert.deepEqual(
    data.map((it: Record<string, unknown>) => [it.actorId, it.impersonatorId, it.route]),
    [
      [ada.userId, clerk.userId, '/v1/api-keys'],
      [ada.userId, clerk.userId, '/v1/users/me'],
    ],
  )
  const [begun] = (await owner.get(`/v1/admin/audit-logs?actorId=${clerk.userId}`)).body.data
  assert.deepEqual([begun.objectId, begun.statusCode], [ada.userId, 201])
})

test('it ends by itself after half an hour (hardening 11)', async () => {
  const [admin, ada] = [await person(app, { admin: true }), await person(app)]
  const as = await acting(admin, ada)
  await app.advance(29 * 60)
  assert.equal((await as.get('/v1/users/me')).status, 200)
  await app.advance(2 * 60)
  assert.equal((await as.get('/v1/users/me')).status, 401)
})

const ENDINGS: [string, (by: Person, whom: Person) => Promise<unknown>][] = [
  ['signs out', (by) => by.delete(`/v1/users/me/sessions/${by.sessionId}`)],
  ['is suspended', (by) => boss().then((it) => it.post(`/v1/admin/users/${by.userId}/suspend`))],
  ['loses the permission', (by) => setRoles(by, [])],
  ['acts as somebody who becomes staff', async (_by, whom) => setRoles(whom, [await roleId()])],
  [
    'acts as somebody who is suspended',
    async (_by, whom) => (await boss()).post(`/v1/admin/users/${whom.userId}/suspend`),
  ],
]

const boss = () => person(app, { admin: true })

async function setRoles({ userId }: Person, roleIds: string[]) {
  const { status } = await (await boss()).put(`/v1/admin/rbac/users/${userId}/roles`, { roleIds })
  assert.equal(status, 200)
}

async function roleId(): Promise<string> {
  const role = { name: 'Readers', permissions: ['store:read'] }
  return (await (await boss()).post('/v1/admin/rbac/roles', role)).body.id
}

for (const [what, end] of ENDINGS) {
  test(`it ends at once when the administrator ${what}`, async () => {
    const [clerk, ada] = [await person(app, { permissions: SUPPORT }), await person(app)]
    const as = await acting(clerk, ada)
    assert.equal((await as.get('/v1/users/me')).status, 200)
    await end(clerk, ada)
    assert.equal((await as.get('/v1/users/me')).status, 401)
  })
}

test('the person can end it', async () => {
  const ada = await person(app)
  const as = await acting(await boss(), ada)
  await ada.delete(`/v1/users/me/sessions/${as.sessionId}`)
  assert.equal((await as.get('/v1/users/me')).status, 401)
})

test('support acts neither as staff nor as themselves, nor as who is suspended', async () => {
  const clerk = await person(app, { permissions: SUPPORT })
  const reader = await person(app, { permissions: ['rbac:write'] })
  assert.equal((await begin(clerk, reader)).status, 403)
  assert.equal((await begin(clerk, owner)).status, 403)
  assert.equal((await begin(clerk, clerk)).status, 409)
  const ada = await person(app)
  await (await boss()).post(`/v1/admin/users/${ada.userId}/suspend`)
  assert.equal((await begin(clerk, ada)).status, 409)
})

test('the person is told, unless the shop does not want it', async () => {
  const [bob, ada] = [await person(app), await person(app)]
  const admin = await boss()
  await acting(admin, ada)
  await until('Ada is told', async () => {
    const { data } = (await ada.get('/v1/notifications')).body
    return data.some((it: { kind: string }) => it.kind === 'impersonated')
  })
  const row = { tenantId: app.tenantId, section: 'impersonation', updatedAt: app.deps.clock.now() }
  await transact(db, (tx) =>
    tx
      .insertInto('tenants.settings')
      .values({ ...row, values: json({ tellPerson: false }) })
      .execute(),
  )
  const { sessionId } = await acting(admin, bob)
  await until('the event is heard', async () => {
    const { rows } = await app.deps.database.execute(
      `select state from jobs.job where name = 'notifications.tell-of-impersonation'
         and data #>> '{payload,sessionId}' = $1`,
      [sessionId],
    )
    return rows[0]?.state === 'completed'
  })
  assert.deepEqual((await bob.get('/v1/notifications')).body.data, [])
})

test('support acts as somebody with a key, until the key ends', async () => {
  const clerk = await person(app, { permissions: SUPPORT })
  const key = await apiKey(app, clerk, { permission: 'read-write' })
  const ada = await person(app)
  const { status, body } = await begin(key, ada)
  assert.equal(status, 201)
  const as = app.as(body.accessToken)
  assert.equal((await as.get('/v1/users/me')).body.id, ada.userId)
  assert.equal((await clerk.delete(`/v1/api-keys/${key.id}`)).status, 200)
  assert.equal((await as.get('/v1/users/me')).status, 401)
  const reading = await apiKey(app, clerk, { permission: 'read' })
  assert.equal((await begin(reading, ada)).body.code, 'read_only_key')
})
