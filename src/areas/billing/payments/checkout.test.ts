import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { preparePayment } from '#billing'
import { until } from '#test/app.ts'
import { billingShop, sessionOf } from '#test/billing-shop.ts'
import type { Person } from '#test/people.ts'

const shop = await billingShop()
const { app, db, tenantId, gatewayId, control } = shop

afterEach(async () => {
  await control('delivery', { mode: 'auto' })
  await shop.assertSound()
})

function paymentsOf({ userId }: Person) {
  return db
    .selectFrom('billing.payments')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}

async function attemptsOf({ userId }: Person) {
  return db
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('id')
    .execute()
}

async function noticesOf(user: Person): Promise<string[]> {
  const { body } = await user.get('/v1/notifications')
  return body.data.map(({ kind }: { kind: string }) => kind)
}

test('a checkout is paid by the webhook alone, and numbered with its first money', async () => {
  const ada = await shop.buyer()
  const { invoice, payment, url } = await shop.checkout(ada)
  assert.equal(invoice.number, null)
  assert.equal(payment.status, 'open')
  assert.equal(payment.amountCents, 1200)
  await shop.complete(url)
  const paid = await shop.became(ada, invoice.id, 'paid')
  assert.match(paid.number, /^INV-\d{4}-\d{6}$/)
  assert.equal(paid.dueCents, 0)
  assert.equal(paid.paidCents, 1200)
  const notices = await until('a notice', async () => {
    const kinds = await noticesOf(ada)
    return kinds.length > 0 && kinds
  })
  assert.deepEqual(notices, ['invoice_paid'])
})

test('the return page settles a payment when no webhook ever comes', async () => {
  const ada = await shop.buyer()
  const { invoice, payment, url } = await shop.checkout(ada, 1200, {
    returnUrl: `${app.url}/thanks?a=1`,
  })
  await control('delivery', { mode: 'drop' })
  await shop.complete(url)
  const { status, headers } = await app.get(`/v1/billing/return/${payment.id}`)
  assert.equal(status, 303)
  assert.equal(headers.location, `${app.url}/thanks?a=1&payment=${payment.id}&status=paid`)
  const { body } = await ada.get(`/v1/billing/invoices/${invoice.id}`)
  assert.equal(body.status, 'paid')
})

test('a customer who comes back without having paid is sent back too', async () => {
  const ada = await shop.buyer()
  const { payment } = await shop.checkout(ada)
  const { status, headers } = await app.get(`/v1/billing/return/${payment.id}`)
  assert.equal(status, 303)
  const page = `${app.url}/checkout/return?payment=${payment.id}&status=open`
  assert.equal(
    headers.location,
    page,
    'without an address of its own, to the page that follows the payment',
  )
  assert.equal((await app.get(`/v1/billing/return/${tenantId}`)).status, 404)
})

test('a stranger’s address is refused before anything is written', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada)
  for (const returnUrl of ['https://evil.example/', `${app.url}.evil.example/`, 'javascript:1']) {
    const url = `/v1/billing/invoices/${invoice.id}/pay`
    const { status, body } = await ada.post(url, { gatewayId, returnUrl })
    assert.equal(status, 400)
    assert.equal(body.details[0].path, 'returnUrl')
  }
  assert.deepEqual(await attemptsOf(ada), [])
})

test('events that come twice, in reverse, or before the answer book a payment once', async () => {
  for (const mode of ['duplicate', 'reverse', 'before-response']) {
    await control('delivery', { mode })
    const ada = await shop.buyer()
    const { invoice, url } = await shop.checkout(ada)
    await shop.complete(url)
    await control('delivery', { mode: 'auto' })
    await shop.became(ada, invoice.id, 'paid')
    await shop.settled()
    assert.equal((await paymentsOf(ada)).length, 1, mode)
  }
})

test('a declined card leaves the page open, and another one pays', async () => {
  const ada = await shop.buyer()
  const { invoice, payment, url } = await shop.checkout(ada)
  const { error } = await shop.complete(url, { card: '4000000000000002' })
  assert.ok(error)
  await shop.settled()
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  const [attempt, ...others] = await attemptsOf(ada)
  assert.equal(attempt?.id, payment.id)
  assert.equal(others.length, 0)
  await shop.settled()
  assert.ok(!(await noticesOf(ada)).includes('payment_failed'))
})

test('who begins to pay once more gets the same page, and another amount another one', async () => {
  const ada = await shop.buyer()
  const { invoice, payment } = await shop.checkout(ada)
  const url = `/v1/billing/invoices/${invoice.id}/pay`
  const again = await ada.post(url, { gatewayId })
  assert.equal(again.body.id, payment.id)
  const saving = await ada.post(url, { gatewayId, savePaymentMethod: true })
  assert.notEqual(saving.body.id, payment.id)
  await until('the first page is closed', async () => {
    const [first] = await attemptsOf(ada)
    return first?.state === 'expired'
  })
  await shop.complete(saving.body.redirectUrl)
  await shop.became(ada, invoice.id, 'paid')
  const { body } = await ada.get('/v1/billing/payment-methods')
  assert.equal(body.data.length, 1)
  assert.equal(body.data[0].last4, '4242')
  assert.equal(body.data[0].default, true)
})

test('a paid invoice cannot be paid again, and nobody pays another’s', async () => {
  const ada = await shop.buyer()
  const eve = await shop.buyer()
  const { invoice, url } = await shop.checkout(ada)
  await shop.complete(url)
  await shop.became(ada, invoice.id, 'paid')
  const pay = `/v1/billing/invoices/${invoice.id}/pay`
  const again = await ada.post(pay, { gatewayId })
  assert.equal(again.status, 409)
  assert.equal(again.body.code, 'invoice_paid')
  assert.equal((await eve.post(pay, { gatewayId })).status, 404)
  assert.equal((await eve.get(`/v1/billing/invoices/${invoice.id}`)).status, 404)
})

test('acceptance 6: an expired page with a late payment on a given up order becomes credit', async () => {
  const ada = await shop.buyer()
  const { invoice, payment, url } = await shop.checkout(ada)
  await control(`checkout-sessions/${sessionOf(url)}/expire`)
  await until('the attempt has expired', async () => {
    const [attempt] = await attemptsOf(ada)
    return attempt?.state === 'expired'
  })
  await app.advance(24 * 3600 + 60)
  await shop.became(ada, invoice.id, 'void')
  await shop.complete(url, { late: true })
  await until('credit', async () => (await shop.creditOf(ada)) === 1200)
  const { body } = await ada.get(`/v1/billing/invoices/${invoice.id}`)
  assert.equal(body.status, 'void')
  assert.equal(body.number, null)
  const [attempt] = await attemptsOf(ada)
  assert.equal(attempt?.id, payment.id)
  assert.equal(attempt?.state, 'paid')
  await until('an administrator is told', async () =>
    (await noticesOf(shop.admin)).includes('admin_attention'),
  )
})

test('the page of an order that was given up is closed at the provider', async () => {
  const ada = await shop.buyer()
  const { invoice, url } = await shop.checkout(ada)
  await app.advance(24 * 3600 + 60)
  await shop.became(ada, invoice.id, 'void')
  await until('the page is closed', async () => {
    const [attempt] = await attemptsOf(ada)
    return attempt?.state === 'expired'
  })
  await assert.rejects(shop.complete(url))
})

test('a page whose making timed out after it was made is found, and paid once', async () => {
  await control('faults', {
    route: 'POST /v1/checkout/sessions',
    kind: 'timeout-after',
    n: 9,
    ms: 1,
  })
  const ada = await shop.buyer()
  const { invoice, payment, url } = await shop.checkout(ada)
  assert.equal(payment.status, 'processing')
  assert.equal(url, null)
  await fetch(`${shop.provider.url}/_sandbox/faults`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${shop.provider.controlToken}` },
  })
  await app.advance(15)
  const attempt = await until('the page is known', async () => {
    const [row] = await attemptsOf(ada)
    return row?.state === 'open' && row
  })
  assert.equal(attempt.keyNumber, 1)
  const again = await ada.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId })
  assert.equal(again.body.id, payment.id)
  await shop.complete(again.body.redirectUrl)
  await shop.became(ada, invoice.id, 'paid')
  assert.equal((await paymentsOf(ada)).length, 1)
})

test('acceptance 11: a fault that is replayed for ever is got over by looking the payment up', async () => {
  await control('faults', { route: 'POST /v1/checkout/sessions', kind: '500-after', n: 1 })
  const ada = await shop.buyer()
  const { invoice, payment } = await shop.checkout(ada)
  assert.equal(payment.status, 'processing')
  for (const seconds of [15, 150, 700]) await app.advance(seconds)
  const attempt = await app.eventually(
    'the page is found',
    async () => {
      const [row] = await attemptsOf(ada)
      return row?.state === 'open' && row
    },
    { seconds: 60 },
  )
  assert.ok(attempt.checkoutId)
  await control(`checkout-sessions/${attempt.checkoutId}/complete`)
  await shop.became(ada, invoice.id, 'paid')
  assert.equal((await paymentsOf(ada)).length, 1)
})

test('an attempt whose process died before it called is started by the sweeper', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada)
  const now = app.deps.clock.now()
  await shop.inLedger((tx) => preparePayment(tx, ada, { invoiceId: invoice.id, gatewayId }, now))
  await app.advance(30)
  const attempt = await until('the page is made', async () => {
    const [row] = await attemptsOf(ada)
    return row?.state === 'open' && row
  })
  await control(`checkout-sessions/${attempt.checkoutId}/complete`)
  await shop.became(ada, invoice.id, 'paid')
})

test('money of another amount is never booked, but kept for an administrator to see (hardening 33)', async () => {
  const ada = await shop.buyer()
  const { invoice, payment, url } = await shop.checkout(ada)
  await shop.inLedger((tx) =>
    tx
      .updateTable('billing.payment_attempts')
      .set({ amountCents: 1100 as never })
      .where('id', '=', payment.id)
      .execute(),
  )
  await shop.complete(url)
  const found = await until('a break', () =>
    db
      .selectFrom('billing.breaks')
      .selectAll()
      .where('attemptId', '=', payment.id)
      .executeTakeFirst(),
  )
  assert.equal(found.kind, 'payment_mismatch')
  assert.equal((found.details as { why: string }).why, 'amount')
  await shop.settled()
  const { body } = await ada.get(`/v1/billing/invoices/${invoice.id}`)
  assert.equal(body.status, 'open')
  assert.deepEqual(await paymentsOf(ada), [])
})

test('an event about nothing of ours is ignored', async () => {
  const headers = { authorization: `Bearer ${shop.provider.secretKey}` }
  const form = new URLSearchParams({
    ...{ amount: '900', currency: 'eur', payment_method: 'pm_card_visa', confirm: 'true' },
    'automatic_payment_methods[enabled]': 'true',
    'automatic_payment_methods[allow_redirects]': 'never',
  })
  const made = await fetch(`${shop.provider.url}/v1/payment_intents`, {
    ...{ method: 'POST', headers, body: form },
  })
  const intent = (await made.json()) as { id: string; error?: unknown }
  assert.equal(made.status, 200, JSON.stringify(intent.error))
  const event = await until('the event is read', () =>
    db
      .selectFrom('billing.provider_events')
      .selectAll()
      .where('objectId', '=', intent.id)
      .where('type', '=', 'payment_intent.succeeded')
      .where('state', '<>', 'new')
      .executeTakeFirst(),
  )
  assert.equal(event.state, 'ignored')
  assert.equal(event.note, 'not_ours')
})
