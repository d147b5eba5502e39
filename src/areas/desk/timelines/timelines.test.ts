import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { until } from '#test/app.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

type Entry = { kind: string; at: string; actorId: string | null; actorName: string | null }

const shop = await gameShop()
const { app, admin } = shop
const { plan } = await shop.server()
const ada = await shop.customer()
const placed = await shop.buy(ada, plan.id)
const { id: serviceId } = await shop.serviceBecame(ada, 'active')
const SERVICE = `/v1/admin/services/${serviceId}/timeline`
const ORDER = `/v1/admin/orders/${placed.order.id}/timeline`
const INVOICE = `/v1/admin/invoices/${placed.invoice.id}/timeline`

async function entriesOf(url: string, as = admin): Promise<Entry[]> {
  const { status, body, text } = await as.get(`${url}?limit=100`)
  assert.equal(status, 200, text)
  return body.data
}

const kindsOf = async (url: string, as = admin) =>
  (await entriesOf(url, as)).map(({ kind }) => kind)

test('the timeline of a service names who suspended it, newest first and page by page', async () => {
  assert.equal((await admin.post(`/v1/admin/services/${serviceId}/suspend`)).status, 200)
  const done = await until('the request is in the chain of the audit log', async () => {
    await app.deps.queue.runSchedules()
    return (await entriesOf(SERVICE)).find(({ kind }) => kind === 'audit.request')
  })
  assert.deepEqual([done.actorId, done.actorName], [admin.userId, admin.name])
  await app.eventually('the panel has suspended it', async () =>
    (await kindsOf(SERVICE)).includes('services.suspended'),
  )
  await shop.quiet()
  const whole = await entriesOf(SERVICE)
  const kinds = whole.map(({ kind }) => kind)
  for (const kind of ['services.made', 'services.activated', 'services.suspended']) {
    assert.ok(kinds.includes(kind), kind)
  }
  assert.ok(!kinds.some((kind) => kind.startsWith('billing.')))
  const times = whole.map(({ at }) => at)
  assert.deepEqual(times, [...times].sort().reverse())
  const seen: Entry[] = []
  let cursor = ''
  do {
    const { body } = await admin.get(`${SERVICE}?limit=1${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.data)
    cursor = body.nextCursor ?? ''
  } while (cursor)
  assert.deepEqual(seen, whole)
  assert.equal((await admin.get(`${SERVICE}?cursor=bm9uZQ`)).status, 400)
})

test('the timeline of an order tells of its invoice and services too', async () => {
  const kinds = await kindsOf(ORDER)
  const wanted = ['orders.placed', 'orders.paid', 'billing.invoice-paid', 'services.activated']
  for (const kind of wanted) assert.ok(kinds.includes(kind), kind)
})

test('the timeline of an invoice tells of its payment, its refund and its credit note, each once', async () => {
  const refund = { amountCents: 100, to: 'payment', reason: 'Goodwill' }
  const { status, text } = await admin.post(
    `/v1/admin/invoices/${placed.invoice.id}/refund`,
    refund,
  )
  assert.ok(status < 300, text)
  const kinds = await kindsOf(INVOICE)
  const wanted = ['invoice-made', 'invoice-issued', 'invoice-paid', 'payment-received', 'refunded']
  for (const kind of [...wanted, 'credit-note-issued']) {
    assert.equal(kinds.filter((it) => it === `billing.${kind}`).length, 1, kind)
  }
})

test('a timeline leaves out what its reader may not see, and is that of the own shop only', async () => {
  const clerk = await person(app, { permissions: ['orders:read'] })
  const kinds = await kindsOf(ORDER, clerk)
  assert.ok(kinds.length > 0 && kinds.every((kind) => kind.startsWith('orders.')), `${kinds}`)
  const foreigner = await person(app, {
    ...{ tenantId: await otherTenant(app, 'timelines.test'), admin: true },
  })
  for (const url of [SERVICE, ORDER, INVOICE]) {
    assert.equal((await foreigner.get(url)).status, 404, url)
    assert.equal((await ada.get(url)).status, 403, url)
  }
  for (const objects of ['services', 'orders', 'invoices']) {
    assert.equal((await admin.get(`/v1/admin/${objects}/${newId()}/timeline`)).status, 404, objects)
  }
  assert.equal((await clerk.get(SERVICE)).status, 403)
})
