import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import { checkOut, saveCard } from '#test/checkout.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { serviceSettings } from '../src/areas/services/settings.ts'

type Body = Answer['body']

/** What gives value, asked for twice at the same instant by those who may: it is given once. */
const shop = await gameShop()
const { app, admin, catalog, db, tenantId, gatewayId } = shop
await transact(db, (tx) =>
  tx
    .insertInto('tenants.settings')
    .values({
      ...{ tenantId, section: serviceSettings.name, values: json({ creditOnCancel: true }) },
      updatedAt: app.deps.clock.now(),
    })
    .execute(),
)
const large = await shop.server({}, { priceCents: 2500 })
const { plan } = await shop.server({ upgradeTargetIds: [large.product.id] })

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

/** Somebody with one active service, and the invoice that was paid for it. */
async function owner(): Promise<{ person: Person; path: string; invoice: Body; id: string }> {
  const person = await shop.customer()
  const { invoice } = await shop.buy(person, plan.id)
  const { id } = await shop.serviceBecame(person, 'active')
  return { person, path: `/v1/services/${id}`, invoice, id }
}

/** What went back to a person, to their card or as credit, in cents. */
async function refundedTo({ userId }: Person): Promise<number> {
  const { data } = (await admin.get(`/v1/admin/refunds?userId=${userId}`)).body
  const standing: Body[] = data.filter(({ state }: Body) => state !== 'failed')
  return standing.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

test('the last redemption of a coupon is used by one of ten checkouts at once', async () => {
  const { code } = await catalog.coupon({ maxRedemptions: 1 })
  const people = await Promise.all(Array.from({ length: 10 }, () => shop.customer()))
  for (const person of people) {
    await person.post('/v1/cart/items', { planId: plan.id })
    assert.equal((await person.put(`/v1/cart/coupons/${code}`)).status, 200)
  }
  const answers = await Promise.all(people.map((it) => checkOut(it, { gatewayId })))
  assert.deepEqual(statusesOf(answers), [201, ...Array(9).fill(422)])
})

test('one person in two tabs gets one trial', async () => {
  const trial = await catalog.offer({ trialDays: 7 })
  const person = await shop.customer()
  await saveCard(shop, person)
  const order = async () => {
    await person.post('/v1/cart/items', { planId: trial.plan.id })
    return checkOut(person, { gatewayId })
  }
  const answers = await Promise.all([order(), order(), order()])
  assert.ok(answers.some(({ status }) => status === 201))
  // Two of them in one cart are sold without a trial.
  const onTrial = await db
    .selectFrom('services.services')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', person.userId)
    .where('trialDays', '>', 0)
    .execute()
  assert.ok(onTrial.length <= 1, `${onTrial.length} trials`)
})

test('staff who refund an invoice in two windows at once give its money back once', async () => {
  const { person, invoice } = await owner()
  const refund = () => admin.post(`/v1/admin/invoices/${invoice.id}/refund`, { to: 'credit' })
  const answers = await Promise.all([refund(), refund(), refund()])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, JSON.stringify(answers))
  assert.equal(await shop.creditOf(person), invoice.totalCents)
  await shop.assertSound()
})

test('a refund by staff and a withdrawal at the same instant give the money back once', async () => {
  for (const amountCents of [undefined, 1000]) {
    const { person, path, invoice } = await owner()
    const [refund, withdrawal] = await Promise.all([
      admin.post(`/v1/admin/invoices/${invoice.id}/refund`, { to: 'credit', amountCents }),
      person.post(`${path}/withdraw`),
    ])
    assert.ok([refund, withdrawal].some(({ status }) => status === 200))
    const back = await refundedTo(person)
    assert.ok(back > 0 && back <= invoice.totalCents, `${back} of ${invoice.totalCents}`)
    await shop.assertSound()
  }
})

test('a service that is canceled in three windows at once is credited once', async () => {
  const { person, path, invoice } = await owner()
  const cancel = () => person.post(`${path}/cancel`, { at: 'now' })
  const answers = await Promise.all([cancel(), cancel(), cancel()])
  assert.deepEqual(statusesOf(answers), [200, 409, 409])
  const credit = await shop.creditOf(person)
  assert.ok(credit > 0 && credit <= invoice.totalCents, String(credit))
  await shop.assertSound()
})

test('a service is canceled and withdrawn from at the same instant, and one of both pays back', async () => {
  const { person, path, invoice } = await owner()
  const answers = await Promise.all([
    person.post(`${path}/cancel`, { at: 'now' }),
    person.post(`${path}/withdraw`),
  ])
  assert.deepEqual(statusesOf(answers), [200, 409])
  const back = await refundedTo(person)
  assert.ok(back > 0 && back <= invoice.totalCents, String(back))
  await shop.assertSound()
})

test('an upgrade that is ordered and a cancellation at the same instant leave no server that nobody pays', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { person, path, invoice } = await owner()
    const wanted = { productId: large.product.id, gatewayId }
    const [canceled, ordered] = await Promise.all([
      person.post(`${path}/cancel`, { at: 'now' }),
      person.post(`${path}/upgrade`, wanted),
    ])
    assert.equal(canceled.status, 200, canceled.text)
    assert.ok([200, 409].includes(ordered.status), ordered.text)
    let paid = invoice.totalCents
    // The page of the upgrade was opened before: its money becomes credit.
    if (ordered.status === 200) {
      await shop.complete(ordered.body.payment.redirectUrl)
      await until('the money of the upgrade is known', async () => {
        const { data } = (await person.get('/v1/billing/invoices')).body
        return data.every(({ status }: Body) => status !== 'open')
      })
      paid += ordered.body.invoice.totalCents
    }
    await app.eventually('the service has ended', async () => {
      return (await person.get(path)).body.status === 'ended'
    })
    const service = (await person.get(path)).body
    assert.notEqual(service.product.id, large.product.id)
    await app.eventually('what was not used is back', async () => {
      const credit = await shop.creditOf(person)
      assert.ok(credit <= paid, `${credit} of ${paid}`)
      return credit >= paid - 5
    })
    await shop.assertSound()
  }
})

test('a renewal that is paid in the instant of the cancellation is given back as well', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { person, path, invoice } = await owner()
    const renewed = await person.post(`${path}/renew`, { gatewayId })
    assert.equal(renewed.status, 200, renewed.text)
    const cancel = () => person.post(`${path}/cancel`, { at: 'now' })
    const [canceled] = await Promise.all([
      cancel(),
      shop.complete(renewed.body.payment.redirectUrl),
    ])
    // Refused where the invoice is paid while it is being voided; nothing has changed then.
    if (canceled.status !== 200) {
      assert.deepEqual([canceled.status, canceled.body.code], [409, 'invoice_paid'])
      assert.equal((await cancel()).status, 200)
    }
    const paid = invoice.totalCents + renewed.body.invoice.totalCents
    await app.eventually('both periods are given back but for what was used', async () => {
      const credit = await shop.creditOf(person)
      assert.ok(credit <= paid, `${credit} of ${paid}`)
      return credit >= paid - 5
    })
    await shop.assertSound()
  }
})

test('credit that is paid out in two windows at once is taken once', async () => {
  const person = await shop.customer()
  const path = `/v1/admin/users/${person.userId}/credits`
  const gift = await admin.post(path, { amountCents: 1000, reason: 'A gift' })
  assert.equal(gift.status, 201, gift.text)
  const take = () => admin.post(path, { amountCents: -1000, reason: 'Paid out by bank transfer' })
  assert.deepEqual(statusesOf(await Promise.all([take(), take(), take()])), [201, 422, 422])
  assert.equal(await shop.creditOf(person), 0)
  await shop.assertSound()
})
