import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { DAY_MS, instant, later, millis } from '#lib/time.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { otherTenant, person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, catalog, gatewayId } = shop
const { plan } = await shop.server()
const REASON = 'The node was not reachable on Sunday.'

async function customer() {
  const someone = await shop.customer()
  await shop.buy(someone, plan.id)
  const service = await shop.serviceBecame(someone, 'active')
  return { someone, id: service.id as string, end: instant(service.currentPeriodEnd) }
}

const give = (id: string, body: object = { days: 3, reason: REASON }, who = admin) =>
  who.post(`/v1/admin/services/${id}/free-days`, body)
const serviceOf = async (id: string): Promise<Body> =>
  (await admin.get(`/v1/admin/services/${id}`)).body

test('free days follow the paid period, and the customer reads why', async () => {
  const { someone, id, end } = await customer()
  const given = await give(id)
  assert.equal(given.status, 200, given.text)
  assert.deepEqual(
    [given.body.currentPeriodEnd, given.body.freeUntil],
    [end, later(end, 3 * DAY_MS)],
  )
  const { data } = (await someone.get('/v1/notifications')).body
  const notice = data.find(({ kind }: Body) => kind === 'free_days')
  assert.match(notice.body, /not reachable on Sunday.*You pay nothing/)
  const again = await give(id, { days: 4, reason: REASON })
  assert.equal(again.body.freeUntil, later(end, 7 * DAY_MS), 'more days follow the first')
})

test('a second click gives nothing, also while the first is under way', async () => {
  const { someone, id, end } = await customer()
  const clicks = await Promise.all([give(id), give(id)])
  clicks.push(await give(id))
  for (const { status, body } of clicks) {
    assert.deepEqual([status, body.freeUntil], [200, later(end, 3 * DAY_MS)])
  }
  const { data } = (await someone.get('/v1/notifications')).body
  assert.equal(data.filter(({ kind }: Body) => kind === 'free_days').length, 1)
  const other = await give(id, { days: 3, reason: 'The node was not reachable on Monday.' })
  assert.equal(other.body.freeUntil, later(end, 6 * DAY_MS), 'another reason gives more')
})

test('an unpaid renewal is made again with the later dates', async () => {
  const { someone, id, end } = await customer()
  const { body } = await someone.post(`/v1/services/${id}/renew`, { gatewayId })
  assert.equal((await give(id, { days: 10, reason: REASON })).status, 200)
  const { body: voided } = await admin.get(`/v1/admin/invoices/${body.invoice.id}`)
  assert.equal(voided.status, 'void')
  const { body: next } = await someone.post(`/v1/services/${id}/renew`, { gatewayId })
  const { body: invoice } = await admin.get(`/v1/admin/invoices/${next.invoice.id}`)
  assert.equal(invoice.lines[0].periodStart, later(end, 10 * DAY_MS))
})

test('a service goes on through its free days, and ends with them if it is canceled', async () => {
  const { someone, id, end } = await customer()
  await give(id, { days: 2, reason: REASON })
  const preview = { at: 'period_end' }
  assert.equal((await someone.post(`/v1/services/${id}/cancel`, preview)).status, 200)
  await app.advance(Math.ceil((millis(end) - millis(app.deps.clock.now())) / 1000) + 60)
  const going = await app.eventually('the free days have begun', async () => {
    const found = await serviceOf(id)
    return found.currentPeriodStart === end && found
  })
  assert.deepEqual([going.status, going.currentPeriodEnd], ['active', later(end, 2 * DAY_MS)])
  await app.advance((2 * DAY_MS) / 1000)
  await app.eventually('it ends', async () => (await serviceOf(id)).status === 'ended')
})

test('many services get free days at once, each once for one reason', async () => {
  const [ada, bob, unknown] = [await customer(), await customer(), newId()]
  const ids = [ada.id, unknown, bob.id]
  const bulk = (body: object) =>
    admin.post('/v1/admin/services/bulk', { action: 'free_days', ids, ...body })
  const outcomes = ({ body }: Answer) => body.rows.map(({ outcome }: Body) => outcome)
  const wanted = { days: 3, reason: REASON }
  assert.deepEqual(outcomes(await bulk({ ...wanted, dryRun: true })), ['done', 'failed', 'done'])
  assert.equal((await serviceOf(ada.id)).freeUntil, null, 'a dry run changes nothing')
  assert.deepEqual(outcomes(await bulk(wanted)), ['done', 'failed', 'done'])
  assert.deepEqual(outcomes(await bulk(wanted)), ['unchanged', 'failed', 'unchanged'])
  assert.equal((await serviceOf(bob.id)).freeUntil, later(bob.end, 3 * DAY_MS))
  for (const missing of [{ days: 3 }, { reason: REASON }]) {
    assert.equal((await bulk(missing)).status, 400)
  }
})

test('what has no paid period that free days could follow is refused', async () => {
  const once = await catalog.offer({ interval: 'one_time', priceCents: 500 })
  const buyer = await shop.customer()
  await shop.buy(buyer, once.plan.id)
  const { body } = await buyer.get('/v1/services')
  const [sold] = body.data
  const refused = await give(sold.id)
  assert.ok(['free_days_not_possible', 'service_not_active'].includes(refused.body.code))
  const { someone, id } = await customer()
  await someone.post(`/v1/services/${id}/cancel`, { at: 'now' })
  assert.equal((await give(id)).status, 409)
})

test('days and a reason are required, and the permission to change services', async () => {
  const { id } = await customer()
  for (const wrong of [
    {},
    { days: 3 },
    ...[0, 367, 1.5].map((days) => ({ days, reason: REASON })),
    { days: 3, reason: '' },
  ]) {
    assert.equal((await give(id, wrong)).status, 400, JSON.stringify(wrong))
  }
  const clerk = await person(app, { permissions: ['services:read'] })
  assert.equal((await give(id, undefined, clerk)).status, 403)
  assert.equal((await give(newId())).status, 404)
  const tenantId = await otherTenant(app, 'elsewhere.example')
  const other = await person(app, { tenantId, admin: true })
  assert.equal((await give(id, undefined, other)).status, 404)
})
