import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { pngOf } from '#test/images.ts'
import { otherTenant, person } from '#test/people.ts'

const SHOP = '/v1/admin/shop'
const HOST = 'own.example'

const app = await testApp(null)
const platform = await person(app, { admin: true })
const tenantId = await otherTenant(app, HOST)
const staff = await person(app, { tenantId, permissions: ['shop:read', 'shop:write'] })
const reader = await person(app, { tenantId, permissions: ['shop:read'] })

test('the staff of a tenant changes its brand and seller, and nobody without the permission does', async () => {
  const before = await staff.get(SHOP)
  assert.equal(before.status, 200, before.text)
  assert.deepEqual([before.body.id, before.body.domains], [tenantId, [HOST]])
  const change = { brand: { name: 'Own Hosting' }, seller: { line2: 'Building B' } }
  const { status, body, text } = await staff.patch(SHOP, change)
  assert.equal(status, 200, text)
  assert.deepEqual([body.brand.name, body.seller.line2], ['Own Hosting', 'Building B'])
  assert.deepEqual((await reader.get(SHOP)).body, body)
  assert.equal((await reader.patch(SHOP, change)).status, 403)
  assert.equal((await platform.get(SHOP)).body.id, app.tenantId, 'everybody has their own shop')
  const { data } = (await platform.get('/v1/admin/tenants')).body
  assert.equal(data.find((it: { id: string }) => it.id === tenantId).brand.name, 'Own Hosting')
})

test('a change of a shop stands in the log of its own tenant', async () => {
  const owner = await person(app, { tenantId, admin: true })
  assert.equal((await staff.patch(SHOP, { brand: { accentColor: '#ffffff' } })).status, 200)
  const { data } = (await owner.get('/v1/admin/audit-logs')).body
  const entry = data.find((it: { route: string }) => it.route === SHOP)
  assert.deepEqual([entry?.actorId, entry?.statusCode], [staff.userId, 200])
})

test('what only the platform decides on is not taken from the staff of a tenant', async () => {
  for (const change of [{ status: 'active' }, { name: 'Other' }, { proposedDomains: [] }]) {
    assert.equal((await staff.patch(SHOP, change)).status, 400, JSON.stringify(change))
  }
})

test('a new domain is proposed, leads nowhere yet, and counts once the platform sets it', async () => {
  const { status, body, text } = await staff.patch(SHOP, { domains: [HOST, 'new.example'] })
  assert.equal(status, 200, text)
  assert.deepEqual([body.domains, body.proposedDomains], [[HOST], ['new.example']])
  const at = clientFor(app.url, { host: 'new.example' })
  assert.equal((await at.get('/v1/meta')).body.brand.name, 'Moorage')
  const seen = (await platform.get(`/v1/admin/tenants/${tenantId}`)).body
  assert.deepEqual(seen.proposedDomains, ['new.example'])
  const set = await platform.patch(`/v1/admin/tenants/${tenantId}`, {
    domains: ['new.example', HOST],
  })
  assert.deepEqual([set.body.domains, set.body.proposedDomains], [['new.example', HOST], []])
  assert.equal((await at.get('/v1/meta')).body.brand.name, 'Own Hosting')
  const back = await staff.patch(SHOP, { domains: [HOST] })
  assert.deepEqual(back.body.domains, [HOST], 'an own domain is given up at once')
  const none = await staff.patch(SHOP, { domains: [] })
  assert.deepEqual([none.status, none.body.code], [422, 'domain_required'])
})

test('a domain of another tenant is refused without saying whose it is', async () => {
  await otherTenant(app, 'neighbour.example')
  for (const domain of ['neighbour.example', 'shop.test']) {
    const { status, body, text } = await staff.patch(SHOP, { domains: [HOST, domain] })
    assert.deepEqual([status, body.code], [409, 'domain_taken'], text)
    assert.doesNotMatch(text, /neighbour|Moorage/)
  }
})

test('mails of a tenant never come from an address of somebody else', async () => {
  for (const change of [
    { brand: { senderAddress: 'billing@shop.test' } },
    { brand: { senderAddress: 'ceo@neighbour.example' } },
    { seller: { email: 'ceo@neighbour.example' } },
  ]) {
    const { status, body } = await staff.patch(SHOP, change)
    assert.deepEqual([status, body.code], [422, 'sender_not_own'], JSON.stringify(change))
  }
  const own = await staff.patch(SHOP, { brand: { senderAddress: `billing@${HOST}` } })
  assert.equal(own.status, 200, own.text)
})

test('links and the support address of a shop stand in its footer, and nothing that is not https', async () => {
  const brand = {
    supportAddress: 'help@elsewhere.example',
    footerLinks: [{ label: 'Status <b>', url: 'https://status.example/' }],
    socialLinks: ['https://discord.gg/own'],
  }
  const { status, body, text } = await staff.patch(SHOP, { brand })
  assert.equal(status, 200, text)
  assert.deepEqual(body.brand.footerLinks, brand.footerLinks)
  const visitor = clientFor(app.url, { host: HOST })
  const { brand: shown } = (await visitor.get('/v1/meta')).body
  assert.equal(shown.supportAddress, 'help@elsewhere.example')
  assert.deepEqual(shown.links, [
    ...brand.footerLinks,
    { label: 'Discord', url: 'https://discord.gg/own' },
  ])
  for (const path of ['/', '/sign-in']) {
    const page = (await visitor.get(path)).text
    assert.match(page, /<a href="https:\/\/status\.example\/" rel="noopener">Status &lt;b&gt;<\/a>/)
    assert.match(page, /<a href="https:\/\/discord\.gg\/own" rel="noopener">Discord<\/a>/)
    assert.match(page, /mailto:help@elsewhere\.example/)
  }
  for (const url of [
    'javascript:alert(1)',
    'http://x.example/',
    '//x.example',
    'https://',
    'https://a@b.example/',
  ]) {
    const refused = [{ footerLinks: [{ label: 'Bad', url }] }, { socialLinks: [url] }]
    for (const change of refused) {
      assert.equal((await staff.patch(SHOP, { brand: change })).status, 400, url)
    }
  }
  const none = { supportAddress: null, footerLinks: null, socialLinks: null }
  assert.equal((await staff.patch(SHOP, { brand: none })).status, 200)
  assert.deepEqual((await visitor.get('/v1/meta')).body.brand.links, [])
})

test('a change for an older state of the shop is refused', async () => {
  const tag = (await staff.get(SHOP)).headers.etag ?? ''
  const change = { brand: { legalFooter: 'One' } }
  const first = await staff.request('PATCH', SHOP, change, { headers: { 'if-match': tag } })
  assert.equal(first.status, 200, first.text)
  const second = await staff.request(
    'PATCH',
    SHOP,
    { brand: { legalFooter: 'Two' } },
    { headers: { 'if-match': tag } },
  )
  assert.deepEqual([second.status, second.body.code], [412, 'changed_meanwhile'])
  const newer = first.headers.etag ?? ''
  const third = await staff.request(
    'PATCH',
    SHOP,
    { brand: { legalFooter: 'Two' } },
    { headers: { 'if-match': newer } },
  )
  assert.equal(third.status, 200)
})

test('the staff of a tenant uploads and removes its dark logo and its icon', async () => {
  const image = pngOf({ width: 20, height: 20 }).toString('base64')
  for (const kind of ['dark-logo', 'favicon']) {
    const put = await staff.put(`${SHOP}/${kind}`, { image })
    assert.equal(put.status, 200, put.text)
    const { pictures } = (await staff.get(SHOP)).body
    assert.ok(Object.values(pictures).includes(put.body.url), kind)
    assert.deepEqual((await staff.get(`${SHOP}/${kind}`)).body, put.body)
    assert.equal((await staff.delete(`${SHOP}/${kind}`)).status, 200)
    assert.equal((await staff.delete(`${SHOP}/${kind}`)).status, 404)
  }
})

test('the staff of a tenant uploads and removes its logo', async () => {
  const put = await staff.put(`${SHOP}/logo`, {
    image: pngOf({ width: 20, height: 5 }).toString('base64'),
  })
  assert.equal(put.status, 200, put.text)
  assert.equal((await clientFor(app.url, { host: HOST }).get('/v1/brand/logo')).status, 200)
  assert.equal((await staff.delete(`${SHOP}/logo`)).status, 200)
  assert.equal((await staff.delete(`${SHOP}/logo`)).status, 404)
})
