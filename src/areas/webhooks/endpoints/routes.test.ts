import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newId } from '#lib/id.ts'
import { otherTenant, person } from '#test/people.ts'
import { ENDPOINTS, hookShop } from '#test/webhooks.ts'

const shop = await hookShop()
const { app, admin, target } = shop
const neighbourId = await otherTenant(app, 'hooks.test')
const DAY = 24 * 3600

test('a new endpoint shows its secret this once, and masked after that', async () => {
  const { id, secret, ...rest } = await shop.endpoint('/new', { description: 'Books' })
  assert.match(secret, /^whsec_[\w+/]{43}=$/)
  const masked = `whsec_••••${secret.slice(-4)}`
  assert.deepEqual(
    { ...rest, createdAt: null },
    {
      ...{ url: `${target.url}/new`, description: 'Books', events: ['user.registered'] },
      ...{ ordered: false, enabled: true, disabledAt: null, disabledReason: null },
      ...{ failingSince: null, previousSecretEndsAt: null, createdAt: null },
    },
  )
  const changed = await admin.patch(`${ENDPOINTS}/${id}`, { ordered: true, events: null })
  assert.deepEqual([changed.body.ordered, changed.body.events], [true, null])
  for (const answer of [await admin.get(`${ENDPOINTS}/${id}`), changed]) {
    assert.equal(answer.body.secret, masked)
    assert.ok(!answer.text.includes(secret))
  }
  const { rows } = await app.deps.database.execute(
    'select t::text as text from webhooks.endpoints t where id = $1',
    [id],
  )
  assert.ok(!String(rows[0]?.text).includes(secret), 'it is sealed')
})

const refused = [
  ['a private address', 'https://10.0.0.8/hook', 'address_not_allowed'],
  ['the metadata of a cloud', 'https://169.254.169.254/hook', 'address_not_allowed'],
  ['a mapped private address', 'https://[::ffff:10.0.0.8]/hook', 'address_not_allowed'],
  ['an unusual notation', 'https://0x7f000001/hook', 'address_not_allowed'],
  ['this machine by another port', 'http://127.0.0.1:1/hook', 'address_not_allowed'],
  ['a user in it', 'https://user:word@1.1.1.1/hook', 'address_not_allowed'],
  ['this machine by its sixth address', 'https://[::1]/hook', 'address_not_allowed'],
  ['this machine by a name of it', 'https://a.localtest.me/hook', 'address_not_allowed'],
  ['another protocol', 'ftp://1.1.1.1/hook', 'address_not_allowed'],
  ['a file', 'file:///etc/passwd', 'address_not_allowed'],
  ['a protocol of old', 'gopher://1.1.1.1/hook', 'address_not_allowed'],
  ['a port for signing in', 'https://1.1.1.1:22/hook', 'address_not_allowed'],
  ['a port that is not for the web', 'https://1.1.1.1:25/hook', 'address_not_allowed'],
  ['no encryption', 'http://1.1.1.1/hook', 'https_required'],
] as const

for (const [what, url, code] of refused) {
  test(`an address with ${what} is refused, new or changed, and whenever it is called (hardening 29)`, async () => {
    const added = await admin.post(ENDPOINTS, { url })
    assert.deepEqual([added.status, added.body.code], [422, code])
    const { id } = await shop.endpoint('/to-change')
    const changed = await admin.patch(`${ENDPOINTS}/${id}`, { url })
    assert.deepEqual([changed.status, changed.body.code], [422, code])
    // As an older version, or an operator, may have left it.
    await app.deps.database.execute('update webhooks.endpoints set url = $1 where id = $2', [
      url,
      id,
    ])
    const { body } = await admin.post(`${ENDPOINTS}/${id}/test`)
    assert.deepEqual([body.ok, body.error, body.responseBody], [false, 'refused_address', null])
  })
}

test('unknown types of events are a 400', async () => {
  const { status } = await admin.post(ENDPOINTS, { url: `${target.url}/x`, events: ['user.sold'] })
  assert.equal(status, 400)
})

test('after a rotation both secrets sign, until the overlap ends (hardening 21)', async () => {
  const { id, secret: old } = await shop.endpoint('/rotated')
  const { body } = await admin.post(`${ENDPOINTS}/${id}/rotate-secret`, { overlapSeconds: DAY })
  assert.notEqual(body.secret, old)
  assert.equal((await admin.post(`${ENDPOINTS}/${id}/test`)).body.ok, true)
  const [both] = target.at('/rotated')
  assert.equal(String(both?.headers['webhook-signature']).split(' ').length, 2)
  for (const secret of [old, body.secret]) {
    new Webhook(secret).verify(both?.body ?? '', both?.headers as Record<string, string>)
  }
  const now = await admin.post(`${ENDPOINTS}/${id}/rotate-secret`, { overlapSeconds: 0 })
  assert.equal(now.body.previousSecretEndsAt, null)
  await admin.post(`${ENDPOINTS}/${id}/test`)
  const one = target.at('/rotated').at(-1)
  const headers = one?.headers as Record<string, string>
  new Webhook(now.body.secret).verify(one?.body ?? '', headers)
  for (const secret of [old, body.secret]) {
    assert.throws(() => new Webhook(secret).verify(one?.body ?? '', headers))
  }
})

test('a test says how it ended, and nothing of what a private address answered, without a second try', async () => {
  const { id } = await shop.endpoint('/tested')
  const good = await admin.post(`${ENDPOINTS}/${id}/test`)
  assert.deepEqual([good.status, good.body.ok, good.body.statusCode], [200, true, 204])
  assert.deepEqual(JSON.parse(target.at('/tested')[0]?.body ?? '').data, { endpointId: id })
  target.on('/tested', (response) => void response.writeHead(500).end('no database'))
  await admin.patch(`${ENDPOINTS}/${id}`, { enabled: false })
  const { body } = await admin.post(`${ENDPOINTS}/${id}/test`)
  const { durationMs, deliveryId, ...rest } = body
  const wanted = { ok: false, statusCode: 500, error: 'status', responseBody: null }
  assert.deepEqual(rest, wanted)
  const detail = await admin.get(`${ENDPOINTS}/deliveries/${deliveryId}`)
  assert.deepEqual([detail.body.status, detail.body.nextAttemptAt], ['failed', null])
  const { body: endpoint } = await admin.get(`${ENDPOINTS}/${id}`)
  assert.equal(endpoint.failingSince, null, 'a test says nothing about its health')
})

test('another tenant sees and changes nothing, and hears of nothing', async () => {
  const { id } = await shop.endpoint('/ours')
  const { body: sent } = await admin.post(`${ENDPOINTS}/${id}/test`)
  const other = await person(app, { tenantId: neighbourId, admin: true })
  const stranger = await person(app, {
    tenantId: await otherTenant(app, 'stranger.test'),
    admin: true,
  })
  const closed = await stranger.post(ENDPOINTS, { url: `${target.url}/theirs` })
  assert.deepEqual([closed.status, closed.body.code], [422, 'address_not_allowed'])
  const theirs = await other.post(ENDPOINTS, { url: `${target.url}/theirs` })
  assert.equal(theirs.status, 201)
  const calls = [
    await other.get(`${ENDPOINTS}/${id}`),
    await other.patch(`${ENDPOINTS}/${id}`, { enabled: false }),
    await other.delete(`${ENDPOINTS}/${id}`),
    await other.post(`${ENDPOINTS}/${id}/test`),
    await other.post(`${ENDPOINTS}/${id}/rotate-secret`),
    await other.post(`${ENDPOINTS}/${id}/replay`),
    await other.get(`${ENDPOINTS}/${id}/deliveries`),
    await other.get(`${ENDPOINTS}/deliveries/${sent.deliveryId}`),
    await other.post(`${ENDPOINTS}/deliveries/${sent.deliveryId}/replay`),
  ]
  assert.deepEqual(
    calls.map(({ status }) => status),
    calls.map(() => 404),
  )
  assert.equal((await other.get(ENDPOINTS)).body.data.length, 1)
  await shop.happens()
  await shop.arrived('/ours', 2)
  assert.deepEqual(target.at('/theirs'), [])
})

test('who may only read changes nothing', async () => {
  const reader = await person(app, { permissions: ['webhooks:read'] })
  const { id } = await shop.endpoint('/read')
  assert.equal((await reader.get(`${ENDPOINTS}/${id}`)).status, 200)
  assert.equal((await reader.patch(`${ENDPOINTS}/${id}`, { enabled: false })).status, 403)
  assert.equal((await reader.post(`${ENDPOINTS}/${id}/test`)).status, 403)
  assert.equal((await admin.get(`${ENDPOINTS}/${newId()}`)).status, 404)
})

test('a deleted endpoint is gone, and what it was sent goes with it', async () => {
  const { id } = await shop.endpoint('/deleted')
  const { body } = await admin.post(`${ENDPOINTS}/${id}/test`)
  assert.deepEqual((await admin.delete(`${ENDPOINTS}/${id}`)).body, { id, deleted: true })
  for (const path of [id, `${id}/deliveries`, `deliveries/${body.deliveryId}`]) {
    assert.equal((await admin.get(`${ENDPOINTS}/${path}`)).status, 404)
  }
  assert.equal((await admin.post(`${ENDPOINTS}/${id}/test`)).status, 404)
  await app.advance(3600)
  await app.eventually('its rows are gone', async () => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from webhooks.endpoints e
       left join webhooks.deliveries d on d.endpoint_id = e.id where e.id = $1`,
      [id],
    )
    return rows[0]?.count === 0
  })
})
