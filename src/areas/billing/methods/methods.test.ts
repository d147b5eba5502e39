import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Person } from '#test/people.ts'

const shop = await billingShop()
const { app, db, gatewayId, control, provider } = shop

async function methodsOf(user: Person) {
  return (await user.get('/v1/billing/payment-methods')).body.data
}

async function save(user: Person, card = 'pm_card_visa') {
  const before = (await methodsOf(user)).length
  const { status, body } = await user.post('/v1/billing/setup-intent', {})
  assert.equal(status, 201, JSON.stringify(body))
  await shop.complete(body.url, { card })
  return until('the method is saved', async () => {
    const methods = await methodsOf(user)
    return methods.length > before && methods[0]
  })
}

test('a method is saved on the provider’s page; the first one is the default', async () => {
  const ada = await shop.buyer()
  const first = await save(ada)
  assert.equal(first.default, true)
  assert.equal(first.last4, '4242')
  assert.equal(first.gatewayId, gatewayId)
  const second = await save(ada, 'pm_card_mastercard')
  assert.equal(second.default, false)
  const url = `/v1/billing/payment-methods/${second.id}`
  assert.equal((await ada.patch(url, {})).body.default, false)
  assert.equal((await ada.patch(url, { default: true })).body.default, true)
  assert.equal((await ada.get(`/v1/billing/payment-methods/${first.id}`)).body.default, false)
  const eve = await shop.buyer()
  assert.equal((await eve.get(url)).status, 404)
  assert.equal((await eve.patch(url, { nonsense: true })).status, 404)
  assert.equal((await eve.delete(url)).status, 404)
})

test('the return page saves the method when no webhook comes', async () => {
  const ada = await shop.buyer()
  const { body } = await ada.post('/v1/billing/setup-intent', { returnUrl: `${app.url}/cards` })
  await control('delivery', { mode: 'drop' })
  await shop.complete(body.url)
  const { headers } = await app.get(`/v1/billing/return/${body.id}`)
  assert.match(String(headers.location), /\/cards\?payment=.*&status=paid$/)
  assert.equal((await methodsOf(ada)).length, 1)
  await control('delivery', { mode: 'auto' })
})

test('an embedded form gets a client secret, which is not kept', async () => {
  const ada = await shop.buyer()
  const { status, body } = await ada.post('/v1/billing/setup-intent', { mode: 'embedded' })
  assert.equal(status, 201)
  assert.equal(body.url, null)
  assert.match(body.clientSecret, /_secret_/)
  assert.equal(body.publishableKey, provider.publishableKey)
  const rows = await db
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('id', '=', body.id)
    .execute()
  assert.ok(!JSON.stringify(rows).includes(body.clientSecret))
})

test('a saved method is charged at once', async () => {
  const ada = await shop.buyer()
  const method = await save(ada)
  const { invoice, payment } = await shop.checkout(ada, 1200, {
    gatewayId: undefined,
    paymentMethodId: method.id,
  })
  assert.equal(payment.status, 'paid')
  await shop.became(ada, invoice.id, 'paid')
  const eve = await shop.buyer()
  const other = await shop.invoice(eve)
  const stolen = await eve.post(`/v1/billing/invoices/${other.id}/pay`, {
    paymentMethodId: method.id,
  })
  assert.equal(stolen.status, 404)
})

test('a charge the bank refuses fails, leaves nothing payable behind, and another way pays', async () => {
  const ada = await shop.buyer()
  const method = await save(ada, 'pm_card_chargeCustomerFail')
  const { invoice, payment } = await shop.checkout(ada, 1200, {
    gatewayId: undefined,
    paymentMethodId: method.id,
  })
  assert.equal(payment.status, 'failed')
  assert.ok(payment.failure.message)
  // Time goes on: a message that comes meanwhile may put the next look off.
  await app.eventually(
    'the failed payment is canceled at the provider',
    async () => {
      const row = await db
        .selectFrom('billing.payment_attempts')
        .selectAll()
        .where('id', '=', payment.id)
        .executeTakeFirstOrThrow()
      return row.cancelWantedAt === null && row.providerPaymentId
    },
    { seconds: 60 },
  )
  const notices = await until('the customer is told', async () => {
    const { body } = await ada.get('/v1/notifications')
    return body.data.length > 0 && body.data
  })
  assert.equal(notices[0].kind, 'payment_failed')
  const url = `/v1/billing/invoices/${invoice.id}/pay`
  const again = await ada.post(url, { gatewayId })
  await shop.complete(again.body.redirectUrl)
  await shop.became(ada, invoice.id, 'paid')
})

test('a method removed here is removed there, and one removed there is gone here', async () => {
  const ada = await shop.buyer()
  const [one, other] = [await save(ada), await save(ada, 'pm_card_mastercard')]
  const providerIdOf = async (id: string) => {
    const row = await db
      .selectFrom('billing.payment_methods')
      .select('providerMethodId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row.providerMethodId
  }
  const removed = await ada.delete(`/v1/billing/payment-methods/${one.id}`)
  assert.deepEqual(removed.body, { id: one.id, deleted: true })
  const authorization = `Bearer ${provider.secretKey}`
  await until('the provider has let go of it', async () => {
    const url = `${provider.url}/v1/payment_methods/${await providerIdOf(one.id)}`
    const answer = await fetch(url, { headers: { authorization } })
    return ((await answer.json()) as { customer: string | null }).customer === null
  })
  await control(`payment-methods/${await providerIdOf(other.id)}/detach`)
  await until('it is gone', async () => (await methodsOf(ada)).length === 0)
})

test('the portal is a fresh link each time, and never kept for a replay', async () => {
  const ada = await shop.buyer()
  const headers = { 'idempotency-key': 'portal-1' }
  const first = await ada.post('/v1/billing/portal-session', undefined, { headers })
  assert.equal(first.status, 201)
  assert.match(first.body.url, /\/p\/session\//)
  const page = await fetch(first.body.url)
  assert.equal(page.status, 200)
  assert.ok((await page.text()).includes(`href="${app.url}/payment"`), 'the way back')
  const again = await ada.post('/v1/billing/portal-session', undefined, { headers })
  assert.equal(again.status, 409)
  assert.equal(again.body.code, 'already_answered')
  assert.equal((await app.post('/v1/billing/portal-session')).status, 401)
})

test('a customer begins a limited number of payment attempts in a day, and another customer is not affected', async () => {
  const ada = await shop.buyer()
  const attempts = Array.from({ length: 200 }, () => ada.post('/v1/billing/setup-intent', {}))
  const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status))
  assert.deepEqual([...statuses], [201])
  const refused = await ada.post('/v1/billing/setup-intent', {})
  assert.deepEqual([refused.status, refused.body.code], [429, 'limit_reached'])
  const eve = await shop.buyer()
  assert.equal((await eve.post('/v1/billing/setup-intent', {})).status, 201)
  const { rows } = await app.deps.database.execute(
    'select count(*)::int as count from billing.payment_attempts where user_id = $1',
    [ada.userId],
  )
  assert.equal(rows[0]?.count, 200)
})
