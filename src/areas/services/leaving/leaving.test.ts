import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instant, millis } from '#lib/time.ts'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import { asOwner } from '#test/owner.ts'
import type { Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'
import { faults } from '../faults.ts'

type Body = Answer['body']
type Customer = { person: Person; id: string; from: Instant }

const DAY_SECONDS = 86_400

const shop = await gameShop()
const { app, admin, db, tenantId, gatewayId } = shop
// What may be had before it is paid is no question here.
await keepSettings(app, 'orders', { hourlyNeedsMethod: false })
const { product, plan } = await shop.server()
const weekly = await shop.catalog.plan(product.id, { interval: 'week', priceCents: 700 })
const hourly = await shop.catalog.plan(product.id, {
  ...{ name: 'By the hour', interval: 'hour', priceCents: 999, priceMicros: 13_900 },
})

async function customer(planId: string, how: object = {}): Promise<Customer> {
  const person = await shop.customer()
  const placed = await shop.order(person, planId, how)
  if (placed.payment?.redirectUrl) await shop.complete(placed.payment.redirectUrl)
  const { id, currentPeriodStart: from } = await shop.serviceBecame(person, 'active')
  return { person, id, from }
}

/** Moves the clock on to so many seconds after the period began. */
async function reach({ from }: Customer, seconds: number): Promise<void> {
  const passed = (millis(app.deps.clock.now()) - millis(from)) / 1000
  await app.advance(Math.ceil(seconds - passed))
}

const invoicesOf = async ({ person }: Customer): Promise<Body[]> =>
  (await person.get('/v1/billing/invoices')).body.data
const notesOf = async ({ person }: Customer): Promise<Body[]> =>
  (await person.get('/v1/billing/credit-notes')).body.data

async function sent(of: Customer, what: string, body?: object): Promise<Body> {
  const { status, text, body: answer } = await of.person.post(`/v1/services/${of.id}/${what}`, body)
  assert.equal(status, 200, text)
  return answer
}

async function operated({ id }: Customer, what: string, body: object = {}): Promise<Body> {
  const answer = await admin.post(`/v1/admin/services/${id}/${what}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function faultsFound(): Promise<string[]> {
  const found = []
  for await (const fault of faults(db, tenantId)) found.push(fault)
  return found
}

/** The sums of the documents of a kind that a preview names. */
const named = ({ documents }: Body, kind: string): number[] =>
  documents.filter((it: Body) => it.kind === kind).map((it: Body) => it.totalCents)

test('E70: hours that were used are invoiced when the service is canceled now, as the preview said', async () => {
  const ada = await customer(hourly.id)
  await reach(ada, 20 * DAY_SECONDS - 60)
  const preview = await sent(ada, 'cancel-preview', { at: 'now' })
  assert.ok(preview.reasonCodes.includes('too_expensive'))
  await sent(ada, 'cancel', { at: 'now', reasonCode: 'too_expensive' })
  const [invoice] = await invoicesOf(ada)
  assert.deepEqual([invoice.netCents, invoice.totalCents], [667, 800])
  assert.deepEqual([preview.owedCents, named(preview, 'invoice')], [800, [800]])
  const { body } = await admin.get(`/v1/admin/services/${ada.id}`)
  assert.equal(body.cancelCode, 'too_expensive')
  await shop.assertSound()
})

test('R4.11: hours are billed when staff terminate, and when a consumer withdraws who asked to start at once', async () => {
  const [ada, bob] = [
    await customer(hourly.id),
    await customer(hourly.id, { immediateStart: true }),
  ]
  await reach(ada, 13 * DAY_SECONDS - 60)
  const preview = await operated(ada, 'terminate-preview', { reason: 'fraud' })
  await operated(ada, 'terminate', { reason: 'fraud' })
  const seen = await sent(bob, 'withdraw-preview')
  assert.equal((await sent(bob, 'withdraw')).refundCents, seen.refundCents)
  for (const [of, said] of [
    [ada, preview],
    [bob, seen],
  ] as const) {
    const [invoice] = await invoicesOf(of)
    assert.ok(Math.abs(invoice.netCents - 434) <= 2, String(invoice.netCents))
    assert.deepEqual([said.owedCents, said.refundCents], [invoice.totalCents, 0])
  }
})

test('R4.8: a consumer who never asked for an immediate start owes no hours', async () => {
  const ada = await customer(hourly.id)
  // As before consent to an immediate start was asked for.
  const forget = `update services.services set immediate_start = false where id = '${ada.id}'`
  assert.equal((await asOwner(app.deps.database, forget)).rowCount, 1)
  await reach(ada, 5 * DAY_SECONDS)
  assert.equal((await sent(ada, 'withdraw-preview')).owedCents, 0)
  await sent(ada, 'withdraw')
  assert.equal((await invoicesOf(ada)).filter(({ totalCents }) => totalCents > 0).length, 0)
})

test('E71: days of grace stay due when a service is canceled, now or at the end of a period that is over', async () => {
  const both = [await customer(weekly.id), await customer(weekly.id)]
  const [ada] = both
  assert.ok(ada)
  await reach(ada, 9 * DAY_SECONDS)
  for (const [index, of] of both.entries()) {
    const [renewal] = await app.eventually('it is invoiced', async () => {
      const invoices = await invoicesOf(of)
      return invoices.length === 2 && invoices
    })
    const at = index === 0 ? 'now' : 'period_end'
    const preview = await sent(of, 'cancel-preview', { at })
    await sent(of, 'cancel', { at })
    const { body: after } = await of.person.get(`/v1/billing/invoices/${renewal.id}`)
    assert.equal(after.status, 'open')
    assert.ok(Math.abs(after.dueCents - 240) <= 2, String(after.dueCents))
    const [note] = await notesOf(of)
    assert.deepEqual([note.totalCents, note.reason], [840 - after.dueCents, 'Canceled'])
    assert.deepEqual([preview.owedCents, preview.creditCents], [after.dueCents, 0])
    assert.deepEqual(named(preview, 'credit_note'), [note.totalCents])
    const paying = await of.person.post(`/v1/billing/invoices/${renewal.id}/pay`, { gatewayId })
    assert.equal(paying.status, 200, paying.text)
    await shop.complete(paying.body.redirectUrl)
    await shop.became(of.person, renewal.id, 'paid')
    assert.equal(await shop.creditOf(of.person), 0)
  }
  await shop.assertSound()
})

test('E48: a withdrawal returns what the preview said, and prepaid periods whole', async () => {
  const ada = await customer(plan.id, { immediateStart: true })
  const ahead = await ada.person.post(`/v1/services/${ada.id}/renew`, { gatewayId })
  await shop.complete(ahead.body.payment.redirectUrl)
  await shop.became(ada.person, ahead.body.invoice.id, 'paid')
  await reach(ada, 4 * DAY_SECONDS)
  const preview = await sent(ada, 'withdraw-preview')
  const { refundCents } = await sent(ada, 'withdraw')
  assert.equal(preview.refundCents, refundCents)
  assert.ok(refundCents > 1200 + 1000 && refundCents < 2 * 1200 - 100, String(refundCents))
  assert.deepEqual(named(preview, 'credit_note').toSorted(), [refundCents - 1200, 1200].toSorted())
  await shop.assertSound()
})

test('R4.8: a termination by staff in the grace period leaves due the amount of the preview', async () => {
  const ada = await customer(weekly.id)
  await reach(ada, 9 * DAY_SECONDS)
  const [renewal] = await app.eventually('it is invoiced', async () => {
    const invoices = await invoicesOf(ada)
    return invoices.length === 2 && invoices
  })
  const preview = await operated(ada, 'terminate-preview')
  await operated(ada, 'terminate')
  const { body: after } = await ada.person.get(`/v1/billing/invoices/${renewal.id}`)
  assert.ok(Math.abs(after.dueCents - 240) <= 2, String(after.dueCents))
  assert.deepEqual([preview.owedCents, preview.creditCents], [after.dueCents, 0])
  const notes = (await notesOf(ada)).map(({ totalCents }) => totalCents)
  assert.deepEqual(named(preview, 'credit_note'), notes)
  await shop.assertSound()
})

test('R4.8: if unused time is credited, a cancellation credits the amount of the preview', async () => {
  await keepSettings(app, 'services', { creditOnCancel: true })
  const ada = await customer(weekly.id)
  await reach(ada, 3.5 * DAY_SECONDS)
  const preview = await sent(ada, 'cancel-preview', { at: 'now' })
  await sent(ada, 'cancel', { at: 'now' })
  await keepSettings(app, 'services', {})
  const credit = await shop.creditOf(ada.person)
  assert.ok(Math.abs(credit - 420) <= 2, String(credit))
  assert.deepEqual([preview.owedCents, preview.creditCents, preview.refundCents], [0, credit, 0])
  assert.deepEqual(named(preview, 'credit_note'), [credit])
  await shop.assertSound()
})

test('a preview changes nothing, and belongs to the owner', async () => {
  const ada = await customer(plan.id)
  await sent(ada, 'cancel-preview', { at: 'period_end' })
  const { body } = await ada.person.get(`/v1/services/${ada.id}`)
  assert.deepEqual([body.status, body.cancelAtPeriodEnd], ['active', false])
  const stranger = await shop.customer()
  for (const [what, wanted] of [
    ['cancel-preview', { at: 'now' }],
    ['withdraw-preview', undefined],
  ] as const) {
    assert.equal((await stranger.post(`/v1/services/${ada.id}/${what}`, wanted)).status, 404)
  }
})

test('doctor: hours on no invoice, a period without a line, and an active service that nobody pays for are found', async () => {
  assert.deepEqual(await faultsFound(), [])
  const { database } = app.deps
  const ada = await customer(hourly.id)
  await reach(ada, 2 * DAY_SECONDS)
  await operated(ada, 'terminate')
  await app.eventually('it has ended', async () => {
    return (await ada.person.get(`/v1/services/${ada.id}`)).body.status === 'ended'
  })
  const bob = await customer(plan.id)
  assert.deepEqual(await faultsFound(), [])
  const breaks: [string, string, RegExp][] = [
    [
      'services',
      `invoiced_to = current_period_start - interval '1 day' where id = '${ada.id}'`,
      /hours/,
    ],
    ['services', `next_invoice_at = null where id = '${bob.id}'`, /no invoice is to come/],
    ['periods', `invoice_id = null where service_id = '${bob.id}'`, /no line/],
  ]
  for (const [index, [table, change, said]] of breaks.entries()) {
    assert.equal((await asOwner(database, `update services.${table} set ${change}`)).rowCount, 1)
    const found = await faultsFound()
    assert.equal(found.length, index + 1, found.join('\n'))
    assert.ok(
      found.some((it) => said.test(it)),
      found.join('\n'),
    )
  }
})

/** The faults of one service. */
async function faultsOf(id: string): Promise<string[]> {
  return (await faultsFound()).filter((it) => it.includes(id))
}

for (const delivery of ['manual', 'none'] as const) {
  test(`doctor: a service with the delivery ${delivery} that nobody pays for, and its period without a line, are found`, async () => {
    const manual = { instructions: 'Set up the voice server.', promiseHours: 24 }
    const kind = { delivery, provisioning: null, ...(delivery === 'manual' && manual) }
    const sold = await shop.catalog.offer({}, kind)
    const person = await shop.customer()
    await shop.buy(person, sold.plan.id)
    if (delivery === 'manual') {
      const { id: serviceId } = await shop.serviceBecame(person, 'provisioning')
      const task = await until('the task', async () => {
        const { body } = await admin.get(`/v1/admin/tasks?state=pending&serviceId=${serviceId}`)
        return body.data[0]
      })
      assert.equal((await admin.post(`/v1/admin/tasks/${task.id}/done`, {})).status, 200)
    }
    const { id } = await shop.serviceBecame(person, 'active')
    assert.deepEqual(await faultsOf(id), [])
    const { database } = app.deps
    const change = (table: string, what: string) =>
      asOwner(database, `update services.${table} set ${what} = '${id}'`)
    await change('services', 'next_invoice_at = null where id')
    assert.match((await faultsOf(id)).join(), /no invoice is to come/)
    await change('periods', 'invoice_id = null where service_id')
    assert.match((await faultsOf(id)).join(), /no line/)
  })
}

test('doctor: a service that was refunded after a failure and runs all the same is found', async () => {
  const { id } = await customer(plan.id)
  assert.deepEqual(await faultsOf(id), [])
  const change = `update services.provisioning set refunded_at = now() where service_id = '${id}'`
  assert.equal((await asOwner(app.deps.database, change)).rowCount, 1)
  assert.match((await faultsOf(id)).join(), /was refunded because it had failed, and it is active/)
})

for (const [renewed, terms] of [
  ['is renewed', "auto_renew = true, next_invoice_at = now() + interval '20 days'"],
  ['is not renewed', 'auto_renew = false, next_invoice_at = null'],
  ['is canceled', 'cancel_at_period_end = true, next_invoice_at = null'],
] as const) {
  test(`doctor: a service that ${renewed} and runs after its paid time with nothing due is found`, async () => {
    const { id } = await customer(plan.id)
    const over = async (days: number) => {
      const change = `update services.services set ${terms},
        current_period_start = now() - interval '40 days',
        current_period_end = now() - interval '${days} days' where id = '${id}'`
      assert.equal((await asOwner(app.deps.database, change)).rowCount, 1)
    }
    await over(0)
    assert.deepEqual(await faultsOf(id), [])
    await over(3)
    assert.match((await faultsOf(id)).join(), /is active, though its paid time ended/)
    await asOwner(
      app.deps.database,
      `update services.services set ended_at = now(), end_reason = 'completed' where id = '${id}'`,
    )
    assert.deepEqual(await faultsOf(id), [])
  })
}
