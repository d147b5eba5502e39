import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { provisioningIn } from '#test/eggs.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const TENANTS = '/v1/admin/tenants'
const PUBLIC_HOST = 'shop.test'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const at = (host: string) => clientFor(app.url, { host })

let made = 0
async function tenant(fields: object = {}) {
  made += 1
  const wanted = { name: `Shop ${made}`, domains: [`shop${made}.example`], ...fields }
  const { status, body, text } = await admin.post(TENANTS, wanted)
  assert.equal(status, 201, text)
  return body
}

test('a tenant is made with its domains, brand and seller, and shown with what it left out', async () => {
  const brand = {
    name: 'Ada Hosting',
    primaryColor: '#00aa55',
    logoUrl: 'https://cdn.example/a.svg',
  }
  const seller = { name: 'Ada Hosting SAS', country: 'FR', vatNumber: 'FR40303265045' }
  const domains = ['Ada.Example:443', 'bücher.example']
  const body = await tenant({ name: 'Ada', domains, brand, seller })
  assert.equal(body.status, 'active')
  assert.equal(body.isDefault, false)
  assert.equal(body.url, 'http://ada.example')
  assert.deepEqual(body.domains, ['ada.example', 'xn--bcher-kva.example'])
  assert.deepEqual([body.brand.name, body.brand.accentColor], ['Ada Hosting', null])
  assert.deepEqual([body.seller.currency, body.seller.vatNumber], ['EUR', 'FR40303265045'])
  const { setup, ...shown } = body
  assert.match(setup.url, /^http:\/\/ada\.example\/setup#/)
  assert.deepEqual((await admin.get(`${TENANTS}/${body.id}`)).body, shown)
  const { data } = (await admin.get(`${TENANTS}?limit=1`)).body
  assert.deepEqual(data, [shown])
  for (const host of ['ada.example', 'ADA.example:9999', 'ada.example.', 'xn--bcher-kva.example']) {
    assert.equal((await at(host).get('/v1/meta')).body.brand.name, 'Ada Hosting', host)
  }
})

test('the link of the answer makes the first administrator of that tenant, once', async () => {
  const { id, domains, setup } = await tenant()
  const [host] = domains
  const owner = { email: 'owner@example.org', password: 'correct horse battery', name: 'Owner' }
  const elsewhere = await app.post('/v1/setup', { token: setup.token, ...owner })
  assert.equal(elsewhere.status, 404, 'the default tenant has its owner')
  const { status, body } = await at(host).post('/v1/setup', { token: setup.token, ...owner })
  assert.equal(status, 201)
  const signedIn = clientFor(app.url, { host, authorization: `Bearer ${body.accessToken}` })
  assert.equal((await signedIn.get('/v1/admin/users')).body.data.length, 1)
  assert.equal((await at(host).post('/v1/setup', { token: setup.token, ...owner })).status, 404)
  const again = await admin.post(`${TENANTS}/${id}/setup-link`)
  assert.equal(again.status, 409)
  assert.equal(again.body.code, 'has_administrator')
})

test('a new link ends the one before it', async () => {
  const { id, domains, setup } = await tenant()
  const { status, body } = await admin.post(`${TENANTS}/${id}/setup-link`)
  assert.equal(status, 200)
  const owner = { email: 'owner@example.org', password: 'correct horse battery', name: 'Owner' }
  const client = at(domains[0])
  assert.equal((await client.post('/v1/setup', { token: setup.token, ...owner })).status, 401)
  assert.equal((await client.post('/v1/setup', { token: body.token, ...owner })).status, 201)
})

test('a change is written over what there is, and holds on the next request', async () => {
  const { id, domains } = await tenant({ brand: { name: 'Before', locale: 'fr' } })
  const client = at(domains[0])
  assert.equal((await client.get('/v1/meta')).body.brand.name, 'Before')
  const change = { name: 'Renamed', brand: { name: null, accentColor: '#ffffff' } }
  const { status, body } = await admin.patch(`${TENANTS}/${id}`, change)
  assert.equal(status, 200)
  assert.deepEqual([body.brand.locale, body.brand.name], ['fr', null])
  const meta = (await client.get('/v1/meta')).body
  assert.deepEqual([meta.brand.name, meta.locale], ['Renamed', 'fr'])
  assert.equal(meta.brand.accentColor, '#ffffff')
  assert.deepEqual((await admin.patch(`${TENANTS}/${id}`, {})).body, body)
})

test('a domain leads to one shop: a second one is refused, and a moved one follows at once', async () => {
  const [one, two] = [await tenant(), await tenant()]
  const [host] = one.domains
  for (const domains of [
    [host],
    [host.toUpperCase()],
    [`${host}:8080`],
    ['new.example', `${host}.`],
  ]) {
    const taken = await admin.patch(`${TENANTS}/${two.id}`, { domains })
    assert.equal(taken.status, 409, String(domains))
    assert.equal(taken.body.code, 'domain_taken')
    assert.equal((await admin.post(TENANTS, { name: 'Three', domains })).status, 409)
  }
  assert.deepEqual((await admin.get(`${TENANTS}/${two.id}`)).body.domains, two.domains)
  assert.equal(
    (await admin.patch(`${TENANTS}/${one.id}`, { domains: ['one.example'] })).status,
    200,
  )
  assert.equal((await admin.patch(`${TENANTS}/${two.id}`, { domains: [host] })).status, 200)
  assert.equal((await at(host).get('/v1/meta')).body.brand.name, two.name)
})

test('nobody takes the host name of the installation, and no shop is left without one', async () => {
  const own = await admin.post(TENANTS, { name: 'Thief', domains: [PUBLIC_HOST] })
  assert.equal(own.status, 409)
  const { id } = await tenant()
  const none = await admin.patch(`${TENANTS}/${id}`, { domains: [] })
  assert.deepEqual([none.status, none.body.code], [422, 'domain_required'])
})

const REFUSED = [
  ['no domain', { domains: [] }, 'domains'],
  ['a domain that is an address', { domains: ['127.0.0.1'] }, 'domains.0'],
  ['a domain with a path', { domains: ['a.example/x'] }, 'domains.0'],
  ['a logo without TLS', { brand: { logoUrl: 'http://cdn.example/a.svg' } }, 'brand.logoUrl'],
  ['a logo that is a file', { brand: { logoUrl: 'file:///etc/passwd' } }, 'brand.logoUrl'],
  ['a logo that is a script', { brand: { logoUrl: 'javascript:alert(1)' } }, 'brand.logoUrl'],
  ['a colour that is a style', { brand: { primaryColor: 'red;x:y' } }, 'brand.primaryColor'],
  ['a sender of two lines', { brand: { senderName: 'a\r\nBcc: e@x.y' } }, 'brand.senderName'],
  ['a sender that is no address', { brand: { senderAddress: 'a@b.c\r\nBcc: e@x.y' } }, null],
  ['a name of two lines', { name: 'a\nb' }, 'name'],
  ['a brand of unknown parts', { brand: { css: 'x' } }, 'brand.css'],
  ['a seller of unknown parts', { seller: { siren: 'x' } }, 'seller.siren'],
  ['an account with a wrong digit', { seller: { iban: 'DE89370400440532013001' } }, 'seller.iban'],
  ['a field nobody knows', { isDefault: true }, 'isDefault'],
  ['a state it cannot begin with', { status: 'closed' }, 'status'],
] as const

for (const [what, fields, path] of REFUSED) {
  test(`${what} is refused by name (hardening 29, 32)`, async () => {
    const before = (await admin.get(`${TENANTS}?limit=1`)).body.data[0].id
    const answer = await admin.post(TENANTS, { name: 'X', domains: ['x.example'], ...fields })
    assert.equal(answer.status, 400, answer.text)
    if (path) assert.equal(answer.body.details[0].path, path)
    assert.equal((await admin.get(`${TENANTS}?limit=1`)).body.data[0].id, before)
  })
}

test('a suspended shop serves its staff, and nobody else', async () => {
  const { id, domains } = await tenant()
  const [host] = domains
  const staff = await person(app, { tenantId: id, admin: true })
  const customer = await person(app, { tenantId: id })
  assert.equal((await customer.get('/v1/services')).status, 200)
  const { body } = await admin.patch(`${TENANTS}/${id}`, { status: 'suspended' })
  assert.equal(body.status, 'suspended')
  for (const answer of [
    await at(host).get('/v1/store/products'),
    await customer.get('/v1/services'),
    await customer.post('/v1/cart/items', { planId: newId() }),
    await at(host).post('/v1/auth/register', { email: 'a@b.example', password: 'x', name: 'A' }),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [503, 'shop_suspended'])
    assert.ok(Number(answer.headers['retry-after']) > 0)
  }
  assert.equal((await at(host).get('/v1/services')).status, 401)
  assert.equal((await customer.get('/v1/admin/users')).status, 403)
  assert.equal((await staff.get('/v1/admin/users')).status, 200)
  assert.equal((await staff.get('/v1/services')).status, 200)
  const wrong = { email: staff.email, password: 'wrong' }
  assert.equal((await at(host).post('/v1/auth/login', wrong)).status, 401, 'one may sign in')
  assert.equal((await at(host).get('/v1/meta')).body.status, 'suspended')
  assert.equal((await customer.get('/v1/billing/export-data')).status, 200)
  assert.equal((await app.get('/v1/store/products')).status, 200, 'other shops are open')
  await admin.patch(`${TENANTS}/${id}`, { status: 'active' })
  assert.equal((await customer.get('/v1/services')).status, 200)
})

test('a closed shop serves nothing and keeps everything', async () => {
  const { id, domains } = await tenant()
  const [host] = domains
  const staff = await person(app, { tenantId: id, admin: true })
  await shopOf(staff, await provisioningIn({ ...app, tenantId: id })).offer()
  const { status, body } = await admin.delete(`${TENANTS}/${id}`)
  assert.equal(status, 200)
  assert.deepEqual(body, { id, deleted: true })
  for (const path of ['/v1/meta', '/v1/store/products', '/v1/health', '/v1/nowhere']) {
    const answer = await at(host).get(path)
    assert.equal(answer.status, 404, path)
    assert.ok(answer.headers['x-ratelimit-limit'] && answer.headers['x-request-id'])
  }
  assert.equal((await staff.get('/v1/admin/products')).status, 404)
  assert.equal((await admin.delete(`${TENANTS}/${id}`)).status, 200)
  const closed = (await admin.get(`${TENANTS}?status=closed`)).body.data
  assert.ok(closed.some((it: { id: string }) => it.id === id))
  const open = (await admin.get(`${TENANTS}?status=active`)).body.data
  assert.ok(!open.some((it: { id: string }) => it.id === id))
  assert.equal((await admin.post(TENANTS, { name: 'Y', domains: [host] })).status, 409)
  await admin.patch(`${TENANTS}/${id}`, { status: 'active' })
  assert.equal((await staff.get('/v1/admin/products')).body.data.length, 1)
})

test('the default tenant is neither suspended nor closed', async () => {
  for (const answer of [
    await admin.patch(`${TENANTS}/${app.tenantId}`, { status: 'suspended' }),
    await admin.delete(`${TENANTS}/${app.tenantId}`),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [409, 'default_tenant'])
  }
  const renamed = await admin.patch(`${TENANTS}/${app.tenantId}`, { brand: { name: 'Moor' } })
  assert.deepEqual([renamed.status, renamed.body.url], [200, `http://${PUBLIC_HOST}`])
  assert.equal((await app.get('/v1/meta')).body.brand.name, 'Moor')
})

test('only the default tenant’s people run the platform', async () => {
  const tenantId = await otherTenant(app, 'elsewhere.example')
  const owner = await person(app, { tenantId, admin: true })
  const clerk = await person(app, { permissions: ['settings:*'] })
  const { id } = await tenant()
  for (const refused of [
    await owner.get(TENANTS),
    await owner.post(TENANTS, { name: 'X', domains: ['x.example'] }),
    await owner.post(TENANTS, { nonsense: true }),
    await clerk.get(TENANTS),
    await clerk.patch(`${TENANTS}/${id}`, { name: 'X' }),
  ]) {
    assert.equal(refused.status, 403)
  }
  for (const [method, path] of [
    ['GET', `${TENANTS}/${id}`],
    ['PATCH', `${TENANTS}/${tenantId}`],
    ['DELETE', `${TENANTS}/${tenantId}`],
    ['POST', `${TENANTS}/${tenantId}/setup-link`],
  ] as const) {
    assert.equal((await owner.request(method, path, {})).status, 404, `${method} ${path}`)
  }
})

test('an unknown tenant is a 404, whatever the body', async () => {
  const path = `${TENANTS}/${newId()}`
  assert.equal((await admin.get(path)).status, 404)
  assert.equal((await admin.patch(path, { nonsense: 1 })).status, 404)
  assert.equal((await admin.delete(path)).status, 404)
  assert.equal((await admin.post(`${path}/setup-link`)).status, 404)
})

test('what the platform does for a tenant stands in its own audit log, without the link', async () => {
  const { id, setup } = await tenant()
  await admin.patch(`${TENANTS}/${id}`, { name: 'Audited' })
  const { body, text } = await admin.get('/v1/admin/audit-logs?limit=100')
  const routes = body.data.map(
    (it: { method: string; route: string }) => `${it.method} ${it.route}`,
  )
  assert.ok(routes.includes(`POST ${TENANTS}`))
  assert.ok(routes.includes(`PATCH ${TENANTS}/:id`))
  assert.ok(!text.includes(setup.token))
})
