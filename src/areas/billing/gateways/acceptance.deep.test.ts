import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { afterEach, test } from 'node:test'
import { pino } from 'pino'
import { preparePayment, startPayment } from '#billing'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import type { Person } from '#test/people.ts'
import { type ProviderBench, providerShop, registered } from '#test/providers.ts'

/**
 * What every driver that takes money by itself must come to, through the whole service: one list,
 * run for each of them. A new driver adds a bench to test/support/providers.ts.
 */
const lines: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const shop = await providerShop({ log: pino({ level: 'trace' }, stream) })
const { app, db, tenantId, admin } = shop

afterEach(() => shop.assertSound())

type Sale = { id: string; url: string; attempt: string }

async function begin(bench: ProviderBench, ada: Person, how: object = {}): Promise<Sale> {
  const { invoice, url, payment } = await shop.checkout(ada, 1200, {
    gatewayId: bench.gatewayId,
    ...how,
  })
  return { id: invoice.id, url, attempt: payment.id }
}

async function paid(bench: ProviderBench, ada: Person): Promise<Sale & { payment: string }> {
  const sale = await begin(bench, ada)
  await bench.pay(sale.url)
  await shop.became(ada, sale.id, 'paid')
  return { ...sale, payment: await providerPaymentOf(sale.id) }
}

async function paymentsOf(invoiceId: string) {
  return db
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .selectAll('payment')
    .where('part.invoiceId', '=', invoiceId)
    .execute()
}

async function providerPaymentOf(invoiceId: string): Promise<string> {
  return (await paymentsOf(invoiceId))[0]?.providerPaymentId ?? ''
}

function refundsOf(invoiceId: string) {
  return db
    .selectFrom('billing.refunds')
    .selectAll()
    .where('invoiceId', '=', invoiceId)
    .orderBy('id')
    .execute()
}

/** All refunds of an invoice that have reached the provider. */
function sent(invoiceId: string, count: number) {
  return until(`${count} refunds are at the provider`, async () => {
    const refunds = await refundsOf(invoiceId)
    const there = refunds.filter(({ providerRefundId }) => providerRefundId !== null)
    return there.length === count && there
  })
}

async function savedMethod(bench: ProviderBench, ada: Person, later?: 'declined' | 'asks') {
  const { gatewayId } = bench
  const behaviour = later ? (`${later}-later` as const) : 'fine'
  if (bench.savesAlone) {
    const { body } = await ada.post('/v1/billing/setup-intent', { gatewayId })
    await bench.pay(body.url, behaviour)
  } else {
    const sale = await begin(bench, ada, { savePaymentMethod: true })
    await bench.pay(sale.url, behaviour)
    await shop.became(ada, sale.id, 'paid')
  }
  return until('the method is saved', async () => {
    const { body } = await ada.get('/v1/billing/payment-methods')
    return body.data[0] as { id: string; last4: string | null; gatewayId: string; default: boolean }
  })
}

/** Charges a saved method as a renewal does: nobody is there. */
async function renew(ada: Person, paymentMethodId: string) {
  const invoice = await shop.invoice(ada, { kind: 'renewal' })
  const payer = { tenantId, userId: ada.userId }
  const how = { invoiceId: invoice.id, paymentMethodId, purpose: 'renewal' as const }
  const prepared = await shop.inLedger((tx) => preparePayment(tx, payer, how, app.deps.clock.now()))
  return { id: invoice.id, view: await startPayment(app.deps, db, prepared) }
}

function attemptOf(id: string) {
  return db
    .selectFrom('billing.payment_attempts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

for (const bench of shop.benches) {
  const { driver, gatewayId } = bench
  const acceptance = (title: string, work: () => Promise<void>) => test(`${driver}: ${title}`, work)
  let known: Promise<Person> | undefined
  /** One customer for all tests that ask for nothing but sales. */
  const regular = () => {
    known ??= shop.buyer()
    return known
  }

  acceptance('1 a checkout is paid by the message alone', async () => {
    const ada = await regular()
    const { id } = await paid(bench, ada)
    const [payment, ...others] = await paymentsOf(id)
    assert.deepEqual(others, [])
    assert.equal(payment?.receivedCents, 1200)
    assert.equal(payment?.gatewayId, gatewayId)
  })

  acceptance('2 without messages the return page settles it', async () => {
    const ada = await regular()
    await bench.deliver(false)
    const { id, url, attempt } = await begin(bench, ada)
    await bench.pay(url)
    const { headers } = await app.get(`/v1/billing/return/${attempt}`)
    assert.match(String(headers.location), /status=paid$/)
    await shop.became(ada, id, 'paid')
    await bench.deliver(true)
  })

  acceptance('3, 4 messages and returns at once, many times over, book it once', async () => {
    const ada = await regular()
    await bench.deliver(false)
    const { id, url, attempt } = await begin(bench, ada)
    await bench.pay(url)
    await bench.deliver(true)
    const checkout = (await attemptOf(attempt)).checkoutId ?? ''
    await Promise.all([
      bench.repeat(checkout, 10),
      ...Array.from({ length: 10 }, () => app.get(`/v1/billing/return/${attempt}`)),
    ])
    await shop.became(ada, id, 'paid')
    await bench.settled()
    assert.equal((await paymentsOf(id)).length, 1)
  })

  acceptance('5 a declined card can be followed by one that pays', async () => {
    const ada = await regular()
    const first = await begin(bench, ada)
    await bench.pay(first.url, 'declined')
    await bench.settled()
    if (bench.declineEnds) {
      const failed = await until('it failed', async () => {
        const attempt = await attemptOf(first.attempt)
        return attempt.state === 'failed' && attempt
      })
      assert.equal(failed.failureRetry, 'later')
    }
    const again = await ada.post(`/v1/billing/invoices/${first.id}/pay`, { gatewayId })
    assert.equal(again.status, 200, again.text)
    await bench.pay(again.body.redirectUrl)
    await shop.became(ada, first.id, 'paid')
    assert.equal((await paymentsOf(first.id)).length, 1)
  })

  acceptance('7 a method that was saved is charged by a renewal', async () => {
    const ada = await shop.buyer()
    const method = await savedMethod(bench, ada)
    assert.equal(method.last4, bench.last4)
    assert.equal(method.gatewayId, gatewayId)
    assert.equal(method.default, true)
    const { id, view } = await renew(ada, method.id)
    assert.equal(view.status, 'paid', JSON.stringify(view))
    await shop.became(ada, id, 'paid')
    assert.equal((await paymentsOf(id))[0]?.methodLast4, bench.last4)
  })

  acceptance('8 a bank that wants to see the customer gets a hosted page', async () => {
    const ada = await shop.buyer()
    const method = await savedMethod(bench, ada, 'asks')
    const { id, view } = await renew(ada, method.id)
    assert.equal(view.status, 'failed')
    assert.equal(view.failure?.code, 'authentication_required')
    assert.equal((await attemptOf(view.id)).failureRetry, 'customer_action')
    const again = await ada.post(`/v1/billing/invoices/${id}/pay`, { gatewayId })
    await bench.pay(again.body.redirectUrl)
    await shop.became(ada, id, 'paid')
    await bench.settled()
    assert.equal((await paymentsOf(id)).length, 1)
  })

  acceptance('9 a decline says whether trying again can help', async () => {
    const ada = await shop.buyer()
    const method = await savedMethod(bench, ada, 'declined')
    const { view } = await renew(ada, method.id)
    assert.equal(view.status, 'failed')
    assert.equal((await attemptOf(view.id)).failureRetry, 'later')
  })

  acceptance('10 a charge whose answer was lost is made once', async () => {
    const ada = await regular()
    const method = await savedMethod(bench, ada)
    const before = await bench.countPaid()
    await bench.loseAnswer('charge')
    const { id } = await renew(ada, method.id)
    await app.eventually(
      'it is paid',
      async () => {
        const { body } = await ada.get(`/v1/billing/invoices/${id}`)
        return body.status === 'paid'
      },
      { seconds: 60 },
    )
    assert.equal((await bench.countPaid()) - before, 1)
    assert.equal((await paymentsOf(id)).length, 1)
  })

  acceptance('12 two equal parts and the rest go back, and nothing more', async () => {
    const ada = await regular()
    const { id } = await paid(bench, ada)
    const url = `/v1/admin/invoices/${id}/refund`
    for (const amountCents of [300, 300]) {
      assert.equal((await admin.post(url, { amountCents })).status, 200)
    }
    assert.equal((await admin.post(url, { amountCents: 601 })).status, 422)
    assert.equal((await admin.post(url, {})).status, 200)
    const done = await sent(id, 3)
    assert.equal(new Set(done.map(({ providerRefundId }) => providerRefundId)).size, 3)
    await bench.settled()
    assert.equal((await refundsOf(id)).length, 3)
  })

  acceptance('12 a refund whose answer was lost is made once', async () => {
    const ada = await regular()
    const { id } = await paid(bench, ada)
    await bench.loseAnswer('refund')
    await admin.post(`/v1/admin/invoices/${id}/refund`, { amountCents: 500 })
    await sent(id, 1)
    await bench.settled()
    assert.equal((await refundsOf(id)).length, 1)
    // Were it made twice, this much would not be left.
    await admin.post(`/v1/admin/invoices/${id}/refund`, {})
    const done = await sent(id, 2)
    assert.deepEqual(
      done.map(({ amountCents }) => amountCents),
      [500, 700],
    )
  })

  acceptance('13 a refund that fails later becomes credit', async () => {
    const ada = await shop.buyer()
    const { id } = await paid(bench, ada)
    await admin.post(`/v1/admin/invoices/${id}/refund`, {})
    const [made] = await sent(id, 1)
    await bench.failRefund(made?.providerRefundId ?? '')
    if (!bench.tellsOfRefunds) await app.advance(2 * 3600)
    await until('it failed', async () => (await refundsOf(id))[0]?.state === 'failed')
    assert.equal(await shop.creditOf(ada), 1200)
  })

  acceptance('14 a refund made at the provider appears, with its credit note', async () => {
    const ada = await regular()
    const { id, payment } = await paid(bench, ada)
    await bench.refundThere(payment, 400)
    const [adopted] = await sent(id, 1)
    assert.equal(adopted?.origin, 'provider')
    assert.equal((await ada.get(`/v1/billing/invoices/${id}`)).body.creditedCents, 400)
  })

  acceptance('15 a chargeback that is lost makes the invoice due again', async () => {
    const ada = await shop.buyer()
    const { id, payment } = await paid(bench, ada)
    const chargeback = await bench.chargeBack(payment)
    await bench.loseForGood(chargeback)
    const { dueCents, creditedCents } = await shop.became(ada, id, 'open')
    assert.equal(dueCents, 1200)
    assert.equal(creditedCents, 0)
    const { body } = await admin.get(`/v1/admin/disputes?userId=${ada.userId}`)
    assert.equal(body.data.length, 1)
    assert.equal(body.data[0].status, 'lost')
    assert.equal(body.data[0].lostCents, 1200)
    assert.deepEqual(body.data[0].invoiceIds, [id])
    const again = await ada.post(`/v1/billing/invoices/${id}/pay`, { gatewayId })
    await bench.pay(again.body.redirectUrl)
    await shop.became(ada, id, 'paid')
  })

  acceptance('15 a chargeback that is won leaves the invoice paid', async () => {
    const ada = await shop.buyer()
    const { id, payment } = await paid(bench, ada)
    const chargeback = await bench.chargeBack(payment)
    const listed = async () =>
      (await admin.get(`/v1/admin/disputes?userId=${ada.userId}`)).body.data[0]
    await until('the dispute is known', listed)
    await bench.giveBack(chargeback)
    await until('the dispute is won', async () => (await listed())?.status === 'won')
    const { body } = await ada.get(`/v1/billing/invoices/${id}`)
    assert.equal(body.status, 'paid')
    assert.equal(body.disputed, false)
  })

  acceptance(
    '16 a method removed at the provider is not charged, and a new one asked for',
    async () => {
      const ada = await shop.buyer()
      const { id } = await savedMethod(bench, ada)
      const { providerMethodId } = await db
        .selectFrom('billing.payment_methods')
        .select('providerMethodId')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await bench.deliver(false)
      await bench.removeMethod(providerMethodId)
      // Our own look at what changed there may have come first; then there is nothing to charge.
      const outcome = await renew(ada, id)
        .then(
          ({ view }) => view.status,
          (error: { statusCode?: number }) => error.statusCode,
        )
        .finally(() => bench.deliver(true))
      assert.ok(outcome === 'failed' || outcome === 404, `${outcome}`)
      assert.equal((await ada.get('/v1/billing/payment-methods')).body.data.length, 0)
    },
  )

  acceptance('19 of two gateways of one account each books its own', async () => {
    const second = await admin.post('/v1/admin/gateways', bench.gateway)
    if (!bench.declineEnds) await registered(admin, second.body.id)
    const ada = await regular()
    const { id, url } = await begin(bench, ada, { gatewayId: second.body.id })
    await bench.pay(url)
    await shop.became(ada, id, 'paid')
    await bench.settled()
    const booked = await paymentsOf(id)
    assert.deepEqual(
      booked.map((payment) => payment.gatewayId),
      [second.body.id],
    )
    await admin.delete(`/v1/admin/gateways/${second.body.id}`)
  })

  acceptance('22 what nobody told us for a while is read from the provider', async () => {
    const ada = await regular()
    await bench.deliver(false)
    const { id, url } = await begin(bench, ada)
    await bench.pay(url)
    await shop.inLedger((tx) =>
      tx.updateTable('billing.payment_attempts').set({ nextCheckAt: null }).execute(),
    )
    await app.advance(15 * 60)
    await shop.became(ada, id, 'paid')
    await bench.deliver(true)
  })

  acceptance('23 yen have no decimals', async () => {
    const ada = await regular()
    const invoice = await shop.invoice(ada, { totalCents: 500, currency: 'JPY' })
    const { body } = await ada.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId })
    await bench.pay(body.redirectUrl)
    await shop.became(ada, invoice.id, 'paid')
    const [payment] = await paymentsOf(invoice.id)
    assert.equal(payment?.receivedCents, 500)
    assert.equal(payment?.currency, 'JPY')
  })

  acceptance('a wrong key says so, and is hidden when it is shown', async () => {
    const secrets = bench.gateway.secrets as Record<string, string>
    const wrong = Object.fromEntries(
      Object.entries(secrets).map(([name, value]) => [name, `${value.slice(0, -4)}aaaa`]),
    )
    const added = await admin.post('/v1/admin/gateways', {
      ...{ ...bench.gateway, enabled: false, secrets: wrong },
    })
    assert.equal(added.status, 201, added.text)
    const { body } = await admin.post(`/v1/admin/gateways/${added.body.id}/test`)
    assert.equal(body.ok, false)
    assert.equal(body.code, 'credentials')
    assert.ok(!added.text.includes(bench.secret.slice(0, -4)))
    await admin.delete(`/v1/admin/gateways/${added.body.id}`)
  })

  acceptance('25 no secret was logged or answered', async () => {
    assert.ok(lines.length > 50)
    assert.ok(!lines.join('').includes(bench.secret))
    assert.ok(!(await admin.get('/v1/admin/gateways')).text.includes(bench.secret))
  })
}

test('bank_transfer: 24 under- and overpaid, and a refund that a person sends', async () => {
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true },
    settings: { holder: 'Host', iban: 'DE02120300000000202051' },
  })
  const gatewayId: string = gateway.body.id
  const ada = await shop.buyer()
  const { invoice, payment } = await shop.checkout(ada, 1200, { gatewayId })
  assert.equal(payment.status, 'action_required')
  const url = `/v1/admin/invoices/${invoice.id}`
  const under = { gatewayId, amountCents: 700, reference: `entry-${newId()}` }
  assert.equal((await admin.post(`${url}/mark-paid`, under)).body.dueCents, 500)
  assert.equal((await admin.post(`${url}/mark-paid`, under)).body.code, 'already_booked')
  const over = { gatewayId, amountCents: 900, reference: `entry-${newId()}` }
  assert.equal((await admin.post(`${url}/mark-paid`, over)).body.status, 'paid')
  assert.equal(await shop.creditOf(ada), 400)

  for (const amountCents of [300, 200]) await admin.post(`${url}/refund`, { amountCents })
  const [first, second] = await sent(invoice.id, 2)
  assert.equal(first?.state, 'pending')
  const listed = await admin.get(`/v1/admin/refunds?status=pending&userId=${ada.userId}`)
  assert.equal(listed.body.data.length, 2)
  assert.equal(listed.body.data[0].byHand, true)
  const confirm = `/v1/admin/refunds/${first?.id}/confirm`
  const done = await admin.post(confirm, { outcome: 'sent', reference: 'SEPA-1' })
  assert.equal(done.body.status, 'succeeded', done.text)
  assert.equal((await admin.post(confirm, { outcome: 'impossible' })).status, 409)
  const confirmSecond = `/v1/admin/refunds/${second?.id}/confirm`
  const twice = await admin.post(confirmSecond, { outcome: 'sent', reference: 'SEPA-1' })
  assert.deepEqual([twice.status, twice.body.code], [409, 'reference_used'], twice.text)
  const lost = await admin.post(confirmSecond, { outcome: 'impossible' })
  assert.equal(lost.body.status, 'failed')
  assert.equal(await shop.creditOf(ada), 600)
})

test('a refund that a provider sends is not confirmed by a person', async () => {
  const [bench] = shop.benches
  assert.ok(bench)
  const ada = await shop.buyer()
  const { id } = await paid(bench, ada)
  await admin.post(`/v1/admin/invoices/${id}/refund`, {})
  const [made] = await sent(id, 1)
  const url = `/v1/admin/refunds/${made?.id}`
  const refused = await admin.post(`${url}/confirm`, { outcome: 'sent' })
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'refund_not_by_hand')
  assert.equal((await admin.get(url)).body.byHand, false)
  assert.equal((await admin.post('/v1/admin/refunds/x/confirm', { nonsense: 1 })).status, 404)
})

test('methods of all gateways are one list with one default', async () => {
  const ada = await shop.buyer()
  for (const bench of shop.benches) {
    const sale = await begin(bench, ada, { savePaymentMethod: true })
    await bench.pay(sale.url)
    await shop.became(ada, sale.id, 'paid')
  }
  const { data } = (await ada.get('/v1/billing/payment-methods')).body
  assert.deepEqual(
    new Set(data.map((method: { gatewayId: string }) => method.gatewayId)),
    new Set(shop.benches.map(({ gatewayId }) => gatewayId)),
  )
  assert.equal(data.filter((method: { default: boolean }) => method.default).length, 1)
  for (const { id } of data) {
    assert.equal((await ada.delete(`/v1/billing/payment-methods/${id}`)).status, 200)
  }
  await until('the mandate is revoked there', () => {
    const { customers, mandates } = shop.mollie.store
    const own = [...customers.values()].find(({ fields }) =>
      JSON.stringify(fields).includes(ada.userId),
    )
    return own && ![...mandates.values()].some(({ customerId }) => customerId === own.id)
  })
})

test('a gateway that saves methods only while paying begins no saving by itself', async () => {
  const ada = await shop.buyer()
  for (const { driver, gatewayId } of shop.benches) {
    const { status, body } = await ada.post('/v1/billing/setup-intent', { gatewayId })
    if (driver === 'sandbox') assert.equal(status, 201)
    else assert.deepEqual([status, body.code], [422, 'saved_with_payment'])
  }
})
