import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)
const url = '/v1/admin/users'
const owner = await person(app, { admin: true })
const clerk = await person(app, { permissions: ['users:read', 'users:write'] })

type Mail = { kind: string; recipient: string; body: string; subject: string }

function mailTo(recipient: string): Promise<Mail> {
  return until(`a mail to ${recipient}`, async () => {
    const { body } = await owner.get(`/v1/admin/mails?recipient=${recipient}`)
    return body.data[0]
  })
}

test('staff create an account, and its owner chooses the first password by the link in the mail', async () => {
  const email = 'Grace@Example.org'
  const address = { line1: '1 rue de Lyon', postcode: '69001', city: 'Lyon', country: 'FR' }
  const wanted = { email, name: 'Grace Hopper', company: 'Navy', address, locale: 'fr' }
  const made = await clerk.post(url, wanted)
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    [made.body.email, made.body.emailVerifiedAt, made.body.status, made.body.locale],
    ['grace@example.org', null, 'active', 'fr'],
  )
  assert.deepEqual(made.body.address, { ...address, line2: null, region: null })
  assert.equal(made.body.termsAcceptedAt, null)
  for (const password of ['', 'null', 'correct horse battery']) {
    const refused = await app.post('/v1/auth/login', { email, password })
    assert.ok(refused.status === 401 || (password === '' && refused.status === 400), refused.text)
  }

  const mail = await mailTo('grace@example.org')
  assert.equal(mail.kind, 'account_created')
  assert.equal(mail.subject, 'Votre compte est prêt')
  const [, token] = /\/reset\/(\S+)/.exec(mail.body) ?? []
  const { body: link } = await app.post('/v1/auth/links/check', { token })
  assert.equal(link.purpose, 'reset')
  const days = (Date.parse(link.expiresAt) - Date.parse(made.body.createdAt)) / 86_400_000
  assert.equal(days, 7)
  const password = 'nanosecond wire lengths'
  assert.equal((await app.post('/v1/auth/password/reset', { token, password })).status, 200)
  assert.equal((await app.post('/v1/auth/password/reset', { token, password })).status, 410)
  const signedIn = await app.post('/v1/auth/login', { email, password })
  assert.equal(signedIn.status, 200, signedIn.text)
  assert.notEqual((await clerk.get(`${url}/${made.body.id}`)).body.emailVerifiedAt, null)
})

test('without a language the account has that of the shop, and only name and address are needed', async () => {
  const made = await clerk.post(url, { email: 'brief@example.org', name: 'Brief' })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual([made.body.locale, made.body.country, made.body.address], ['en', null, null])
  assert.equal((await mailTo('brief@example.org')).subject, 'Your account is ready')
})

test('of two requests at once, one creates the account, and the other one gets a 409', async () => {
  const wanted = { email: 'twice@example.org', name: 'Twice' }
  const both = await Promise.all([clerk.post(url, wanted), owner.post(url, wanted)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
  const late = await clerk.post(url, { ...wanted, email: 'TWICE@example.org' })
  assert.deepEqual([late.status, late.body.code], [409, 'address_unavailable'])
  await mailTo(wanted.email)
  const { data } = (await owner.get(`/v1/admin/mails?recipient=${wanted.email}`)).body
  assert.equal(data.length, 1)
})

test('a repeated request with the same key gets the first answer', async () => {
  const wanted = { email: 'key@example.org', name: 'Key' }
  const headers = { 'idempotency-key': 'one account' }
  const first = await clerk.post(url, wanted, { headers })
  const second = await clerk.post(url, wanted, { headers })
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.body.id, first.body.id)
})

test('bad input creates nothing', async () => {
  const good = { email: 'bad@example.org', name: 'Bad' }
  const cases = [
    [{ name: 'Bad' }, 400],
    [{ email: good.email }, 400],
    [{ ...good, email: 'nowhere' }, 400],
    [{ ...good, name: '' }, 400],
    [{ ...good, password: 'correct horse battery' }, 400],
    [{ ...good, marketingConsent: true }, 400],
    [{ ...good, locale: 'xx' }, 400],
    [{ ...good, name: 'see https://evil.example' }, 422],
    [{ ...good, country: 'ZZ' }, 422],
    [{ ...good, vatNumber: 'FR12345678901' }, 422],
  ] as const
  for (const [body, expected] of cases) {
    const { status, text } = await clerk.post(url, body)
    assert.equal(status, expected, `${JSON.stringify(body)}: ${text}`)
  }
  assert.deepEqual((await clerk.get(`${url}?search=bad@example.org`)).body.data, [])
})

test('it needs the permission to change people', async () => {
  const reader = await person(app, { permissions: ['users:read'] })
  const refused = await reader.post(url, { email: 'no@example.org', name: 'No' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'permission_missing'])
  const customer = await person(app)
  assert.equal((await customer.post(url, { email: 'no@example.org', name: 'No' })).status, 403)
})

test('the same address in another shop is another account', async () => {
  const platform = await person(app, { admin: true })
  const shop = await platform.post('/v1/admin/tenants', { name: 'Other', domains: ['o.example'] })
  const other = await person(app, { tenantId: shop.body.id, admin: true })
  const wanted = { email: 'both@example.org', name: 'Both' }
  const [here, there] = [await clerk.post(url, wanted), await other.post(url, wanted)]
  assert.deepEqual([here.status, there.status], [201, 201], there.text)
  assert.notEqual(here.body.id, there.body.id)
  assert.equal((await other.get(`${url}/${here.body.id}`)).status, 404)
})

test('a member of staff creates so many accounts a day; a taken address does not count', async () => {
  const busy = await person(app, { permissions: ['users:write'] })
  await owner.patch('/v1/admin/settings', { limits: { accountsPerStaffMember: 2 } })
  const create = (name: string) => busy.post(url, { email: `${name}@limit.example`, name })
  assert.equal((await create('one')).status, 201)
  assert.equal((await create('one')).status, 409)
  assert.equal((await create('two')).status, 201)
  const over = await create('three')
  assert.deepEqual([over.status, over.body.code], [429, 'limit_reached'])
  await owner.patch('/v1/admin/settings', { limits: { accountsPerStaffMember: 100 } })
})

test('the audit log names the new account and who created it', async () => {
  const made = await clerk.post(url, { email: 'audited@example.org', name: 'Audited' })
  const entry = await until('the entry', async () => {
    const { body } = await owner.get(`/v1/admin/audit-logs?objectId=${made.body.id}`)
    return body.data?.[0]
  })
  assert.deepEqual([entry.actorId, entry.route, entry.statusCode], [clerk.userId, url, 201])
})
