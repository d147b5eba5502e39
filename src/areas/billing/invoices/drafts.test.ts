import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { apiKey, otherTenant, person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const owner = await person(app, { admin: true })
const admin = { ...owner, ...(await apiKey(app, owner, { permission: 'read-write' })) }
const shop = shopOf(admin)
const INVOICES = '/v1/admin/invoices'

async function draft(userId: string, lines: object[], fields: object = {}) {
  const { status, body, text } = await admin.post(INVOICES, { userId, lines, ...fields })
  assert.equal(status, 201, text)
  return body
}

const line = { description: 'Setup by hand', unitPriceCents: 1000 }

test('a draft has no number, is priced and taxed, and only administrators see it', async () => {
  const ada = await person(app, { country: 'DE' })
  const lines = [{ ...line, quantity: 3, unitPriceCents: 333 }]
  const made = await draft(ada.userId, lines)
  assert.equal(made.status, 'draft')
  assert.equal(made.displayStatus, 'draft')
  assert.equal(made.number, null)
  assert.deepEqual([made.netCents, made.taxCents, made.totalCents], [999, 190, 1189])
  assert.equal(made.lines[0].quantity, 3)
  assert.deepEqual((await ada.get('/v1/billing/invoices')).body.data, [])
  assert.equal((await ada.get(`/v1/billing/invoices/${made.id}`)).status, 404)
  const listed = await admin.get(`${INVOICES}?status=draft&userId=${ada.userId}`)
  assert.equal(listed.body.data[0].totalCents, 1189)
})

test('a draft is changed as a whole list of lines, and deleted', async () => {
  const ada = await person(app, { country: 'FR' })
  const made = await draft(ada.userId, [])
  assert.equal(made.totalCents, 0)
  const dueAt = later(app.deps.clock.now(), 3_600_000)
  const two = await admin.patch(`${INVOICES}/${made.id}`, { lines: [line, line], dueAt })
  assert.deepEqual([two.body.totalCents, two.body.dueAt], [2400, dueAt])
  const yen = await admin.patch(`${INVOICES}/${made.id}`, { currency: 'JPY' })
  assert.deepEqual([yen.body.currency, yen.body.totalCents], ['JPY', 2400])
  assert.equal((await admin.get(`${INVOICES}/${made.id}`)).body.lines.length, 2)
  const gone = await admin.delete(`${INVOICES}/${made.id}`)
  assert.deepEqual(gone.body, { id: made.id, deleted: true })
  assert.equal((await admin.get(`${INVOICES}/${made.id}`)).status, 404)
  assert.equal((await admin.delete(`${INVOICES}/${made.id}`)).status, 404)
})

test('an issued draft is numbered, owed and final', async () => {
  const ada = await person(app, { country: 'FR' })
  const { id } = await draft(ada.userId, [line])
  const { status, body, text } = await admin.post(`${INVOICES}/${id}/issue`)
  assert.equal(status, 200, text)
  assert.match(body.number, /^INV-\d{4}-\d{6}$/)
  assert.deepEqual([body.status, body.dueCents], ['open', 1200])
  assert.equal(body.dueAt, later(body.issuedAt, 14 * 24 * 3_600_000))
  assert.equal((await ada.get(`/v1/billing/invoices/${id}`)).body.number, body.number)
  for (const answer of [
    await admin.post(`${INVOICES}/${id}/issue`),
    await admin.patch(`${INVOICES}/${id}`, { lines: [] }),
    await admin.delete(`${INVOICES}/${id}`),
  ]) {
    assert.equal(answer.status, 409, answer.text)
    assert.equal(answer.body.code, 'invoice_open')
  }
})

test('a draft without lines cannot be issued, and one over 0 is paid at once', async () => {
  const ada = await person(app, { country: 'FR' })
  const empty = await draft(ada.userId, [])
  const refused = await admin.post(`${INVOICES}/${empty.id}/issue`)
  assert.deepEqual([refused.status, refused.body.code], [422, 'invoice_empty'])
  const free = await draft(ada.userId, [{ ...line, unitPriceCents: 0 }])
  const { body } = await admin.post(`${INVOICES}/${free.id}/issue`)
  assert.equal(body.status, 'paid')
  assert.ok(body.number)
})

test('E24: a bulk update of a rate reaches a draft, and no invoice that was issued', async () => {
  const reduced = await shop.taxRate({ class: 'reduced', rateBasisPoints: 1000 })
  const product = await shop.product()
  const ada = await person(app, { country: 'FR' })
  const sold = { ...line, productId: product.id }
  const [issued, waiting] = [await draft(ada.userId, [sold]), await draft(ada.userId, [sold])]
  await admin.post(`${INVOICES}/${issued.id}/issue`)
  const body = { productIds: [product.id], taxRateId: reduced.id }
  await admin.post('/v1/admin/products/bulk-tax-rate', body)
  const totalOf = async (id: string) => (await admin.get(`${INVOICES}/${id}`)).body.totalCents
  assert.equal(await totalOf(issued.id), 1200)
  assert.equal(await totalOf(waiting.id), 1100)
  const late = await admin.post(`${INVOICES}/${waiting.id}/issue`)
  assert.equal(late.body.totalCents, 1100)
  assert.equal(late.body.taxes[0].rateBasisPoints, 1000)
})

test('series of their own number some kinds of invoice, and those an administrator chooses', async () => {
  await keepSettings(app, 'billing', { kindSeries: { manual: 'MAN' }, moreSeries: ['EVENT'] })
  const ada = await person(app, { country: 'FR' })
  const numberOf = async (fields: object) => {
    const { id } = await draft(ada.userId, [line], fields)
    return (await admin.post(`${INVOICES}/${id}/issue`)).body.number
  }
  const year = app.deps.clock.now().slice(0, 4)
  assert.equal(await numberOf({}), `MAN-${year}-000001`)
  assert.equal(await numberOf({ series: 'EVENT' }), `EVENT-${year}-000001`)
  assert.equal(await numberOf({ series: 'EVENT' }), `EVENT-${year}-000002`)
  const unknown = await admin.post(INVOICES, { userId: ada.userId, series: 'CN' })
  assert.deepEqual([unknown.status, unknown.body.details[0].path], [400, 'series'])
  await keepSettings(app, 'billing', {})
})

test('an invoice is sent with what is due, but no draft and no void one', async () => {
  const ada = await person(app, { country: 'FR' })
  const { id } = await draft(ada.userId, [line])
  const early = await admin.post(`${INVOICES}/${id}/send`)
  assert.deepEqual([early.status, early.body.code], [409, 'invoice_not_issued'])
  const { body } = await admin.post(`${INVOICES}/${id}/issue`)
  assert.equal((await admin.post(`${INVOICES}/${id}/send`)).status, 200)
  const [notice] = (await ada.get('/v1/notifications')).body.data
  assert.equal(notice.kind, 'invoice_sent')
  assert.equal(notice.title, 'Your invoice for €12.00')
  assert.match(notice.body, /^€12\.00 is due on \d+ \w+ \d{4} for invoice /)
  assert.ok(notice.body.includes(body.number), notice.body)
  await admin.post(`${INVOICES}/${id}/void`)
  assert.equal((await admin.post(`${INVOICES}/${id}/send`)).body.code, 'invoice_void')
})

test('what is due can be given up once', async () => {
  const ada = await person(app, { country: 'FR' })
  const { id } = await draft(ada.userId, [line])
  assert.equal((await admin.post(`${INVOICES}/${id}/write-off`)).status, 409)
  await admin.post(`${INVOICES}/${id}/issue`)
  const { body } = await admin.post(`${INVOICES}/${id}/write-off`)
  assert.deepEqual([body.status, body.displayStatus], ['uncollectible', 'uncollectible'])
  assert.ok(body.writtenOffAt)
  assert.equal((await admin.post(`${INVOICES}/${id}/write-off`)).status, 409)
})

const refusals: [string, object, number, string | undefined][] = [
  ['of an unknown customer', { userId: newId() }, 404, undefined],
  ['in an unknown currency', { currency: 'XXQ' }, 400, undefined],
  ['of an unknown product', { lines: [{ ...line, productId: newId() }] }, 400, undefined],
  ['at a price below 0', { lines: [{ ...line, unitPriceCents: -1 }] }, 400, undefined],
  ['with a field it has not', { note: 'x' }, 400, undefined],
  [
    'for a period that ends before it starts',
    {
      lines: [
        { ...line, periodStart: '2026-05-02T00:00:00.000Z', periodEnd: '2026-05-01T00:00:00.000Z' },
      ],
    },
    422,
    'period_invalid',
  ],
]
for (const [what, fields, status, code] of refusals) {
  test(`a draft ${what} is refused with ${status}`, async () => {
    const answer = await admin.post(INVOICES, { userId: owner.userId, ...fields })
    assert.equal(answer.status, status, answer.text)
    if (code) assert.equal(answer.body.code, code)
  })
}

test('nobody reaches another tenant’s drafts, and reading does not allow to write', async () => {
  const ada = await person(app)
  const made = await draft(ada.userId, [line])
  const elsewhere = await otherTenant(app, 'drafts.example.org')
  const eve = await person(app, { admin: true, tenantId: elsewhere })
  assert.equal((await eve.get(`${INVOICES}/${made.id}`)).status, 404)
  assert.equal((await eve.post(`${INVOICES}/${made.id}/issue`)).status, 404)
  assert.equal((await eve.delete(`${INVOICES}/${made.id}`)).status, 404)
  assert.equal((await eve.post(INVOICES, { userId: ada.userId })).status, 404)
  const reader = await person(app, { permissions: ['invoices:read'] })
  assert.equal((await reader.get(`${INVOICES}/${made.id}`)).status, 200)
  assert.equal((await reader.post(`${INVOICES}/${made.id}/issue`)).status, 403)
})

test('several invoices are sent, voided or deleted at once, and the answer says what became of each', async () => {
  const ada = await person(app, { country: 'FR' })
  const draftId = (await draft(ada.userId, [line])).id
  const issuedId = (await draft(ada.userId, [line])).id
  await admin.post(`${INVOICES}/${issuedId}/issue`)
  const ids = [draftId, issuedId]
  const bulk = async (action: string, how: object = {}) => {
    const { status, body, text } = await admin.post(`${INVOICES}/bulk`, { action, ids, ...how })
    assert.equal(status, 200, text)
    return body.rows.map(({ outcome, code }: { outcome: string; code: string }) => code ?? outcome)
  }
  const statusOf = async (id: string) => (await admin.get(`${INVOICES}/${id}`)).body.status
  const sent = async () =>
    (await ada.get('/v1/notifications')).body.data.filter(
      ({ kind }: { kind: string }) => kind === 'invoice_sent',
    ).length

  assert.deepEqual(await bulk('send', { dryRun: true }), ['invoice_not_issued', 'done'])
  assert.equal(await sent(), 0)
  assert.deepEqual(await bulk('send'), ['invoice_not_issued', 'done'])
  assert.equal(await sent(), 1)
  assert.equal((await bulk('void', { reason: 'Made twice' }))[1], 'done')
  assert.equal(await statusOf(issuedId), 'void')
  assert.equal((await bulk('void'))[1], 'unchanged')
  const [deleted, kept] = await bulk('delete_draft', { dryRun: true })
  assert.equal(deleted, 'done')
  assert.notEqual(kept, 'done')
  assert.equal(await statusOf(draftId), 'draft')
  await bulk('delete_draft')
  assert.equal((await admin.get(`${INVOICES}/${draftId}`)).status, 404)
  const tenantId = await otherTenant(app, 'bulk.example')
  const other = await person(app, { tenantId, admin: true })
  const elsewhere = await other.post(`${INVOICES}/bulk`, { action: 'void', ids: [issuedId] })
  assert.equal(elsewhere.body.rows[0].code, 'not_found')
})
