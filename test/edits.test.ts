import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { editedAt } from '#platform/http/versions.ts'
import { endedImport, uploadDump, whmcsDump } from '#test/dumps.ts'
import { gameShop } from '#test/game-shop.ts'
import { pngOf } from '#test/images.ts'
import { person } from '#test/people.ts'

const shop = await gameShop({ config: { privateHosts: ['mail=127.0.0.1:2525'] } })
const { app, admin, gatewayId, nodeId, catalog, tenantId } = shop
const ada = await shop.customer()
const { product, plan } = await shop.server()
const { order } = await shop.buy(ada, plan.id)
const { id: serviceId } = await shop.serviceBecame(ada, 'active')
assert.ok(order.id)

async function made(path: string, body: object): Promise<string> {
  const { status, body: answer, text } = await admin.post(`/v1/admin/${path}`, body)
  assert.equal(status, 201, text)
  return answer.id
}

/** An import that has written something. */
async function imported(): Promise<string> {
  const { status, body, text } = await uploadDump(admin, whmcsDump({ clients: 2 }).content)
  assert.equal(status, 202, text)
  return (await endedImport(app, admin, body.id)).id
}

const group = { discordGuildId: '123456789012345678', discordRoleId: '223456789012345678' }
const supportId = await made('rbac/roles', { name: 'Support', permissions: ['store:read'] })
const optionGroupId = await made('option-groups', { name: 'Upgrades' })
const articleCategoryId = await made('article-categories', { names: { en: 'Help' } })
const articleId = await made('articles', { categoryId: articleCategoryId })
const ids: Record<string, string> = {
  'option-groups': optionGroupId,
  options: await made('options', {
    ...{ groupId: optionGroupId, key: 'memory', kind: 'quantity', name: 'Memory' },
  }),
  categories: (await catalog.category()).id,
  products: product.id,
  plans: plan.id,
  coupons: (await catalog.coupon()).id,
  'tax-rates': (await catalog.taxRate()).id,
  gateways: gatewayId,
  nodes: nodeId,
  locations: await made('locations', { name: 'Frankfurt', country: 'DE' }),
  services: serviceId,
  users: ada.userId,
  tenants: tenantId,
  'rbac/roles': supportId,
  'rbac/users': ada.userId,
  'commission-rates': product.id,
  'rbac/groups': await made('rbac/groups', { name: 'Team' }),
  'oauth-clients': await made('oauth-clients', {
    name: 'Forum',
    redirectUris: ['https://forum.example.org/callback'],
  }),
  'bot-tokens': await made('bot-tokens', { name: 'Bot', scopes: ['users:read'] }),
  'bot/role-mappings': await made('bot/role-mappings', {
    ...{ ...group, source: 'active_service', sourceId: null },
  }),
  'webhook-endpoints': await made('webhook-endpoints', { url: 'https://hooks.example.org/a' }),
  'mail-templates': 'invoice_paid',
  tickets: await made('tickets', { userId: ada.userId, subject: 'Hello', body: 'Welcome.' }),
  departments: await made('departments', { names: { en: 'Billing' } }),
  'saved-replies': await made('saved-replies', { name: 'Hello', texts: { en: 'Hello' } }),
  views: await made('views', { screen: 'orders', name: 'All', query: '', hiddenColumns: [] }),
  'article-categories': articleCategoryId,
  articles: articleId,
  announcements: await made('announcements', {
    ...{ texts: { en: { title: 'News', body: 'A new game.' } }, publishAt: null },
  }),
  incidents: await made('incidents', {
    ...{ kind: 'incident', impact: 'none', titles: { en: 'Lag' } },
  }),
  imports: await imported(),
  invoices: await made('invoices', {
    userId: ada.userId,
    lines: [{ description: 'Work', quantity: 1, unitPriceCents: 500 }],
  }),
}

/** Pictures and rates that are there before they are edited. */
const rate = (percentBasisPoints: number) => ({ type: 'percent', percentBasisPoints })
const picture = (width: number) => ({ image: pngOf({ width }).toString('base64') })
const LOGOS = [picture(9), picture(10)] as const
const IMAGES = [{ ...picture(9), alt: 'One' }, { alt: 'Two' }] as const
for (const [path, body] of [
  ['shop/logo', picture(8)],
  ['shop/dark-logo', picture(8)],
  ['shop/favicon', picture(8)],
  [`products/${product.id}/image`, picture(8)],
  [`categories/${ids.categories}/image`, picture(8)],
  [`commission-rates/${product.id}`, rate(300)],
  [`articles/${articleId}/texts/en`, { title: 'Help', text: 'Text.' }],
] as const) {
  assert.equal((await admin.put(`/v1/admin/${path}`, body)).status, 200, path)
}

const LINE = { description: 'Other work', quantity: 2, unitPriceCents: 700 }
const MAIL_SERVER = { host: '127.0.0.1', port: 2525, security: 'none' }
const { userId: memberId } = await person(app)
const { body: affiliate } = await (await shop.customer()).post('/v1/affiliation')
assert.ok(affiliate.id, JSON.stringify(affiliate))
const reason = 'Named in a ticket'
const FRONT = { title: 'Servers', lead: null, questions: [] }
/** Two different edits of every object that staff can edit. */
const EDITS: Record<string, readonly [object, object]> = {
  'PATCH /v1/admin/categories/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/products/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/plans/:planId': [{ priceCents: 1100 }, { priceCents: 1200 }],
  'PATCH /v1/admin/coupons/:id': [{ stackable: true }, { newCustomersOnly: true }],
  'PATCH /v1/admin/tax-rates/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/gateways/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/nodes/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/locations/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/option-groups/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/options/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/services/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/users/:id': [{ company: 'One' }, { company: 'Two' }],
  'PATCH /v1/admin/users/:id/allowance': [{ openOrders: 3 }, { openOrders: 4 }],
  'PATCH /v1/admin/tenants/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/shop': [{ brand: { name: 'One' } }, { brand: { name: 'Two' } }],
  'PATCH /v1/admin/settings': [{ billing: { paymentDays: 10 } }, { billing: { paymentDays: 11 } }],
  'PATCH /v1/admin/rbac/roles/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/rbac/groups/:id': [{ name: 'One' }, { name: 'Two' }],
  'PUT /v1/admin/rbac/groups/:id/members': [{ memberIds: [memberId] }, { memberIds: [] }],
  'PATCH /v1/admin/oauth-clients/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/bot-tokens/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/bot/role-mappings/:id': [
    { discordRoleId: '323456789012345678' },
    { discordRoleId: '423456789012345678' },
  ],
  'PATCH /v1/admin/saved-replies/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/views/:id': [{ name: 'One' }, { name: 'Two' }],
  'PATCH /v1/admin/webhook-endpoints/:id': [{ description: 'One' }, { description: 'Two' }],
  'PUT /v1/admin/mail-server': [MAIL_SERVER, { ...MAIL_SERVER, security: 'starttls' }],
  'PUT /v1/admin/mail-templates/:kind/:locale': [
    { subject: 'One', text: 'First.' },
    { subject: 'Two', text: 'Second.' },
  ],
  'PUT /v1/admin/front-page': [{ texts: { en: FRONT } }, { texts: { fr: FRONT } }],
  'PUT /v1/admin/locations/:id/prices': [
    { prices: [{ interval: 'month', currency: 'EUR', priceCents: 100 }] },
    { prices: [{ interval: 'month', currency: 'EUR', priceCents: 200 }] },
  ],
  'PUT /v1/admin/imports/:id/decisions': [{ tax: 'standard_rates' }, { price: 'keep_amount' }],
  'PATCH /v1/admin/tickets/:id': [{ subject: 'One' }, { subject: 'Two' }],
  'PATCH /v1/admin/departments/:id': [{ names: { en: 'One' } }, { names: { en: 'Two' } }],
  'PATCH /v1/admin/article-categories/:id': [{ position: 1 }, { position: 2 }],
  'PATCH /v1/admin/articles/:id': [{ position: 1 }, { position: 2 }],
  'PUT /v1/admin/articles/:id/texts/:locale': [
    { title: 'One', text: 'First.' },
    { title: 'Two', text: 'Second.' },
  ],
  'PATCH /v1/admin/announcements/:id': [{ mailed: true }, { link: '/news' }],
  'PATCH /v1/admin/incidents/:id': [{ impact: 'minor' }, { impact: 'major' }],
  'PATCH /v1/admin/invoices/:id': [{ lines: [LINE] }, { lines: [LINE, LINE] }],
  'PUT /v1/admin/rbac/users/:id/roles': [{ roleIds: [supportId] }, { roleIds: [] }],
  'PUT /v1/admin/commission-rates/:productId': [rate(500), rate(700)],
  'PUT /v1/admin/users/:id/referral': [
    { affiliateId: affiliate.id, reason },
    { affiliateId: null, reason },
  ],
  'PUT /v1/admin/shop/logo': LOGOS,
  'PUT /v1/admin/shop/dark-logo': LOGOS,
  'PUT /v1/admin/shop/favicon': LOGOS,
  'PUT /v1/admin/tenants/:id/logo': [picture(11), picture(12)],
  'PUT /v1/admin/tenants/:id/dark-logo': [picture(11), picture(12)],
  'PUT /v1/admin/tenants/:id/favicon': [picture(11), picture(12)],
  'PUT /v1/admin/products/:id/image': IMAGES,
  'PUT /v1/admin/categories/:id/image': IMAGES,
}

const reads = new Set(app.routes.filter((it) => it.method === 'GET').map((it) => it.url))
// Signs of life edit nothing: they are not in the audit log either.
const edits = app.routes.filter(
  ({ method, config }) =>
    config.access === 'admin' && config.audited !== false && /^(PATCH|PUT)$/.test(method),
)

test('every edit of the administration has an ETag to compare with', () => {
  const isRead = (url: string) => reads.has(url)
  const names = (has: boolean) =>
    edits
      .filter((it) => (editedAt(it, isRead) !== null) === has)
      .map(({ method, url }) => `${method} ${url}`)
      .sort()
  assert.deepEqual(names(true), Object.keys(EDITS).sort())
  assert.deepEqual(names(false), [])
})

for (const [name, [first, second]] of Object.entries(EDITS)) {
  test(`${name} is refused with an older version, and accepted with the current one`, async () => {
    const [method = '', pattern = ''] = name.split(' ')
    const facts = edits.find((it) => it.method === method && it.url === pattern)
    const resource = pattern.replace('/v1/admin/', '').split('/:')[0] ?? ''
    const at = (url: string) => url.replace(':locale', 'en').replace(/:\w+/, ids[resource] ?? '')
    const read = at(facts?.config.edits ?? pattern)
    const send = (body: object, tag?: string) =>
      admin.request(method, at(pattern), body, tag ? { headers: { 'if-match': tag } } : {})
    const { etag: before = '', ...headers } = (await admin.get(read)).headers
    assert.match(before, /^"[0-9a-f]{32}"$/, JSON.stringify(headers))
    assert.equal(
      (await admin.get(read)).headers.etag,
      before,
      'it stays as long as the object does',
    )

    const changed = await send(first, before)
    assert.equal(changed.status, 200, changed.text)
    const { etag: after = '' } = changed.headers
    assert.notEqual(after, before)
    const shown = await admin.get(read)
    assert.equal(shown.headers.etag, after)

    const stale = await send(second, before)
    assert.deepEqual([stale.status, stale.body.code], [412, 'changed_meanwhile'])
    assert.deepEqual((await admin.get(read)).body, shown.body, 'nothing changed')
    assert.equal((await send(second, `"other", ${after}`)).status, 200)
    for (const tag of ['*', undefined]) assert.equal((await send(first, tag)).status, 200)
    const head = await admin.request('HEAD', read)
    assert.equal(head.headers.etag, (await admin.get(read)).headers.etag)
  })
}

test('a version is known in the forms that proxies give it when they compress', async () => {
  const url = `/v1/admin/categories/${ids.categories}`
  const forms = [
    ...[(tag: string) => `W/${tag}`, (tag: string) => tag.replace(/"$/, '-gzip"')],
    ...[(tag: string) => `W/${tag.replace(/"$/, '-zstd"')}`],
  ]
  for (const [at, form] of forms.entries()) {
    const { etag = '' } = (await admin.get(url)).headers
    const headers = { 'if-match': form(etag) }
    const send = (name: string) => admin.request('PATCH', url, { name }, { headers })
    assert.equal((await send(`Form ${at}`)).status, 200, headers['if-match'])
    assert.equal((await send(`Later ${at}`)).status, 412, headers['if-match'])
  }
})

test('of two concurrent edits based on one version, one is refused', async () => {
  const url = `/v1/admin/categories/${ids.categories}`
  for (const round of [1, 2, 3]) {
    const { etag = '' } = (await admin.get(url)).headers
    const headers = { 'if-match': etag }
    const send = (name: string) => admin.request('PATCH', url, { name }, { headers })
    const answers = await Promise.all([send(`A${round}`), send(`B${round}`)])
    assert.deepEqual(answers.map((it) => it.status).sort(), [200, 412])
  }
})

test('an edit of an unknown object is a 404, whatever its version', async () => {
  const headers = { 'if-match': '"other"' }
  const url = `/v1/admin/categories/${newId()}`
  assert.equal((await admin.request('PATCH', url, { name: 'A' }, { headers })).status, 404)
})

test('actions of customers do not change the version of a coupon', async () => {
  const { id, code } = await catalog.coupon()
  const url = `/v1/admin/coupons/${id}`
  const { etag } = (await admin.get(url)).headers
  const buyer = await shop.customer()
  const { plan: sold } = await shop.server()
  await buyer.post('/v1/cart/items', { planId: sold.id })
  assert.equal((await buyer.put(`/v1/cart/coupons/${code}`)).status, 200)
  await buyer.post('/v1/billing/checkout', { immediateStart: true, gatewayId })
  const after = await admin.get(url)
  assert.deepEqual([after.body.redemptions, after.headers.etag], [1, etag])
})
