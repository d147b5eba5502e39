import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { testApp } from '#test/app.ts'
import { hearLinks } from '#test/links.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { billingProfileOf, users } from '#users'

const links = hearLinks()
const app = await testApp(null, { areas: [...areas, links.area] })
const ME = '/v1/users/me'
const ADDRESS = { line1: '1 rue de la Paix', postcode: '75002', city: 'Paris', country: 'FR' }

test('an empty change is a 200 and changes nothing', async () => {
  const ada = await person(app)
  const before = await ada.get(ME)
  const { status, body } = await ada.patch(ME, {})
  assert.equal(status, 200)
  assert.deepEqual(body, before.body)
  assert.deepEqual((await ada.patch(ME)).body, before.body)
})

test('the profile holds a billing address and a VAT number, which is not checked yet', async () => {
  const ada = await person(app)
  const change = { company: 'Analytical SARL', address: ADDRESS, vatNumber: 'fr 40 303 265 045' }
  const { status, body } = await ada.patch(ME, change)
  assert.equal(status, 200)
  assert.deepEqual(body.address, { ...ADDRESS, line2: null, region: null })
  assert.equal(body.vatNumber, 'FR40303265045')
  assert.equal(body.vatStatus, 'unchecked')
  const profile = await billingProfileOf(app.deps.database.of(app.tenantId), ada)
  assert.deepEqual(profile?.address, body.address)
  const cleared = await ada.patch(ME, { vatNumber: null, address: null })
  assert.equal(cleared.body.vatStatus, 'none')
  assert.equal(cleared.body.address, null)
})

test('moving to a country that the VAT number is not of is refused', async () => {
  const ada = await person(app)
  await ada.patch(ME, { address: ADDRESS, vatNumber: 'FR40303265045' })
  const moved = { ...ADDRESS, country: 'DE', city: 'Berlin', postcode: '10115' }
  assert.equal((await ada.patch(ME, { address: moved })).status, 422)
  assert.equal((await ada.patch(ME, { address: moved, vatNumber: null })).status, 200)
})

const REFUSED = [
  [{ vatNumber: 'FR40303265045' }, 422],
  [{ country: 'ZZ' }, 422],
  [{ address: { ...ADDRESS, country: 'ZZ' } }, 422],
  [{ address: { line1: 'only this' } }, 400],
  [{ address: { ...ADDRESS, planet: 'Mars' } }, 400],
  [{ name: '' }, 400],
  [{ name: 'two\nlines' }, 400],
  [{ locale: 'xx' }, 400],
  [{ name: null }, 400],
  [{ phone: 'call me' }, 400],
  [{ phone: '+' }, 400],
  [{ timeZone: 'Europe/Atlantis' }, 422],
] as const

for (const [change, expected] of REFUSED) {
  test(`changing a profile by ${JSON.stringify(change)} is a ${expected}`, async () => {
    const ada = await person(app)
    assert.equal((await ada.patch(ME, change)).status, expected)
  })
}

test('a new address counts once it is confirmed; the old one stays the login, unconfirmed (hardening 20)', async () => {
  const { body } = await app.post('/v1/auth/register', {
    ...{ email: 'old@example.org', password: 'correct horse battery', name: 'Ada' },
  })
  const ada = app.as(body.accessToken)
  const token = await links.newest(app, 'verify', 'old@example.org')
  await app.post('/v1/auth/email/verify', { token })
  const asked = await ada.patch(ME, { email: 'New@example.org' })
  assert.equal(asked.body.email, 'old@example.org')
  assert.equal(asked.body.pendingEmail, 'new@example.org')
  assert.equal(asked.body.emailVerifiedAt, null)
  const login = { password: 'correct horse battery' }
  const sent = await links.newest(app, 'verify', 'new@example.org')
  assert.equal(
    (await app.post('/v1/auth/login', { ...login, email: 'new@example.org' })).status,
    401,
  )
  assert.equal((await app.post('/v1/auth/email/verify', { token: sent })).status, 200)
  const { body: user } = await ada.get(ME)
  assert.equal(user.email, 'new@example.org')
  assert.equal(user.pendingEmail, null)
  assert.notEqual(user.emailVerifiedAt, null)
  assert.equal(
    (await app.post('/v1/auth/login', { ...login, email: 'new@example.org' })).status,
    200,
  )
})

test('an address that somebody else has by then is refused only to who reads its mail (hardening 20)', async () => {
  const ada = await person(app)
  const bob = await person(app)
  const { status } = await ada.patch(ME, { email: bob.email })
  assert.equal(status, 200)
  const token = await links.newest(app, 'verify', bob.email)
  assert.equal((await app.post('/v1/auth/email/verify', { token })).status, 409)
})

test('asking for another address needs the password once the sign-in is 15 minutes old', async () => {
  const { body } = await app.post('/v1/auth/register', {
    ...{ email: 'slow@example.org', password: 'correct horse battery', name: 'Ada' },
  })
  await app.advance(16 * 60)
  const fresh = await app.post('/v1/auth/refresh', { refreshToken: body.refreshToken })
  const ada = app.as(fresh.body.accessToken)
  const email = 'moved@example.org'
  assert.equal((await ada.patch(ME, { email })).status, 403)
  const guess = { email, currentPassword: 'not the password' }
  assert.equal((await ada.patch(ME, guess)).status, 403)
  const right = { email, currentPassword: 'correct horse battery' }
  assert.equal((await ada.patch(ME, right)).status, 200)
})

test('a key changes a profile, but without the password neither the address nor the password', async () => {
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read-write' })
  assert.equal((await key.patch(ME, { name: 'Augusta' })).body.name, 'Augusta')
  assert.equal((await key.patch(ME, { email: 'x@example.org' })).status, 403)
  const change = { currentPassword: 'correct horse', newPassword: 'another horse battery' }
  assert.equal((await key.post(`${ME}/password`, change)).status, 403)
})

test("the export of a person's data holds their profile, sessions and keys, and no secret", async () => {
  const ada = await person(app)
  const { key } = await apiKey(app, ada, { permission: 'read' })
  const data = await users.personalData?.(app.deps.database.of(app.tenantId), ada)
  const text = JSON.stringify(data)
  assert.deepEqual(Object.keys(data ?? {}), [
    ...['profile', 'sessions', 'apiKeys', 'passkeys', 'authenticatorAppSince'],
    ...['recoveryCodesLeft', 'vatNumberChecks', 'connections', 'notesOfStaff', 'importedFacts'],
    'familiarNetworks',
  ])
  assert.ok(text.includes(ada.email) && text.includes(ada.sessionId))
  assert.doesNotMatch(text, /hash|argon2|password/i)
  assert.ok(!text.includes(key) && !text.includes(ada.refreshToken))
})

test('people see what they may do, with what their groups and wildcards give', async () => {
  const owner = await person(app, { admin: true })
  const clerk = await person(app, { permissions: ['store:*', 'users:read'] })
  const role = { name: 'Bookkeepers', permissions: ['reports:read'] }
  const { id: roleId } = (await owner.post('/v1/admin/rbac/roles', role)).body
  const group = { name: 'Office', roleIds: [roleId], memberIds: [clerk.userId] }
  assert.equal((await owner.post('/v1/admin/rbac/groups', group)).status, 201)
  const { body } = await clerk.get(ME)
  assert.deepEqual(body.permissions, ['reports:read', 'store:read', 'store:write', 'users:read'])
  assert.deepEqual([body.platform, body.impersonation], [true, null])
  const customer = (await (await person(app)).get(ME)).body
  assert.deepEqual([customer.permissions, customer.platform], [[], false])
  const all = (await owner.get(ME)).body.permissions
  const known = (await owner.get('/v1/admin/rbac/permissions')).body.data
  const keys = known.map(({ key }: { key: string }) => key)
  assert.deepEqual(
    all,
    keys.filter((key: string) => !key.endsWith(':*')),
  )
})

test('staff of another tenant is not staff of the platform', async () => {
  const tenantId = await otherTenant(app, 'elsewhere.test')
  const boss = await person(app, { tenantId, admin: true })
  const { body } = await boss.get(ME)
  assert.equal(body.platform, false)
  assert.ok(body.permissions.includes('users:impersonate'))
})

test('who acts as somebody is told so, until when and by whom', async () => {
  const owner = await person(app, { admin: true })
  const ada = await person(app)
  const begun = (
    await owner.post(`/v1/admin/users/${ada.userId}/impersonate`, { reason: 'Asked for help' })
  ).body
  const { body } = await app.as(begun.accessToken).get(ME)
  const { name } = (await owner.get(ME)).body
  assert.equal(body.id, ada.userId)
  assert.equal(body.impersonation.byName, name)
  assert.equal(
    Date.parse(body.impersonation.until),
    Math.floor(Date.parse(begun.expiresAt) / 1000) * 1000,
  )
  assert.equal((await ada.get(ME)).body.impersonation, null)
})

test('people say how they are reached, where their clock is, and whether they want offers', async () => {
  const [ada, boss] = [await person(app), await person(app, { admin: true })]
  const contact = { phone: '+33 1 23 45 67 89', timeZone: 'Europe/Paris' }
  const { status, body, text } = await ada.patch(ME, { ...contact, marketingConsent: true })
  assert.equal(status, 200, text)
  assert.deepEqual([body.phone, body.timeZone], [contact.phone, contact.timeZone])
  assert.ok(body.marketingConsentAt)
  app.deps.clock.advance(1000)
  const again = (await ada.patch(ME, { marketingConsent: true, phone: null })).body
  assert.deepEqual([again.marketingConsentAt, again.phone], [body.marketingConsentAt, null])
  assert.deepEqual(
    [body.marketingConsentSource, again.marketingConsentSource],
    ['profile', 'profile'],
  )
  const path = `/v1/admin/users/${ada.userId}`
  const imposed = await boss.patch(path, { marketingConsent: true })
  assert.equal(imposed.status, 400, 'nobody agrees in the place of others')
  assert.equal((await boss.patch(path, { phone: '0123456' })).body.phone, '0123456')
  const withdrawn = (await ada.patch(ME, { marketingConsent: false })).body
  assert.deepEqual([withdrawn.marketingConsentAt, withdrawn.timeZone], [null, contact.timeZone])
  assert.equal(withdrawn.marketingConsentSource, null)
})

test('a consent says where it was given, and is not taken for granted', async () => {
  const form = { email: 'grace@example.org', password: 'correct horse battery', name: 'Grace' }
  const silent = (await app.post('/v1/auth/register', form)).body
  const { body: without } = await app.as(silent.accessToken).get(ME)
  assert.deepEqual([without.marketingConsentAt, without.marketingConsentSource], [null, null])
  const agreed = { ...form, email: 'hopper@example.org', marketingConsent: true }
  const { accessToken } = (await app.post('/v1/auth/register', agreed)).body
  const { body: hopper } = await app.as(accessToken).get(ME)
  assert.equal(hopper.marketingConsentSource, 'registration')
  const ada = await person(app)
  const key = await apiKey(app, ada, { permission: 'read-write' })
  assert.equal((await key.patch(ME, { marketingConsent: true })).status, 200)
  const boss = await person(app, { admin: true })
  const seen = (await boss.get(`/v1/admin/users/${ada.userId}`)).body
  assert.equal(seen.marketingConsentSource, 'api_key')
  assert.ok(seen.marketingConsentAt)
})
