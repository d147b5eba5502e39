import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { type Client, clientFor } from '#test/client.ts'
import { provisioningIn } from '#test/eggs.ts'
import { person } from '#test/people.ts'
import { TEST_SELLER } from '#test/seller.ts'
import { shopOf } from '#test/shop.ts'

/** Two shops of one platform, from the first link to the second invoice: all they have is their own. */
const sourceUrl = 'https://code.example/moorage'
const app = await testApp(null, { config: { sourceUrl } })
const platform = await person(app, { admin: true })

const PASSWORD = 'correct horse battery'
const EMAIL = 'ada@example.org'

type Opened = { host: string; staff: Client; customer: Client; tenantId: string; gatewayId: string }

function at(host: string, token?: string): Client {
  return clientFor(app.url, { host, ...(token && { authorization: `Bearer ${token}` }) })
}

async function created(client: Client, path: string, body: object) {
  const answer = await client.post(path, body)
  assert.equal(answer.status, 201, `${path}: ${answer.text}`)
  return answer.body
}

async function open(name: string, host: string, iban: string): Promise<Opened> {
  const seller = {
    ...TEST_SELLER,
    name: `${name} SAS`,
    line1: '1 rue',
    postcode: '69001',
    city: 'Lyon',
    iban,
  }
  const wanted = { name, domains: [host], seller, brand: { primaryColor: '#00aa55' } }
  const { id: tenantId, setup } = await created(platform, '/v1/admin/tenants', wanted)
  const owner = { email: `owner@${host}`, password: PASSWORD, name: 'Owner' }
  const { accessToken } = await created(at(host), '/v1/setup', { token: setup.token, ...owner })
  const staff = at(host, accessToken)
  const settings = { holder: name, iban }
  const gateway = await created(staff, '/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, settings },
    secrets: {},
  })
  const registration = { email: EMAIL, password: PASSWORD, name: 'Ada', country: 'FR' }
  const session = await created(at(host), '/v1/auth/register', registration)
  const customer = at(host, session.accessToken)
  return { host, staff, customer, tenantId, gatewayId: gateway.id }
}

async function buy({ staff, customer, tenantId, gatewayId }: Opened) {
  const shop = shopOf(staff, await provisioningIn({ ...app, tenantId }))
  const { plan } = await shop.offer({}, { name: 'Mumble', slug: 'mumble' })
  await created(customer, '/v1/cart/items', { planId: plan.id })
  const { invoice } = await created(customer, '/v1/billing/checkout', {
    gatewayId,
    immediateStart: true,
  })
  const paid = { gatewayId, reference: 'on the statement' }
  const answer = await staff.post(`/v1/admin/invoices/${invoice.id}/mark-paid`, paid)
  assert.ok(answer.status < 300, answer.text)
  return until('the invoice is paid', async () => {
    const { body } = await staff.get(`/v1/admin/invoices/${invoice.id}`)
    return body.status === 'paid' && body
  })
}

test('two shops on one installation have customers, numbers, gateways, staff and brand apart (hardening 38)', async () => {
  const one = await open('One', 'one.example', 'FR1420041010050500013M02606')
  const two = await open('Two', 'two.example', 'DE89370400440532013000')
  await two.staff.patch('/v1/admin/settings', { billing: { invoiceSeries: 'TWO' } })
  const [first, second] = [await buy(one), await buy(two)]
  assert.match(first.number, /^INV-\d{4}-000001$/)
  assert.match(second.number, /^TWO-\d{4}-000001$/)

  for (const [own, foreign, invoice] of [
    [one, two, second],
    [two, one, first],
  ] as const) {
    const people = (await own.staff.get('/v1/admin/users')).body.data
    assert.deepEqual(
      people.map(({ email }: { email: string }) => email).sort(),
      [EMAIL, `owner@${own.host}`].sort(),
    )
    assert.equal((await own.staff.get('/v1/admin/gateways')).body.data.length, 1)
    assert.equal((await own.staff.get(`/v1/admin/gateways/${foreign.gatewayId}`)).status, 404)
    assert.equal((await own.staff.get(`/v1/admin/invoices/${invoice.id}`)).status, 404)
    assert.equal((await own.customer.get(`/v1/billing/invoices/${invoice.id}`)).status, 404)
    assert.equal((await own.staff.get(`/v1/admin/tenants/${foreign.tenantId}`)).status, 404)
    assert.equal((await own.staff.get('/v1/admin/tenants')).status, 403)
    const meta = (await at(own.host).get('/v1/meta')).body
    assert.deepEqual(
      meta.gateways.map(({ id }: { id: string }) => id),
      [own.gatewayId],
    )
    assert.equal(meta.brand.primaryColor, '#00aa55')
    assert.equal(meta.sourceUrl, sourceUrl)
    const mails = (await own.staff.get('/v1/admin/mails')).body.data
    const verify = mails.find(({ kind }: { kind: string }) => kind === 'verify_email')
    assert.ok(verify.body.includes(`http://${own.host}/verify/`))
  }
})

test('an invoice keeps the seller it was made by, and the next one has the new one', async () => {
  const shop = await open('Three', 'three.example', 'DE89370400440532013000')
  await buy(shop)
  const sellers = async () => {
    const rows = await app.deps.database
      .of(shop.tenantId)
      .selectFrom('billing.invoices')
      .select('seller')
      .orderBy('id')
      .execute()
    return rows.map(({ seller }) => seller.name)
  }
  assert.deepEqual(await sellers(), ['Three SAS'])
  const path = `/v1/admin/tenants/${shop.tenantId}`
  const renamed = await platform.patch(path, { seller: { name: 'Three AG' } })
  assert.equal(renamed.body.seller.city, 'Lyon')
  const { data } = (await shop.customer.get('/v1/store/products')).body
  await created(shop.customer, '/v1/cart/items', { planId: data[0].plans[0].id })
  await created(shop.customer, '/v1/billing/checkout', {
    gatewayId: shop.gatewayId,
    immediateStart: true,
  })
  assert.deepEqual(await sellers(), ['Three SAS', 'Three AG'])
})
