import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrolTotp } from '#test/accounts.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { app, admin } = shop
const URL = '/v1/admin/users'
const reader = await person(app, { permissions: ['users:read'] })
const bookkeeper = await person(app, { permissions: ['invoices:read'] })
const foreigner = await person(app, {
  ...{ tenantId: await otherTenant(app, 'person.test'), admin: true },
})

test('notes of staff about a customer are part of the data export of the customer', async () => {
  const ada = await person(app)
  const notes = `${URL}/${ada.userId}/notes`
  const { status, body, text } = await admin.post(notes, { text: 'Prefers calls' })
  assert.equal(status, 201, text)
  assert.deepEqual([body.text, body.authorName], ['Prefers calls', admin.name])
  assert.deepEqual((await reader.get(notes)).body.data, [body])
  assert.equal((await reader.post(notes, { text: 'No' })).status, 403)
  assert.equal((await admin.post(notes, { text: '  ' })).status, 400)
  assert.equal((await foreigner.get(notes)).status, 404)
  assert.equal((await foreigner.post(notes, { text: 'No' })).status, 404)
  assert.equal((await foreigner.delete(`${notes}/${body.id}`)).status, 404)
  const own = await ada.get('/v1/billing/export-data')
  assert.match(own.text, /Prefers calls/)
  const bob = await person(app)
  assert.equal((await admin.delete(`${URL}/${bob.userId}/notes/${body.id}`)).status, 404)
  assert.equal((await admin.delete(`${notes}/${body.id}`)).status, 200)
  assert.deepEqual((await reader.get(notes)).body.data, [])
})

test('sign-in methods of a person are shown without secrets, and can be revoked', async () => {
  const ada = await person(app)
  const { key } = await apiKey(app, ada, { permission: 'read' })
  const { status, body, text } = await admin.get(`${URL}/${ada.userId}/access`)
  assert.equal(status, 200, text)
  assert.deepEqual([body.sessions.length, body.apiKeys.length], [1, 1])
  assert.deepEqual([body.passkeys, body.authenticatorApp], [0, false])
  assert.ok(!text.includes(key))
  assert.equal((await foreigner.get(`${URL}/${ada.userId}/access`)).status, 404)
  assert.equal((await reader.post(`${URL}/${ada.userId}/end-sessions`)).status, 403)
  const ended = await admin.post(`${URL}/${ada.userId}/end-sessions`)
  assert.deepEqual(ended.body, { ended: 1 })
  assert.equal((await ada.get('/v1/users/me')).status, 401)
  assert.deepEqual((await admin.post(`${URL}/${ada.userId}/end-sessions`)).body, { ended: 0 })
})

test('staff confirm the address of a person, once', async () => {
  const ada = await person(app, { verified: false })
  const first = await admin.post(`${URL}/${ada.userId}/confirm-email`)
  assert.ok(first.body.emailVerifiedAt, first.text)
  const again = await admin.post(`${URL}/${ada.userId}/confirm-email`)
  assert.equal(again.body.emailVerifiedAt, first.body.emailVerifiedAt)
  assert.equal((await foreigner.post(`${URL}/${ada.userId}/confirm-email`)).status, 404)
})

test('staff cannot confirm their own address, neither by themselves nor through an impersonation', async () => {
  const clerk = await person(app, { permissions: ['users:*'], verified: false })
  const url = `${URL}/${clerk.userId}/confirm-email`
  const own = await clerk.post(url)
  assert.deepEqual([own.status, own.body.code], [409, 'own_account'])
  const begun = await admin.post(`${URL}/${clerk.userId}/impersonate`, {
    reason: 'Asked for help',
  })
  assert.equal(begun.status, 201, begun.text)
  const acting = await app.as(begun.body.accessToken).post(url)
  assert.deepEqual([acting.status, acting.body.code], [403, 'impersonated'])
  const { body } = await admin.get(`${URL}/${clerk.userId}`)
  assert.equal(body.emailVerifiedAt, null)
})

test('staff remove lost second factors of others, but not their own', async () => {
  const ada = await person(app)
  const url = `${URL}/${ada.userId}/reset-second-factors`
  assert.deepEqual((await admin.post(url)).body.code, 'mfa_not_enabled')
  await enrolTotp(app, ada)
  const { status, body, text } = await admin.post(url)
  assert.equal(status, 200, text)
  assert.equal(body.mfaEnabled, false)
  assert.equal((await ada.get('/v1/users/me')).status, 401)
  const own = await admin.post(`${URL}/${admin.userId}/reset-second-factors`)
  assert.equal(own.body.code, 'own_account')
})

test('staff cannot reset the second factors of a person with more permissions', async () => {
  const clerk = await person(app, { permissions: ['users:write'] })
  for (const action of ['confirm-email', 'end-sessions', 'reset-second-factors']) {
    const { status } = await clerk.post(`${URL}/${admin.userId}/${action}`)
    assert.equal(status, 403, action)
  }
})

test('credit and payment methods of a customer are shown', async () => {
  const ada = await person(app)
  const given = { amountCents: 250, currency: 'EUR', reason: 'Sorry' }
  await admin.post(`${URL}/${ada.userId}/credits`, given)
  const { body } = await bookkeeper.get(`${URL}/${ada.userId}/credits`)
  assert.deepEqual(body.balances, [{ currency: 'EUR', balanceCents: 250 }])
  assert.deepEqual([body.balanceCents, body.data[0].description], [250, 'Sorry'])
  assert.deepEqual((await bookkeeper.get(`${URL}/${ada.userId}/payment-methods`)).body.data, [])
  for (const path of ['credits', 'payment-methods']) {
    assert.equal((await foreigner.get(`${URL}/${ada.userId}/${path}`)).status, 404, path)
  }
})

test('staff who may only see people see no money, no services and no sign-ins of them', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  await shop.buy(ada, plan.id)
  await shop.serviceBecame(ada, 'active')
  await apiKey(app, ada, { permission: 'read' })
  const given = { amountCents: 250, currency: 'EUR', reason: 'Sorry' }
  await admin.post(`${URL}/${ada.userId}/credits`, given)
  await shop.quiet()
  for (const part of ['credits', 'payment-methods', 'access']) {
    const { status, body } = await reader.get(`${URL}/${ada.userId}/${part}`)
    assert.deepEqual([status, body.code], [403, 'permission_missing'], part)
  }
  const listed = async (by = reader) => (await by.get(`${URL}?search=${ada.email}`)).body.data[0]
  const shown = await listed()
  assert.deepEqual([shown.credit, shown.due, shown.monthly], [[], [], []])
  assert.deepEqual([shown.activeServices, shown.needsAttention], [null, false])
  assert.equal(shown.lastSeenAt, null)
  assert.equal((await reader.get(`${URL}?withServices=true`)).status, 403)
  const kindsFor = async (...more: string[]) => {
    const by = await person(app, { permissions: ['users:read', ...more] })
    const { data } = (await by.get(`${URL}/${ada.userId}/timeline?limit=100`)).body
    const kinds = data.map((it: { kind: string }) => it.kind.split('.')[0])
    return [...new Set<string>(kinds)].sort()
  }
  assert.deepEqual(await kindsFor(), ['users'])
  assert.deepEqual(await kindsFor('services:read'), ['services', 'users'])
  assert.deepEqual(await kindsFor('orders:read'), ['orders', 'users'])
  assert.deepEqual(await kindsFor('invoices:read'), ['billing', 'ledger', 'users'])
  const own = (await reader.get(`${URL}/${ada.userId}/timeline`)).text
  assert.doesNotMatch(own, /signed-in|api-key/)
  const all = await listed(admin)
  assert.deepEqual([all.credit[0].balanceCents, all.activeServices], [250, 1])
  assert.ok(all.lastSeenAt)
})

test('viewing as a customer needs a reason, which staff can see', async () => {
  const ada = await person(app)
  const url = `${URL}/${ada.userId}/impersonate`
  for (const body of [{}, { reason: ' ' }]) assert.equal((await admin.post(url, body)).status, 400)
  const begun = await admin.post(url, { reason: 'The console stays empty' })
  assert.equal(begun.status, 201, begun.text)
  const entryOf = async (path: string, by = reader) =>
    (await by.get(path)).body.data.find((it: { kind: string }) => it.kind === 'users.impersonated')
  const entry = await entryOf(`${URL}/${ada.userId}/timeline`)
  assert.deepEqual([entry.actorId, entry.detail], [admin.userId, 'The console stays empty'])
  const own = await entryOf('/v1/users/me/timeline', ada)
  assert.equal(own?.detail ?? null, null)
  const { text, body } = await ada.get('/v1/billing/export-data')
  const viewed = body.data.users.sessions.find((it: { ofStaff: boolean }) => it.ofStaff)
  assert.deepEqual([viewed.reasonOfStaff, viewed.address], ['The console stays empty', null])
  assert.ok(!text.includes(admin.userId), 'the names of staff are not part of it')
  assert.match(JSON.stringify(body.purposes), /notes of our staff about you/)
})
