import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES } from '#lib/languages.ts'
import { testApp } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const shop = await billingShop()
const { app, admin, gatewayId, provider } = shop

test('a shop tells its visitors how it sells, and who sells', async () => {
  const { seller } = (await admin.get('/v1/admin/shop')).body
  const { body } = await app.get('/v1/meta')
  assert.deepEqual(body.locales, LOCALES)
  assert.equal(body.priceMode, seller.priceMode)
  assert.equal(body.registration, 'open')
  const { line1, line2, postcode, city, country } = seller
  const { name, email, vatNumber, registerNumber } = seller
  assert.deepEqual(body.seller, {
    ...{ name, email, vatNumber, registerNumber },
    address: { line1, line2, postcode, city, country },
  })
})

test('gateways say what they can do, and what their own forms need, and no secret', async () => {
  const { publishableKey } = provider
  const settings = { publishableKey }
  const changed = await admin.patch(`/v1/admin/gateways/${gatewayId}`, { settings })
  assert.equal(changed.status, 200, changed.text)
  const { gateways, features } = (await app.get('/v1/meta')).body
  assert.deepEqual(gateways, [
    {
      ...{ id: gatewayId, name: changed.body.name, driver: 'sandbox', checkout: 'redirect' },
      ...{ icon: 'card', saveMethod: 'setup', portal: true, currencies: null, minimumCents: 50 },
      publishableKey,
    },
  ])
  assert.equal(features.topUp, true)
})

test('the currencies are those of the shop and of what is on sale', async () => {
  const { plan } = await shopOf(admin).offer({ prices: [{ currency: 'USD', priceCents: 1100 }] })
  const { body } = await app.get('/v1/meta')
  assert.deepEqual(body.currencies, ['EUR', 'USD'])
  await admin.delete(`/v1/admin/plans/${plan.id}`)
  assert.deepEqual((await app.get('/v1/meta')).body.currencies, ['EUR'])
})

test('features follow the settings, and are those of one shop', async () => {
  const discord = { discordClientId: '12345678', discordClientSecret: 'a secret' }
  const wanted = { connections: discord, affiliation: { enabled: false } }
  const { status, text } = await admin.patch('/v1/admin/settings', wanted)
  assert.equal(status, 200, text)
  const { features } = (await app.get('/v1/meta')).body
  const none = { affiliation: false, affiliationConsent: false }
  assert.deepEqual(features, { ...none, connections: ['discord'], topUp: true, vouchers: false })
  const elsewhere = await person(app, { tenantId: await otherTenant(app, 'elsewhere.test') })
  const { body } = await elsewhere.get('/v1/meta')
  const usual = { affiliation: true, affiliationConsent: true }
  assert.deepEqual(body.features, { ...usual, connections: [], topUp: false, vouchers: false })
  assert.deepEqual(body.gateways, [])
})

test('a shop that does not sell yet names no seller', async (t) => {
  const fresh = await testApp(t, { sells: false })
  const { body } = await fresh.get('/v1/meta')
  assert.equal(body.seller, null)
})
