import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { testApp } from '#test/app.ts'
import { faults, imported } from '#test/imports.ts'
import { otherTenant, person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { database } = app.deps
const clerk = await person(app, { permissions: ['invoices:read', 'invoices:write', 'orders:read'] })
const admin = await person(app, { admin: true })

const dump = smallDump({
  tblclients: [
    { id: 7, email: 'ada@example.com' },
    { id: 8, email: 'eve@example.com' },
  ],
  tblorders: [
    { id: 61, ordernum: '7700123', userid: 7, invoiceid: 1, status: 'Active' },
    { id: 62, ordernum: '7700124', userid: 8, status: 'Fraud' },
  ],
  tblinvoices: [{ id: 1, userid: 7, invoicenum: 'OLD-1', status: 'Paid' }],
  tblinvoiceitems: [{ invoiceid: 1, userid: 7 }],
  tblaccounts: [
    { id: 31, userid: 7, transid: 'pi_old', invoiceid: 1 },
    {
      id: 32,
      userid: 7,
      transid: 're_old',
      amountin: '0.00',
      amountout: '2.00',
      refundid: 31,
      invoiceid: 0,
    },
    { id: 33, userid: 8, transid: 'pi_eve', amountin: '5.00', invoiceid: 0 },
  ],
  tblcredit: [
    { id: 41, clientid: 7, amount: '5.00' },
    { id: 42, clientid: 7, amount: '-5.00', description: 'Used' },
  ],
})
const { id: importId, status, report } = await imported(app, dump)
assert.equal(status, 'completed', JSON.stringify(report.differences))
const { rows: people } = await database.execute(
  `select id from users.users where email = 'ada@example.com'`,
)
const adaId = String(people[0]?.id)
const PAYMENTS = '/v1/admin/imported-payments'

async function listed(url: string) {
  const { status: answer, body, text } = await clerk.get(url)
  assert.equal(answer, 200, text)
  return body.data
}

async function paymentBy(q: string) {
  const [found] = await listed(`${PAYMENTS}?q=${q}`)
  return found
}

test('staff reads the payments of a person with their old ids, page by page', async () => {
  const all = await listed(`${PAYMENTS}?userId=${adaId}`)
  const seen: unknown[] = []
  let cursor = ''
  do {
    const { body } = await clerk.get(`${PAYMENTS}?userId=${adaId}&limit=1${cursor}`)
    seen.push(...body.data)
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  assert.deepEqual(seen, all)
  assert.deepEqual(all.map((it: { sourceId: number }) => it.sourceId).sort(), [31, 32])
  const payment = await paymentBy('pi_old')
  assert.equal(payment.customerEmail, 'ada@example.com')
  assert.deepEqual(
    [
      payment.system,
      payment.sourceId,
      payment.invoiceNumber,
      payment.inCents,
      payment.refundedCents,
    ],
    ['whmcs', 31, 'OLD-1', 1000, 200],
  )
  assert.equal((await paymentBy('re_old')).refundOf, payment.id)
})

for (const [url, ids] of [
  [`${PAYMENTS}?q=33`, [33]],
  [`${PAYMENTS}?q=pi_eve`, [33]],
  [`${PAYMENTS}?q=99999999999999999999`, []],
  ['/v1/admin/imported-orders?q=7700123', [61]],
  ['/v1/admin/imported-orders?q=62', [62]],
  [`/v1/admin/imported-orders?userId=${adaId}`, [61]],
  ['/v1/admin/imported-credit?q=42', [42]],
  [`/v1/admin/imported-credit?userId=${adaId}`, [42, 41]],
] as const) {
  test(`${url.replace(adaId, 'ada')} finds ${ids.join(' and ') || 'nothing'}`, async () => {
    const found = await listed(url)
    assert.deepEqual(
      new Set(found.map((it: { sourceId: number }) => it.sourceId)),
      new Set<number>(ids),
    )
  })
}

test('a refund of an old payment is noted, booked once, and lowers what its invoice is worth', async () => {
  const { id, invoiceId } = await paymentBy('pi_old')
  const url = `${PAYMENTS}/${id}/refunds`
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 1 },
    settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
  })
  const wanted = { amountCents: 300, reason: 'Server was slow', reference: 'SEPA-1' }
  const headers = { 'idempotency-key': 'slow-once' }
  const body = { ...wanted, gatewayId: gateway.body.id }
  const first = await clerk.post(url, body, { headers })
  assert.equal(first.status, 201, first.text)
  assert.deepEqual((await clerk.post(url, body, { headers })).body, first.body)
  const repeated = await clerk.post(url, wanted)
  assert.deepEqual([repeated.status, repeated.body.code], [409, 'reference_used'])
  const payment = await paymentBy('pi_old')
  assert.deepEqual(payment.refunds, [first.body])
  assert.equal(payment.refundedCents, 500)
  const invoice = (await clerk.get(`/v1/admin/invoices/${invoiceId}`)).body
  assert.deepEqual([invoice.status, invoice.dueCents], ['paid', 0])
  const { rows } = await database.execute(
    `select account.code, posting.amount_cents::int as cents from ledger.postings as posting
     join ledger.accounts as account on account.id = posting.account_id
     join ledger.transactions as transaction on transaction.id = posting.transaction_id
     where transaction.event_id = $1 order by 2`,
    [first.body.id],
  )
  assert.deepEqual(rows, [
    { code: `cash:${gateway.body.id}`, cents: -300 },
    { code: 'opening', cents: 300 },
  ])
  const { body: log } = await admin.get(`/v1/admin/audit-logs?objectId=${id}`)
  assert.equal(log.data[0].actorId, clerk.userId)
})

test('of refunds noted at once no more goes through than the payment holds', async () => {
  const { id } = await paymentBy('pi_eve')
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      clerk.post(`${PAYMENTS}/${id}/refunds`, { amountCents: 200, reason: 'Sorry' }),
    ),
  )
  assert.deepEqual(answers.map((it) => it.status).sort(), [201, 201, 422, 422, 422])
  assert.equal(answers.find((it) => it.status === 422)?.body.code, 'refund_too_large')
  assert.equal((await paymentBy('pi_eve')).refundedCents, 400)
  const db = database.of(app.tenantId)
  assert.deepEqual(await listWrongBalances(db, app.tenantId), [])
  assert.deepEqual(await listUnbalanced(db, app.tenantId), [])
  assert.deepEqual(await faults(app), [])
})

test('a payment that brought nothing in, an unknown one and an unknown gateway are refused', async () => {
  const { id } = await paymentBy('re_old')
  const wanted = { amountCents: 1, reason: 'x' }
  assert.equal((await clerk.post(`${PAYMENTS}/${id}/refunds`, wanted)).status, 422)
  assert.equal((await clerk.post(`${PAYMENTS}/${adaId}/refunds`, wanted)).status, 404)
  const foreign = { ...wanted, gatewayId: adaId }
  assert.equal((await clerk.post(`${PAYMENTS}/${id}/refunds`, foreign)).status, 404)
  for (const body of [
    { ...wanted, amountCents: 0 },
    { amountCents: 1 },
    { ...wanted, reason: '' },
  ]) {
    assert.equal((await clerk.post(`${PAYMENTS}/${id}/refunds`, body)).status, 400)
  }
})

test('history is read with the permission for it, and in the shop it belongs to', async () => {
  const reader = await person(app, { permissions: ['invoices:read'] })
  const { id } = await paymentBy('pi_eve')
  const wanted = { amountCents: 1, reason: 'x' }
  assert.equal((await reader.post(`${PAYMENTS}/${id}/refunds`, wanted)).status, 403)
  assert.equal((await reader.get('/v1/admin/imported-orders')).status, 403)
  const stranger = await person(app, { permissions: ['users:read'] })
  for (const url of [PAYMENTS, '/v1/admin/imported-credit']) {
    assert.equal((await stranger.get(url)).status, 403, url)
  }
  const tenantId = await otherTenant(app, 'elsewhere.test')
  const other = await person(app, { tenantId, admin: true })
  assert.equal((await other.post(`${PAYMENTS}/${id}/refunds`, wanted)).status, 404)
  for (const url of [PAYMENTS, '/v1/admin/imported-credit', '/v1/admin/imported-orders']) {
    assert.deepEqual((await other.get(url)).body.data, [], url)
  }
})

test('an import with a noted refund is not undone', async () => {
  const { body } = await admin.post(`/v1/admin/imports/${importId}/undo`, { dryRun: true })
  const named = body.obstacles.map((it: { code: string }) => it.code)
  assert.ok(named.includes('imported_refunds'), named.join())
})
