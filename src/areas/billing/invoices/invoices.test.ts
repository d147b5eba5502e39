import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { later } from '#lib/time.ts'
import { billingShop, documentOf } from '#test/billing-shop.ts'
import { asOwner } from '#test/owner.ts'
import type { Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'
import { addCredit } from '../credits/actions.ts'
import { bookPayment } from '../payments/booking.ts'
import { openInvoice, writeOffInvoice } from './actions.ts'
import { invoiceHash } from './content.ts'
import { findInvoice, partsOf } from './queries.ts'

const shop = await billingShop()
const { app, db, tenantId, gatewayId, admin } = shop

afterEach(() => shop.assertSound())

async function give(user: Person, amount: number): Promise<void> {
  const eventId = newId()
  const change = { tenantId, userId: user.userId, currency: 'EUR', amountCents: cents(amount) }
  const now = app.deps.clock.now()
  const rest = { eventId, key: `test:${eventId}`, description: 'A gift' }
  await shop.inLedger((tx) => addCredit(tx, { ...change, ...rest }, now))
}

async function bankGateway(): Promise<string> {
  const { status, body } = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
    settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}
const bankId = await bankGateway()

function markPaid(invoiceId: string, body: object) {
  return admin.post(`/v1/admin/invoices/${invoiceId}/mark-paid`, { gatewayId: bankId, ...body })
}

test('E11: a total of 0 is numbered and paid at once, without a payment', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada, { totalCents: 0 })
  assert.equal(invoice.status, 'paid')
  assert.match(invoice.number ?? '', /^INV-/)
})

test('a renewal is numbered when it is issued, a checkout when it is paid', async () => {
  const ada = await shop.buyer()
  assert.ok((await shop.invoice(ada, { kind: 'renewal' })).number)
  assert.equal((await shop.invoice(ada, { kind: 'upgrade' })).number, null)
})

test('E29: what is paid too much becomes credit', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada, { totalCents: 1943, kind: 'manual' })
  const { body } = await markPaid(invoice.id, { amountCents: 2000, reference: 'E29' })
  assert.equal(body.status, 'paid')
  assert.equal(await shop.creditOf(ada), 57)
})

test('E30: one payment for several invoices goes to the oldest due date, then the lower number', async () => {
  const ada = await shop.buyer()
  const now = app.deps.clock.now()
  const [first, second] = [later(now, 1000), later(now, 2000)]
  const b = await shop.invoice(ada, { totalCents: 800, kind: 'manual', dueAt: second })
  const c = await shop.invoice(ada, { totalCents: 500, kind: 'manual', dueAt: second })
  const a = await shop.invoice(ada, { totalCents: 1200, kind: 'manual', dueAt: first })
  const method = { methodKind: null, methodBrand: null, methodLast4: null, fingerprint: null }
  const money = { receivedCents: cents(2100), currency: 'EUR', feeCents: cents(0), paidAt: now }
  const from = { tenantId, userId: ada.userId, gatewayId: bankId, attemptId: null }
  const payment = { ...from, ...money, method, providerPaymentId: 'E30' }
  await shop.inLedger((tx) => bookPayment(tx, payment, [b.id, c.id, a.id], now))
  const due = async (id: string) => (await ada.get(`/v1/billing/invoices/${id}`)).body.dueCents
  assert.deepEqual([await due(a.id), await due(b.id), await due(c.id)], [0, 0, 400])
})

test('E31: credit is set aside for an order, and only the rest is asked for', async () => {
  const ada = await shop.buyer()
  await give(ada, 450)
  const { invoice, payment, url } = await shop.checkout(ada, 1200, { useCredits: true })
  assert.equal(payment.amountCents, 750)
  assert.equal(await shop.creditOf(ada), 0)
  await shop.complete(url)
  const paid = await shop.became(ada, invoice.id, 'paid')
  assert.equal(paid.paidCents, 1200)
  assert.equal(await shop.creditOf(ada), 0)
})

test('credit that covers all pays at once, and asks nobody', async () => {
  const ada = await shop.buyer()
  await give(ada, 1300)
  const { invoice, payment } = await shop.checkout(ada, 1200, { useCredits: true })
  assert.equal(payment.status, 'paid')
  assert.equal(payment.amountCents, 1200)
  assert.equal(payment.gatewayId, null)
  await shop.became(ada, invoice.id, 'paid')
  assert.equal(await shop.creditOf(ada), 100)
})

test('credit that was set aside is free again when the order is given up or paid otherwise', async () => {
  const ada = await shop.buyer()
  await give(ada, 450)
  const { invoice } = await shop.checkout(ada, 1200, { useCredits: true })
  const otherwise = await ada.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId })
  assert.equal(otherwise.body.amountCents, 1200)
  assert.equal(await shop.creditOf(ada), 450)
  await ada.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId, useCredits: true })
  assert.equal(await shop.creditOf(ada), 0)
  const voided = await admin.post(`/v1/admin/invoices/${invoice.id}/void`, {})
  assert.equal(voided.body.status, 'void')
  assert.equal(voided.body.number, null)
  assert.equal(await shop.creditOf(ada), 450)
  const pay = await ada.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId })
  assert.equal(pay.body.code, 'invoice_void')
})

test('E33: voiding a numbered invoice credits all of it', async () => {
  const ada = await shop.buyer()
  const invoice = await shop.invoice(ada, { kind: 'manual' })
  const { body } = await admin.post(`/v1/admin/invoices/${invoice.id}/void`)
  assert.equal(body.status, 'void')
  assert.equal(body.dueCents, 0)
  assert.equal(body.creditedCents, 1200)
  const notes = await ada.get('/v1/billing/credit-notes')
  assert.equal(notes.body.data[0].totalCents, 1200)
  assert.match(notes.body.data[0].number, /^CN-\d{4}-\d{6}$/)
  assert.equal(notes.body.data[0].invoiceNumber, invoice.number)
  const one = await ada.get(`/v1/billing/credit-notes/${notes.body.data[0].id}`)
  assert.equal(one.status, 200)
})

test('E34: an invoice on which money was paid is not voided', async () => {
  const ada = await shop.buyer()
  const dueAt = later(app.deps.clock.now(), 60_000)
  const invoice = await shop.invoice(ada, { kind: 'manual', dueAt })
  const partly = await markPaid(invoice.id, { amountCents: 500, reference: 'E34' })
  assert.equal(partly.body.displayStatus, 'partially_paid')
  const { status, body } = await admin.post(`/v1/admin/invoices/${invoice.id}/void`)
  assert.equal(status, 409)
  assert.equal(body.code, 'invoice_partially_paid')
  const rest = await markPaid(invoice.id, { reference: 'E34 rest' })
  assert.equal(rest.body.status, 'paid')
})

test('a bank transfer shows where to pay; too little leaves the rest due, too much becomes credit', async () => {
  const ada = await shop.buyer()
  const { invoice, payment } = await shop.checkout(ada, 1200, { gatewayId: bankId })
  assert.equal(payment.status, 'action_required')
  assert.match(payment.instructions.reference, /^RF/)
  assert.equal(payment.redirectUrl, null)
  const less = await markPaid(invoice.id, { amountCents: 1000, reference: 'T1' })
  assert.equal(less.body.dueCents, 200)
  assert.ok(less.body.number)
  const twice = await markPaid(invoice.id, { amountCents: 1000, reference: 'T1' })
  assert.equal(twice.body.code, 'already_booked')
  const more = await markPaid(invoice.id, { amountCents: 250, reference: 'T2' })
  assert.equal(more.body.status, 'paid')
  assert.equal(await shop.creditOf(ada), 50)
  const none = await markPaid(invoice.id, { reference: 'T3' })
  assert.equal(none.status, 409)
  const future = later(app.deps.clock.now(), 60_000)
  const early = await markPaid(invoice.id, { amountCents: 1, reference: 'T4', paidAt: future })
  assert.equal(early.status, 400)
})

test('several invoices are paid on one page', async () => {
  const ada = await shop.buyer()
  const [a, b] = [await shop.invoice(ada), await shop.invoice(ada, { totalCents: 300 })]
  const body = { invoiceIds: [a.id, b.id], gatewayId }
  const payment = await ada.post('/v1/billing/pay', body)
  assert.equal(payment.status, 200, payment.text)
  assert.equal(payment.body.amountCents, 1500)
  const eve = await shop.buyer()
  assert.equal((await eve.post('/v1/billing/pay', body)).status, 404)
  await shop.complete(payment.body.redirectUrl)
  await shop.became(ada, a.id, 'paid')
  await shop.became(ada, b.id, 'paid')
})

test('bought credit is there when it is paid, and carries no tax', async () => {
  const ada = await shop.buyer()
  const top = await ada.post('/v1/billing/credits/top-up', { amountCents: 2500, gatewayId })
  assert.equal(top.status, 201, top.text)
  assert.equal(top.body.invoice.taxCents, 0)
  await shop.complete(top.body.payment.redirectUrl)
  const paid = await shop.became(ada, top.body.invoice.id, 'paid')
  assert.match(paid.number, /^TOP-/)
  const credits = await ada.get('/v1/billing/credits')
  assert.equal(credits.body.balanceCents, 2500)
  assert.equal(credits.body.data[0].kind, 'top_up')
  const again = await admin.post(`/v1/admin/invoices/${paid.id}/refund`)
  assert.equal(again.body.code, 'top_up_not_refundable')
})

test('the number of unpaid top-ups per day is limited', async () => {
  const set = await admin.patch('/v1/admin/settings', { billing: { maxUnpaidTopUpsPerDay: 2 } })
  assert.equal(set.status, 200, set.text)
  const ada = await shop.buyer()
  const begin = () => ada.post('/v1/billing/credits/top-up', { amountCents: 2500, gatewayId })
  const answers = await Promise.all([begin(), begin(), begin()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 422])
  assert.equal((await begin()).body.code, 'unpaid_top_ups_limit')
  const taken = answers.find(({ status }) => status === 201)?.body
  await shop.complete(taken.payment.redirectUrl)
  await shop.became(ada, taken.invoice.id, 'paid')
  assert.equal((await begin()).status, 201)
})

test('a tenant may number orders when they are made, and renewals with their money', async () => {
  const ada = await shop.buyer()
  const numberAt = { checkout: 'issue', renewal: 'payment' }
  const set = await admin.patch('/v1/admin/settings', { billing: { numberAt } })
  assert.equal(set.status, 200, set.text)
  const order = await shop.invoice(ada, { kind: 'checkout' })
  assert.match(order.number ?? '', /^INV-/)
  const renewal = await shop.invoice(ada, { kind: 'renewal' })
  assert.equal(renewal.number, null)
  assert.equal((await shop.invoice(ada, { kind: 'upgrade' })).number, null)
  assert.match((await shop.invoice(ada, { kind: 'manual' })).number ?? '', /^INV-/)
  await shop.assertSound(ada.userId)

  await app.advance(25 * 3600)
  const gone = await shop.became(ada, order.id, 'void')
  assert.equal(gone.creditedCents, gone.totalCents)
  assert.equal((await ada.get(`/v1/billing/invoices/${renewal.id}`)).body.status, 'open')
  const paying = await ada.post(`/v1/billing/invoices/${renewal.id}/pay`, {
    gatewayId: shop.gatewayId,
  })
  await shop.complete(paying.body.redirectUrl)
  assert.match((await shop.became(ada, renewal.id, 'paid')).number, /^INV-/)
  await admin.patch('/v1/admin/settings', { billing: { numberAt: null } })
  await shop.assertSound(ada.userId)
})

test('an issued invoice does not change, nor does it vanish', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada, { kind: 'manual' })
  const attempts = [
    () => shop.inLedger((tx) => tx.deleteFrom('billing.invoices').where('id', '=', id).execute()),
    () =>
      shop.inLedger((tx) =>
        tx
          .updateTable('billing.invoices')
          .set({ totalCents: cents(1), netCents: cents(1), taxCents: cents(0) })
          .where('id', '=', id)
          .execute(),
      ),
    () =>
      shop.inLedger((tx) =>
        tx.updateTable('billing.invoices').set({ number: 'INV-1' }).where('id', '=', id).execute(),
      ),
    () =>
      shop.inLedger((tx) =>
        tx
          .updateTable('billing.invoice_lines')
          .set({ description: 'Other' })
          .where('invoiceId', '=', id)
          .execute(),
      ),
  ]
  for (const attempt of attempts) await assert.rejects(attempt(), /issued/)
  const invoice = await findInvoice(db, { tenantId, invoiceId: id })
  assert.ok(invoice?.number && invoice.issuedAt)
  const parts = await partsOf(db, { tenantId, invoiceId: id })
  const { number, issuedAt } = invoice
  assert.deepEqual(invoiceHash({ invoice, ...parts }, { number, issuedAt }), invoice.contentHash)
})

test('not even the owner of the database changes or deletes an issued invoice', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada, { kind: 'manual' })
  const { database } = app.deps
  for (const statement of [
    'delete from billing.invoices where id = $1',
    'delete from billing.invoice_lines where invoice_id = $1',
    'delete from billing.invoice_taxes where invoice_id = $1',
    `update billing.invoices set status = 'draft', draft_lines = '[]' where id = $1`,
    `update billing.invoices set total_cents = 0, net_cents = 0, tax_cents = 0 where id = $1`,
    `update billing.invoices set buyer = '{}' where id = $1`,
    'update billing.invoices set issued_at = now() where id = $1',
    `update billing.invoices set evidence = '{}' where id = $1`,
    'update billing.invoice_taxes set tax_cents = 0 where invoice_id = $1',
    `insert into billing.invoice_taxes
     select (jsonb_populate_record(it, '{"position": 9}')).* from billing.invoice_taxes it
     where invoice_id = $1`,
    `insert into billing.invoice_lines
     select (jsonb_populate_record(it,
       jsonb_build_object('position', 9, 'id', gen_random_uuid()))).*
     from billing.invoice_lines it where invoice_id = $1`,
    `insert into billing.line_components
     select tenant_id, invoice_id, position, 'memory' from billing.invoice_lines
     where invoice_id = $1`,
  ]) {
    await assert.rejects(asOwner(database, statement, [id]), /was issued/, statement)
  }
  const { rows } = await asOwner(database, 'select status from billing.invoices where id = $1', [
    id,
  ])
  assert.deepEqual(rows, [{ status: 'open' }])
})

test('an invoice keeps the buyer it was made out to', async () => {
  const ada = await shop.buyer({ name: 'Ada Before' })
  const { id } = await shop.invoice(ada, { kind: 'manual' })
  await shop.inLedger((tx) =>
    tx.updateTable('users.users').set({ name: 'Ada After' }).where('id', '=', ada.userId).execute(),
  )
  const invoice = await findInvoice(db, { tenantId, invoiceId: id })
  assert.equal(invoice?.buyer.name, 'Ada Before')
})

test('a document that does not add up is refused', async () => {
  const ada = await shop.buyer()
  const now = app.deps.clock.now()
  const document = { ...documentOf([{ totalCents: 1200, rate: 2000 }]), totalCents: cents(1100) }
  const about = { tenantId, userId: ada.userId, kind: 'manual' as const, reference: null }
  await assert.rejects(
    shop.inLedger((tx) => openInvoice(tx, { ...about, document, dueAt: now }, now)),
    RangeError,
  )
  const empty = { ...documentOf([]) }
  await assert.rejects(
    shop.inLedger((tx) => openInvoice(tx, { ...about, document: empty, dueAt: now }, now)),
    { statusCode: 422 },
  )
})

test('the lists show one’s own invoices, and an administrator’s filters find one', async () => {
  const ada = await shop.buyer()
  const made = [await shop.invoice(ada), await shop.invoice(ada, { kind: 'manual' })]
  const { body } = await ada.get('/v1/billing/invoices')
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    made.map(({ id }) => id).reverse(),
  )
  assert.equal(body.data[0].lines.length, 1)
  assert.equal(body.data[0].taxes[0].taxCents, 200)
  const found = await admin.get(`/v1/admin/invoices?number=${made[1]?.number}`)
  assert.equal(found.body.data[0].id, made[1]?.id)
  const ofAda = await admin.get(`/v1/admin/invoices?userId=${ada.userId}&status=open&limit=1`)
  assert.equal(ofAda.body.data.length, 1)
  assert.ok(ofAda.body.nextCursor)
})

test('an invoice that is written off is paid all the same when money comes', async () => {
  const ada = await shop.buyer()
  const { id } = await shop.invoice(ada, { kind: 'manual' })
  const now = app.deps.clock.now()
  await shop.inLedger((tx) => writeOffInvoice(tx, { tenantId, invoiceId: id }, now))
  await shop.assertSound()
  const { body } = await markPaid(id, { reference: 'late' })
  assert.equal(body.status, 'paid')
})

test('an unpaid order is given up after a day, one with money under way is not', async () => {
  const ada = await shop.buyer()
  const idle = await shop.invoice(ada)
  const { invoice, payment } = await shop.checkout(ada)
  await shop.inLedger((tx) =>
    tx
      .updateTable('billing.payment_attempts')
      .set({ state: 'processing' })
      .where('id', '=', payment.id)
      .execute(),
  )
  await app.advance(24 * 3600 + 1)
  await shop.became(ada, idle.id, 'void')
  const waiting = await ada.get(`/v1/billing/invoices/${invoice.id}`)
  assert.equal(waiting.body.status, 'open')
})

test('a consumer whose card is of another country than the address is to be reviewed', async () => {
  const ada = await shop.buyer({ country: 'FR' })
  const payment = (reference: string, methodCountry: string | null) => ({
    ...{ tenantId, userId: ada.userId, gatewayId, attemptId: null, providerPaymentId: reference },
    ...{ receivedCents: cents(1200), currency: 'EUR', feeCents: cents(0) },
    paidAt: app.deps.clock.now(),
    method: {
      ...{ methodKind: 'card', methodBrand: null, methodLast4: null, fingerprint: null },
      methodCountry,
    },
  })
  const paidFrom = async (country: string | null) => {
    const { id } = await shop.invoice(ada)
    const now = app.deps.clock.now()
    await shop.inLedger((tx) =>
      bookPayment(tx, payment(`from ${country} ${id}`, country), [id], now),
    )
    return (await admin.get(`/v1/admin/invoices/${id}`)).body
  }
  const alone = await paidFrom(null)
  assert.deepEqual(
    [alone.evidence, alone.evidenceConflict],
    [{ pieces: [{ kind: 'billing_address', country: 'FR' }], country: 'FR' }, false],
  )
  const home = await paidFrom('FR')
  assert.equal(home.evidence.pieces.length, 2)
  assert.equal(home.evidenceConflict, false)
  const abroad = await paidFrom('DE')
  assert.deepEqual(abroad.evidence.pieces[1], { kind: 'payment', country: 'DE' })
  const { body } = await admin.get(`/v1/admin/invoices?evidenceConflict=true&userId=${ada.userId}`)
  assert.deepEqual(
    body.data.map((it: { id: string }) => it.id),
    [abroad.id],
  )
  await keepSettings(app, 'tax', { locationEvidenceThresholdPassed: true })
  const eve = await shop.buyer({ country: 'FR' })
  const single = await shop.invoice(eve, { kind: 'manual' })
  assert.equal(single.evidenceConflict, true)
  await keepSettings(app, 'tax', {})
})

test('credit of which a part was bought is no debt that could be written off', async () => {
  const ada = await shop.buyer()
  const bought = { amountCents: 1000, gatewayId: bankId }
  const { body } = await ada.post('/v1/billing/credits/top-up', bought)
  const part = await markPaid(body.invoice.id, { amountCents: 400, reference: newId() })
  assert.equal(part.status, 200, part.text)
  assert.equal(await shop.creditOf(ada), 400)
  const refused = await admin.post(`/v1/admin/invoices/${body.invoice.id}/write-off`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'top_up_not_owed'])
})
