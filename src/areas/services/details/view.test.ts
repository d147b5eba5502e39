import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { gameShop } from '#test/game-shop.ts'
import { apiKey, type Person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { addMember } from '../invitations/queries.ts'

const shop = await gameShop()
const { app, db, tenantId } = shop
// Sessions end while the clock moves; keys do not.
const admin = await apiKey(app, shop.admin, { permission: 'read-write' })
const catalog = shopOf(admin)
const DAY_SECONDS = 86_400
const DAY_MS = 1000 * DAY_SECONDS
const { product: larger } = await shop.server({}, { priceCents: 2500 })
const { plan } = await shop.server({ upgradeTargetIds: [larger.id] })

/** A customer with an active service, and a friend it is shared with. */
async function sharing() {
  const ada = await shop.customer()
  const placed = await shop.buy(ada, plan.id)
  const { id } = await shop.serviceBecame(ada, 'active')
  const friend = await shop.customer()
  const createdAt = app.deps.clock.now()
  const member = { tenantId, serviceId: id, userId: friend.userId, permissions: ['view'] }
  await transact(db, (tx) => addMember(tx, { ...member, createdAt }))
  return { ada, friend, id, placed }
}

const details = async (person: Person, id: string) => {
  const { status, body, text } = await person.get(`/v1/services/${id}`)
  assert.equal(status, 200, text)
  return body
}

test('a running service says what it may use, and when what is invoiced next', async () => {
  const { ada, friend, id } = await sharing()
  const mine = await details(ada, id)
  assert.deepEqual(mine.limits, { memoryMb: 2048, diskMb: 5120, cpuPercent: 100, swapMb: 0 })
  assert.equal(mine.game, 'Paper')
  assert.equal(mine.nextTotalCents, 1200)
  const lead = Date.parse(mine.currentPeriodEnd) - Date.parse(mine.nextInvoiceAt)
  assert.equal(lead, 7 * DAY_MS)
  assert.ok(Date.parse(mine.withdrawableUntil) > Date.parse(mine.createdAt) + 14 * DAY_MS)
  const theirs = await details(friend, id)
  assert.deepEqual(
    [theirs.role, theirs.limits, theirs.game, theirs.setup],
    ['member', mine.limits, mine.game, mine.setup],
  )
  for (const field of ['nextInvoiceAt', 'nextTotalCents', 'withdrawableUntil', 'prices']) {
    assert.equal(theirs[field], null, field)
  }
})

test('the steps of setting up have their times, one after the other', async () => {
  const { ada, id } = await sharing()
  const { setup } = await details(ada, id)
  const { paidAt, startedAt, serverCreatedAt, activatedAt } = setup
  const times = [paidAt, startedAt, serverCreatedAt, activatedAt]
  assert.ok(times.every((time) => typeof time === 'string'))
  assert.deepEqual([...times].sort(), times)
})

test('who does not renew is not invoiced again, and a business does not withdraw', async () => {
  const { ada, id } = await sharing()
  await ada.patch('/v1/users/me', { company: 'Analytical SARL' })
  assert.equal((await details(ada, id)).withdrawableUntil, null)
  assert.equal((await ada.patch(`/v1/services/${id}`, { autoRenew: false })).status, 200)
  const { nextInvoiceAt, nextTotalCents } = await details(ada, id)
  assert.deepEqual([nextInvoiceAt, nextTotalCents], [null, null])
})

test('a coupon that counts once is not in the next total', async () => {
  const ada = await shop.customer()
  const coupon = await catalog.coupon({ duration: 'once' })
  const lasting = await catalog.coupon({ duration: 'forever', stackable: true })
  await ada.post('/v1/cart/items', { planId: plan.id })
  assert.equal((await ada.put(`/v1/cart/coupons/${coupon.code}`)).status, 200)
  const { order, payment } = (
    await ada.post('/v1/billing/checkout', { immediateStart: true, gatewayId: shop.gatewayId })
  ).body
  assert.equal(order.totalCents, 1080)
  await shop.complete(payment.redirectUrl)
  const { id } = await shop.serviceBecame(ada, 'active')
  assert.equal((await details(ada, id)).nextTotalCents, 1200)
  const bob = await shop.customer()
  await bob.post('/v1/cart/items', { planId: plan.id })
  await bob.put(`/v1/cart/coupons/${lasting.code}`)
  const placed = (
    await bob.post('/v1/billing/checkout', { immediateStart: true, gatewayId: shop.gatewayId })
  ).body
  await shop.complete(placed.payment.redirectUrl)
  const kept = await shop.serviceBecame(bob, 'active')
  assert.equal((await details(bob, kept.id)).nextTotalCents, 1080)
})

test('a change that waits for its payment is shown, its invoice to the owner alone', async () => {
  const { ada, friend, id } = await sharing()
  const wanted = { productId: larger.id, gatewayId: shop.gatewayId }
  const begun = await ada.post(`/v1/services/${id}/upgrade`, wanted)
  assert.equal(begun.status, 200, begun.text)
  const { upgrade } = await details(ada, id)
  assert.deepEqual(
    [upgrade.productId, upgrade.invoiceId, upgrade.paidAt],
    [larger.id, begun.body.invoice.id, null],
  )
  assert.deepEqual((await details(friend, id)).upgrade, { ...upgrade, invoiceId: null })
})

test('an unpaid renewal says which invoice, how much, and why the server stands still', async () => {
  const { ada, friend, id } = await sharing()
  await app.advance(24 * DAY_SECONDS)
  const due = await app.eventually('the renewal is invoiced', async () => {
    const body = await details(ada, id)
    return body.openInvoiceId && body
  })
  const { body: invoice } = await ada.get(`/v1/billing/invoices/${due.openInvoiceId}`)
  assert.deepEqual([invoice.kind, invoice.dueCents, due.dueCents], ['renewal', 1200, 1200])
  assert.deepEqual(due.suspendReasons, [])
  const step = { seconds: DAY_SECONDS }
  const suspended = await app.eventually(
    'the service is suspended',
    async () => {
      const body = await details(ada, id)
      return body.status === 'suspended' && body
    },
    step,
  )
  assert.deepEqual(suspended.suspendReasons, ['unpaid'])
  const [listed] = (await ada.get('/v1/services')).body.data
  assert.equal(listed.openInvoiceId, due.openInvoiceId)
  for (const theirs of [
    await details(friend, id),
    (await friend.get('/v1/services')).body.data[0],
  ]) {
    assert.deepEqual(
      [theirs.status, theirs.suspendReasons, theirs.openInvoiceId, theirs.dueCents],
      ['suspended', [], null, null],
    )
  }
  const ended = await app.eventually(
    'the service has ended',
    async () => {
      const body = await details(ada, id)
      return body.status === 'ended' && body
    },
    step,
  )
  assert.equal(Date.parse(ended.deleteServerAt) - Date.parse(ended.endedAt), 7 * DAY_MS)
  assert.equal(ended.nextInvoiceAt, null)
})

test('a list and a change of size say what this customer pays: with VAT, or without where none is due', async () => {
  const prices = async (country: string) => {
    const person = await shop.customer(country)
    await shop.buy(person, plan.id)
    const { id } = await shop.serviceBecame(person, 'active')
    const [listed] = (await person.get('/v1/services')).body.data
    const [target] = (await person.get(`/v1/services/${id}/upgrade-targets`)).body.data
    const shown = await details(person, id)
    assert.deepEqual(
      [shown.prices, shown.nextTotalCents],
      [listed.prices, listed.prices.nextTotalCents],
    )
    return [listed.prices, target.customerPrice]
  }
  assert.deepEqual(await prices('FR'), [
    { totalCents: 1200, taxCents: 200, nextTotalCents: 1200 },
    { totalCents: 3000, taxCents: 500 },
  ])
  assert.deepEqual(await prices('US'), [
    { totalCents: 1000, taxCents: 0, nextTotalCents: 1000 },
    { totalCents: 2500, taxCents: 0 },
  ])
})
