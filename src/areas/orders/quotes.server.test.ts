import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'

type Body = Answer['body']

const shop = await gameShop()
const { app, admin, db, gatewayId } = shop

const MANY = 8

const reprice = (plan: Body, priceCents: number) =>
  admin.patch(`/v1/admin/plans/${plan.id}`, { priceCents })

test('of many who pay what no longer holds at once, all are told of one invoice', async () => {
  const { plan } = await shop.server()
  const ada = await shop.customer()
  const { invoice } = await shop.order(ada, plan.id)
  await reprice(plan, 2000)
  const url = `/v1/billing/invoices/${invoice.id}/pay`
  const answers = await Promise.all(
    Array.from({ length: MANY }, () => ada.post(url, { gatewayId })),
  )
  assert.deepEqual(new Set(answers.map(({ body }) => body.code)), new Set(['quote_expired']))
  assert.equal(new Set(answers.map(({ body }) => body.details[0].message)).size, 1)
  assert.equal((await ada.get('/v1/billing/invoices')).body.data.length, 2)
})

test('money that comes while its order is being replaced is neither lost nor booked twice', async () => {
  const { plan } = await shop.server()
  const customers = await Promise.all(Array.from({ length: MANY }, () => shop.customer()))
  const bought = await Promise.all(
    customers.map(async (person) => ({ person, placed: await shop.order(person, plan.id) })),
  )
  await shop.control('delivery', { mode: 'hold' })
  for (const { placed } of bought) await shop.complete(placed.payment.redirectUrl)
  await reprice(plan, 500)
  await Promise.all(
    bought.flatMap(({ person, placed }, index) => {
      const { invoice, payment } = placed
      const pay = () => person.post(`/v1/billing/invoices/${invoice.id}/pay`, { gatewayId })
      const comeBack = () => app.get(`/v1/billing/return/${payment.id}`)
      return index % 2 === 0 ? [pay(), comeBack(), pay()] : [comeBack(), pay(), comeBack()]
    }),
  )
  await shop.control('delivery', { mode: 'auto' })
  await shop.settled()
  for (const { person, placed } of bought) {
    const order = await until('the order is fulfilled', async () => {
      const { body } = await person.get(`/v1/billing/orders/${placed.order.id}`)
      return body.status === 'fulfilled' && body
    })
    const { data } = (await person.get('/v1/billing/invoices')).body
    const [paid, ...others] = data.filter(({ status }: Body) => status === 'paid')
    assert.deepEqual([paid.id, others.length], [order.invoiceId, 0])
    assert.equal(paid.totalCents + (await shop.creditOf(person)), 1200)
    const payments = await db
      .selectFrom('billing.payments')
      .select('receivedCents')
      .where('userId', '=', person.userId)
      .execute()
    assert.deepEqual(payments, [{ receivedCents: 1200 }])
  }
  await shop.assertSound()
})
