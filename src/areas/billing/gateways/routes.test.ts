import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import { addGateway, billingShop } from '#test/billing-shop.ts'
import { person } from '#test/people.ts'

const lines: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const shop = await billingShop({ log: pino({ level: 'trace' }, stream) })
const { app, db, tenantId, admin, provider, gatewayId, control } = shop

const stripe = { driver: 'sandbox', name: 'Cards', mode: 'test', enabled: true }

test('a gateway is shown with its secrets masked, and nobody else’s eyes on it', async () => {
  const { status, body, text } = await admin.get(`/v1/admin/gateways/${gatewayId}`)
  assert.equal(status, 200)
  assert.equal(body.status, 'ok')
  assert.equal(body.secrets.secretKey, `••••${provider.secretKey.slice(-4)}`)
  assert.ok(!text.includes(provider.secretKey))
  assert.equal(body.webhookUrl, `${app.url}/v1/billing/webhooks/${gatewayId}`)
  assert.equal(body.capabilities.portal, true)
  const ada = await shop.buyer()
  assert.equal((await ada.get(`/v1/admin/gateways/${gatewayId}`)).status, 403)
  const other = await person(app, { permissions: ['store:read'] })
  assert.equal((await other.get('/v1/admin/gateways')).status, 403)
  const list = await admin.get('/v1/admin/gateways')
  assert.ok(!list.text.includes(provider.secretKey))
})

test('every provider lists the settings of its gateways, without the ones that the service registers itself', async () => {
  const { status, body } = await admin.get('/v1/admin/gateway-drivers')
  assert.equal(status, 200)
  const drivers = new Map<string, { testable: boolean; fields: { name: string }[] }>(
    body.data.map((it: { driver: string }) => [it.driver, it]),
  )
  const fieldsOf = (driver: string) => drivers.get(driver)?.fields.map(({ name }) => name)
  assert.deepEqual([...drivers.keys()], ['stripe', 'mollie', 'paypal', 'bank_transfer', 'sandbox'])
  assert.deepEqual(fieldsOf('bank_transfer'), ['holder', 'iban', 'bic', 'bankName'])
  assert.deepEqual(fieldsOf('paypal'), ['clientId', 'clientSecret', 'brandName'])
  assert.deepEqual(drivers.get('sandbox')?.fields[0], {
    ...{ name: 'secretKey', place: 'secrets', kind: 'text', required: true },
    ...{ pattern: '^sk_test_[!-~]+$', example: 'sk_test_…', description: null },
  })
  assert.deepEqual(
    [drivers.get('bank_transfer')?.testable, drivers.get('stripe')?.testable],
    [false, true],
  )
  const clerk = await person(app, { permissions: ['store:read'] })
  assert.equal((await clerk.get('/v1/admin/gateway-drivers')).status, 403)
})

test('credentials the provider does not take cannot be enabled', async () => {
  const secrets = { secretKey: `sk_test_${'x'.repeat(32)}` }
  const refused = await admin.post('/v1/admin/gateways', { ...stripe, secrets })
  assert.equal(refused.status, 422)
  assert.equal(refused.body.code, 'gateway_credentials')
  assert.ok(!refused.text.includes(secrets.secretKey))
  const off = await admin.post('/v1/admin/gateways', { ...stripe, enabled: false, secrets })
  assert.equal(off.status, 201)
  assert.equal(off.body.status, 'unknown')
  const url = `/v1/admin/gateways/${off.body.id}`
  assert.equal((await admin.patch(url, { enabled: true })).status, 422)
  const tested = await admin.post(`${url}/test`)
  assert.equal(tested.body.ok, false)
  assert.equal((await admin.get(url)).body.status, 'unhealthy')
  const { secretKey } = provider
  const right = await admin.patch(url, { enabled: true, secrets: { secretKey } })
  assert.equal(right.status, 200, right.text)
  assert.equal(right.body.status, 'ok')
  assert.equal((await admin.post(`${url}/test`)).body.ok, true)
  assert.deepEqual((await admin.delete(url)).body, { id: off.body.id, deleted: true })
  assert.equal((await admin.get(url)).status, 404)
})

test('a gateway that makes no sense is a 400 that names the field, or a 422', async () => {
  const wrong = [
    [{ ...stripe, driver: 'unknown', secrets: {} }, 400],
    [{ ...stripe, secrets: {} }, 400],
    [{ ...stripe, secrets: { secretKey: 'sk_live_1' } }, 400],
    [{ ...stripe, secrets: { secretKey: provider.secretKey, other: 'x' } }, 400],
    [{ ...stripe, settings: { baseUrl: 'http://10.0.0.1' }, secrets: provider }, 400],
    [{ ...stripe, mode: 'live', secrets: { secretKey: provider.secretKey } }, 422],
    [{ driver: 'bank_transfer', name: 'T', mode: 'live', settings: {} }, 400],
  ] as const
  for (const [body, status] of wrong) {
    const answer = await admin.post('/v1/admin/gateways', body)
    assert.equal(answer.status, status, answer.text)
  }
  assert.equal((await admin.patch(`/v1/admin/gateways/${newId()}`, { nonsense: 1 })).status, 404)
  const empty = await admin.patch(`/v1/admin/gateways/${gatewayId}`, {})
  assert.equal(empty.body.id, gatewayId)
})

test('a gateway that is enabled without settings of the bank says which IBAN is wrong', async () => {
  const settings = { holder: 'Host', iban: 'DE02120300000000202052' }
  const body = { driver: 'bank_transfer', name: 'T', mode: 'live', enabled: true, settings }
  const answer = await admin.post('/v1/admin/gateways', body)
  assert.equal(answer.status, 422)
  assert.match(answer.body.message, /IBAN/)
})

test('a message without a secret to prove it by, for nobody, or forged, is turned away', async () => {
  const { secretKey } = provider
  const off = await admin.post('/v1/admin/gateways', {
    ...{ ...stripe, enabled: false, secrets: { secretKey } },
  })
  const send = (id: string, signature = 't=1,v1=00') =>
    app.post(`/v1/billing/webhooks/${id}`, undefined, {
      raw: '{"id":"evt_1","object":"event"}',
      headers: { 'stripe-signature': signature },
    })
  assert.equal((await send(newId())).status, 404)
  assert.equal((await send('constructor')).status, 404)
  assert.equal((await send(off.body.id)).status, 404)
  assert.equal((await send(gatewayId)).status, 400)
  const big = await app.post(`/v1/billing/webhooks/${gatewayId}`, undefined, {
    raw: Buffer.alloc(1024 * 1024 + 1, 32),
  })
  assert.equal(big.status, 413)
  const bank = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'T', mode: 'live', enabled: true },
    settings: { holder: 'Host', iban: 'DE02120300000000202051' },
  })
  assert.equal((await send(bank.body.id)).status, 404)
})

test('two gateways of one account: each books its own, and ignores the other’s', async () => {
  const second = await addGateway(admin, provider)
  const ada = await shop.buyer()
  const { invoice, url } = await shop.checkout(ada, 1200, { gatewayId: second })
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  await shop.settled()
  const events = await until('both have read their events', async () => {
    const rows = await db
      .selectFrom('billing.provider_events')
      .select(['gatewayId', 'state', 'note', 'type'])
      .where('type', '=', 'payment_intent.succeeded')
      .execute()
    return rows.length === 2 && rows.every(({ state }) => state !== 'new') && rows
  })
  const ignored = events.find((row) => row.gatewayId === gatewayId)
  assert.equal(ignored?.state, 'ignored')
  assert.equal(ignored?.note, 'other_gateway')
  assert.equal(events.find((row) => row.gatewayId === second)?.state, 'done')
  const payments = await db.selectFrom('billing.payments').select('gatewayId').execute()
  assert.deepEqual(payments, [{ gatewayId: second }])
  await admin.delete(`/v1/admin/gateways/${second}`)
})

test('what happened while nobody listened for four days is read from the provider’s log', async () => {
  const ada = await shop.buyer()
  const { invoice, url } = await shop.checkout(ada)
  await db.selectFrom('billing.gateways').select('id').where('tenantId', '=', tenantId).execute()
  await control('delivery', { mode: 'drop' })
  await shop.complete(url)
  await shop.inLedger((tx) =>
    tx.updateTable('billing.payment_attempts').set({ nextCheckAt: null }).execute(),
  )
  await control('clock', { advanceSeconds: 4 * 24 * 3600 })
  await app.advance(15 * 60)
  await shop.became(ada, invoice.id, 'paid')
  await control('delivery', { mode: 'auto' })
})

test('a provider that no longer takes the key takes its gateway out of the shop', async () => {
  const broken = await admin.post('/v1/admin/gateways', {
    ...{ ...stripe, enabled: true, secrets: { secretKey: provider.secretKey } },
  })
  const { id } = broken.body
  const secrets = { secretKey: `sk_test_${'y'.repeat(32)}` }
  await shop.inLedger((tx) =>
    tx
      .updateTable('billing.gateways')
      .set({
        sealedSecrets: app.deps.secrets.seal(
          JSON.stringify(secrets),
          `billing.gateways ${tenantId} ${id}`,
        ),
      })
      .where('id', '=', id)
      .execute(),
  )
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada)
  const url = `/v1/billing/invoices/${invoice.id}/pay`
  const failed = await ada.post(url, { gatewayId: id })
  assert.equal(failed.body.status, 'failed')
  assert.equal(failed.body.failure.code, 'provider_error')
  const again = await ada.post(url, { gatewayId: id })
  assert.equal(again.body.code, 'gateway_unavailable')
  assert.equal((await ada.post(url, { gatewayId: newId() })).status, 404)
  assert.equal((await ada.post(url, {})).body.gatewayId, gatewayId)
})

test('no secret of a provider is ever logged', () => {
  const log = lines.join('')
  assert.ok(lines.length > 50)
  assert.ok(!log.includes(provider.secretKey))
  assert.ok(!log.includes('whsec_'))
})
