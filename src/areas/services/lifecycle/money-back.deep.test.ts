import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { json, transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { checkOut } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { asOwner } from '#test/owner.ts'
import type { Person } from '#test/people.ts'
import { serviceSettings } from '../settings.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, db, tenantId, gatewayId, catalog, eggId, nodeId } = shop
const limits = { memoryMb: 256, diskMb: 512, cpuPercent: 10 }
const provisioning = { eggId, nodeIds: [nodeId], limits }
const large = await catalog.offer({ priceCents: 2500 }, { provisioning })
const yearly = await catalog.offer({ interval: 'year', priceCents: 9000 }, { provisioning })
const upgradeTargetIds = [large.product.id, yearly.product.id]
const small = await catalog.offer({ setupFeeCents: 500 }, { provisioning, upgradeTargetIds })
const dear = await catalog.plan(small.product.id, { priceCents: 3000 })

const DAY_SECONDS = 86_400

afterEach(() => shop.assertSound())

/**
 * Buys so many of each plan in one order, as before consent to an immediate start was asked for: a
 * withdrawal gives everything back. Answers its services, in the order of the plans.
 */
async function bought(planIds: readonly string[], quantity = 1, how: object = {}) {
  const person = await shop.customer()
  for (const planId of planIds) await person.post('/v1/cart/items', { planId, quantity })
  const { body } = await checkOut(person, { gatewayId, ...how })
  await shop.complete(body.payment.redirectUrl)
  const ids: string[] = body.order.items.flatMap((item: Body) => item.serviceIds)
  for (const id of ids) {
    // The panel is looked at again after some seconds, which need not go by.
    await app.eventually('it is active', async () => {
      if ((await serviceOf(person, id)).status === 'active') return true
      await app.advance(5)
      return false
    })
    await app.deps.database.execute(
      'update services.services set immediate_start = false where id = $1',
      [id],
    )
  }
  return { person, ids, invoice: body.invoice }
}

const serviceOf = async ({ get }: Person, id: string): Promise<Body> =>
  (await get(`/v1/services/${id}`)).body

async function changed({ person, id }: { person: Person; id: string }, { product, plan }: Body) {
  const wanted = { productId: product.id, planId: plan.id, gatewayId }
  const { body, text } = await person.post(`/v1/services/${id}/upgrade`, wanted)
  assert.ok(body.payment, text)
  await shop.complete(body.payment.redirectUrl)
  await until('the service is changed', async () => {
    const service = await serviceOf(person, id)
    return service.product.id === product.id
  })
  return body.invoice
}

async function withdrawn({ post }: Person, id: string): Promise<number> {
  const { status, body, text } = await post(`/v1/services/${id}/withdraw`)
  assert.equal(status, 200, text)
  return body.refundCents
}

/** Cancels a service at once in a shop that credits the time that is left; answers the credit. */
async function canceledForCredit(person: Person, id: string): Promise<number> {
  const section = serviceSettings.name
  const values = json({ creditOnCancel: true })
  const updatedAt = app.deps.clock.now()
  await transact(db, (tx) =>
    tx.insertInto('tenants.settings').values({ tenantId, section, values, updatedAt }).execute(),
  )
  try {
    const { status, text } = await person.post(`/v1/services/${id}/cancel`, { at: 'now' })
    assert.equal(status, 200, text)
  } finally {
    await transact(db, (tx) =>
      tx.deleteFrom('tenants.settings').where('section', '=', section).execute(),
    )
  }
  return shop.creditOf(person)
}

test('R4.8: who withdraws before anything began gets the setup fee back too', async () => {
  const { person, ids, invoice } = await bought([small.plan.id])
  assert.equal(invoice.totalCents, 1800)
  assert.equal(await withdrawn(person, ids[0] ?? ''), 1800)
})

test('of an order of several servers of one product, each is worth what it was bought for', async () => {
  const { person, ids, invoice } = await bought([small.plan.id, dear.id], 2)
  assert.equal(invoice.totalCents, 2 * 1800 + 2 * 3600)
  const refunds = []
  for (const id of ids) refunds.push(await withdrawn(person, id))
  assert.deepEqual(refunds, [1800, 1800, 3600, 3600])
})

test('one of several servers that was changed gets back what it was bought for as well', async () => {
  const { person, ids } = await bought([small.plan.id], 2)
  const [first = '', second = ''] = ids
  const { totalCents } = await changed({ person, id: second }, large)
  assert.deepEqual(
    [await withdrawn(person, second), await withdrawn(person, first)],
    [1800 + totalCents, 1800],
  )
})

test('who has changed to another cycle and withdraws gets all of it back, once', async () => {
  const { person, ids, invoice } = await bought([small.plan.id])
  const [id = ''] = ids
  await app.advance(1)
  const change = await changed({ person, id }, yearly)
  assert.equal(await withdrawn(person, id), invoice.totalCents + change.totalCents)
})

test('who changes to another cycle in the second of the purchase gets the setup fee back as well', async () => {
  const { person, ids, invoice } = await bought([small.plan.id])
  const [id = ''] = ids
  assert.equal(invoice.totalCents, 1800)
  const wanted = { productId: yearly.product.id, planId: yearly.plan.id, gatewayId }
  const { body: change } = await person.post(`/v1/services/${id}/upgrade`, wanted)
  // It takes longer than a second to have a server: the first month is moved to the change.
  const began = `(select anchor_at from services.upgrades where service_id = '${id}')`
  const { database } = app.deps
  await asOwner(
    database,
    `update services.periods set starts_at = ${began} where service_id = '${id}'`,
  )
  await shop.complete(change.payment.redirectUrl)
  await until('the service is changed', async () => {
    return (await serviceOf(person, id)).product.id === yearly.product.id
  })
  assert.equal(await withdrawn(person, id), invoice.totalCents + change.invoice.totalCents)
})

test('what was paid ahead before a change to another cycle comes back too', async () => {
  const { person, ids, invoice } = await bought([small.plan.id])
  const [id = ''] = ids
  const { body } = await person.post(`/v1/services/${id}/renew`, { gatewayId })
  await shop.complete(body.payment.redirectUrl)
  await shop.became(person, body.invoice.id, 'paid')
  await app.advance(1)
  const change = await changed({ person, id }, yearly)
  const paid = invoice.totalCents + body.invoice.totalCents + change.totalCents
  assert.equal(await withdrawn(person, id), paid)
})

test('what was held before a change to another cycle counts in what is left of the new one', async () => {
  const { person, ids } = await bought([dear.id])
  const [id = ''] = ids
  await app.advance(10 * DAY_SECONDS)
  await changed({ person, id }, yearly)
  const { currentPeriodStart: start, currentPeriodEnd: end } = await serviceOf(person, id)
  await app.advance(100 * DAY_SECONDS)
  const credit = await canceledForCredit(person, id)
  const [from, to, now] = [start, end, app.deps.clock.now()].map((at) => Date.parse(at))
  const left = ((to ?? 0) - (now ?? 0)) / ((to ?? 0) - (from ?? 0))
  assert.ok(Math.abs(credit - Math.round(10_800 * left)) <= 2, `${credit} of ${10_800 * left}`)
})

test('a change of a period that is over is not worth anything any more', async () => {
  const { person, ids } = await bought([dear.id])
  const [id = ''] = ids
  const between = await catalog.offer({ priceCents: 4000 }, { provisioning })
  const upgradeTargetIds = [between.product.id]
  await shop.admin.patch(`/v1/admin/products/${small.product.id}`, { upgradeTargetIds })
  await changed({ person, id }, between)
  const renewed = await person.post(`/v1/services/${id}/renew`, { gatewayId })
  await shop.complete(renewed.body.payment.redirectUrl)
  await shop.became(person, renewed.body.invoice.id, 'paid')
  const { currentPeriodEnd } = await serviceOf(person, id)
  await app.advance((Date.parse(currentPeriodEnd) - Date.parse(app.deps.clock.now())) / 1000 + 60)
  await app.eventually('the next period runs', async () => {
    return (await serviceOf(person, id)).currentPeriodStart === currentPeriodEnd
  })
  const credit = await canceledForCredit(person, id)
  assert.ok(credit > 4780 && credit <= 4800, String(credit))
})
