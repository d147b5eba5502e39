import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { until } from '#test/app.ts'
import type { Answer } from '#test/client.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'

type Body = Answer['body']

const shop = await gameShop()
const { admin, app, catalog, gatewayId } = shop
const MANUAL = {
  ...{ delivery: 'manual', provisioning: null, promiseHours: 48 },
  instructions: 'Set up the voice server and note its address.',
}
const HOUR = 3600
const PASSWORD = 'correct horse battery staple'
const DETAILS = [
  { label: 'Address', value: 'voice.example.org:9987' },
  { label: 'Password', value: PASSWORD, secret: true },
]

afterEach(() => shop.assertSound())

const byHand = (product: object = {}, plan: object = {}) =>
  catalog.offer(plan, { name: 'Voice server', ...MANUAL, ...product })

const pendingOf = async (serviceId: string): Promise<Body[]> =>
  (await admin.get(`/v1/admin/tasks?state=pending&serviceId=${serviceId}`)).body.data

const taskOf = (serviceId: string, action: string): Promise<Body> =>
  until(`a task to ${action}`, async () =>
    (await pendingOf(serviceId)).find((it) => it.action === action),
  )

const noTaskOf = (serviceId: string) =>
  until('nothing is to be done', async () => (await pendingOf(serviceId)).length === 0)

const close = (task: Body, how: 'done' | 'fail' | 'claim', body: object = {}) =>
  admin.post(`/v1/admin/tasks/${task.id}/${how}`, body)

async function done(task: Body, details?: object[]): Promise<Body> {
  const { status, body, text } = await close(task, 'done', details ? { details } : {})
  assert.equal(status, 200, text)
  return body
}

/** A paid service, with the task to deliver it. */
async function ordered(planId: string, customer?: Person) {
  const buyer = customer ?? (await shop.customer())
  const placed = await shop.buy(buyer, planId)
  const service = await shop.serviceBecame(buyer, 'provisioning')
  const url = `/v1/services/${service.id}`
  const ours = `/v1/admin/services/${service.id}`
  const task = await taskOf(service.id, 'create')
  return { customer: buyer, service, url, ours, task, placed }
}

/** The same, delivered. */
async function delivered(planId: string, customer?: Person) {
  const bought = await ordered(planId, customer)
  await done(bought.task, DETAILS)
  await shop.serviceBecame(bought.customer, 'active')
  return bought
}

const noticesOf = async (customer: Person, kind: string): Promise<Body[]> =>
  (await customer.get('/v1/notifications')).body.data.filter((it: Body) => it.kind === kind)

const noticeOf = (customer: Person, kind: string): Promise<Body> =>
  until(`a notice ${kind}`, async () => (await noticesOf(customer, kind))[0])

const upTo = (rows: Body[]) => rows.map(({ path }) => path)

test('a product that staff deliver needs instructions and a promise to be published', async () => {
  const draft = await catalog.product({ delivery: 'manual', provisioning: null })
  assert.deepEqual(upTo(draft.publishFaults), ['plans', 'instructions', 'promiseHours'])
  assert.deepEqual(
    [draft.periodStarts, draft.taskActions],
    ['delivery', ['change', 'suspend', 'end']],
  )
  const { product } = await byHand()
  assert.deepEqual([product.sellable, product.publishFaults], [true, []])
  const { body: shown } = await app.get(`/v1/store/products/${product.id}`)
  assert.deepEqual([shown.delivery, shown.promiseHours], ['manual', 48])
  assert.equal('instructions' in shown, false)
})

test('revenue of what is not delivered is deferred as a whole, and is then earned over the period that it began', async () => {
  const { plan } = await byHand()
  const { task } = await ordered(plan.id)
  const deferred = async () => {
    const { status, body, text } = await admin.get('/v1/admin/reports/deferred-revenue')
    assert.equal(status, 200, text)
    return body.totals[0]?.deferredCents
  }
  await app.advance(40 * 24 * HOUR)
  assert.equal(await deferred(), 1000)
  await done(task)
  await app.advance(10 * 24 * HOUR)
  const left = await deferred()
  assert.ok(left > 640 && left < 690, `${left}`)
})

for (const locale of ['en', 'fr'] as const) {
  test(`V33 a manual product goes from order to details shown, suspension and end, with tasks and notices (${locale})`, async () => {
    const { plan } = await byHand()
    const customer = await shop.customer()
    assert.equal((await customer.patch('/v1/users/me', { locale })).status, 200)
    const { service, url, ours, task } = await ordered(plan.id, customer)
    const told = await noticeOf(customer, 'delivery_begun')
    assert.match(told.title, locale === 'en' ? /We are preparing/ : /Nous préparons/)
    assert.equal(task.instructions, MANUAL.instructions)
    assert.equal(task.customerEmail, customer.email)
    const promised = Date.parse(task.dueAt) - Date.parse(task.createdAt)
    assert.equal(promised, 48 * HOUR * 1000)
    const before = (await customer.get(url)).body
    assert.deepEqual(before.handover, {
      ...{ state: 'waiting', dueAt: task.dueAt, doneAt: null, hasDetails: false },
    })

    assert.equal((await close(task, 'claim')).body.state, 'claimed')
    const closed = await done(task, DETAILS)
    assert.deepEqual(closed.details, [
      { ...DETAILS[0], secret: false },
      { label: 'Password', value: null, secret: true },
    ])
    await shop.serviceBecame(customer, 'active')
    const ready = await noticeOf(customer, 'service_active')
    assert.match(ready.body, locale === 'en' ? /Its page shows/ : /Sa page contient/)
    assert.equal((await customer.get(url)).body.handover.hasDetails, true)
    assert.deepEqual((await customer.get(`${url}/handover`)).body.details, [
      { ...DETAILS[0], secret: false },
      DETAILS[1],
    ])

    assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
    await done(await taskOf(service.id, 'suspend'))
    await shop.serviceBecame(customer, 'suspended')
    await noticeOf(customer, 'service_suspended')
    assert.ok((await admin.post(`${ours}/unsuspend`)).status < 300)
    await done(await taskOf(service.id, 'resume'))
    await shop.serviceBecame(customer, 'active')

    assert.equal((await customer.post(`${url}/cancel`, { at: 'now' })).status, 200)
    const end = await taskOf(service.id, 'end')
    assert.equal((await customer.get(url)).body.status, 'active')
    await done(end)
    await shop.serviceBecame(customer, 'ended')
    await noticeOf(customer, 'service_ended')
    assert.deepEqual((await customer.get(`${url}/handover`)).body.details, [])
  })
}

test('V34 overdue tasks are counted under attention, with the moment that was promised', async () => {
  const { plan } = await byHand({ promiseHours: 2 })
  const { task } = await ordered(plan.id)
  const counted = async () =>
    (await admin.get('/v1/admin/attention')).body.items.find(
      (it: Body) => it.kind === 'task_overdue',
    )
  assert.equal(await counted(), undefined)
  await app.advance(2 * HOUR + 60)
  const found = await counted()
  assert.deepEqual([found.count, found.tone, found.deadlineAt], [1, 'failed', task.dueAt])
  const overdue = (await admin.get('/v1/admin/tasks?state=overdue')).body.data
  assert.deepEqual(
    overdue.map((it: Body) => [it.id, it.overdue]),
    [[task.id, true]],
  )
  await done(task)
  assert.equal(await counted(), undefined)
})

test('V42 periods that begin with the delivery are full periods, and the invoice stays as it was issued', async () => {
  const { plan } = await byHand()
  const { customer, url, task, placed } = await ordered(plan.id)
  const invoicePath = `/v1/billing/invoices/${placed.invoice.id}`
  const issued = (await customer.get(invoicePath)).body
  const waiting = (await customer.get(url)).body
  assert.deepEqual([waiting.currentPeriodStart, waiting.currentPeriodEnd], [null, null])
  await app.advance(50 * HOUR)
  await done(task)
  const active = (await customer.get(url)).body
  assert.equal(active.currentPeriodStart, `${active.activatedAt.slice(0, 19)}.000Z`)
  const start = new Date(active.currentPeriodStart)
  const end = new Date(start)
  end.setUTCMonth(start.getUTCMonth() + 1)
  assert.equal(active.currentPeriodEnd, end.toISOString())
  assert.deepEqual((await customer.get(invoicePath)).body, issued)
})

test('X43 a service paid on 1 March at 10:00 and delivered on 3 March at 15:00', async () => {
  const toDelivery = await byHand()
  const toPayment = await byHand({ periodStarts: 'payment' })
  const firstOfMarch = Date.UTC(new Date().getUTCFullYear() + 1, 2, 1, 10)
  const instantOf = () => Date.parse(app.deps.clock.now())
  await app.advance((firstOfMarch - instantOf()) / 1000)
  const later = await ordered(toDelivery.plan.id)
  const atOnce = await ordered(toPayment.plan.id)
  await app.advance((firstOfMarch - instantOf()) / 1000 + 53 * HOUR)
  await done(later.task)
  await done(atOnce.task)
  const minutesOf = ({ body }: Answer) => [
    body.currentPeriodStart.slice(4, 14),
    body.currentPeriodEnd.slice(4, 14),
  ]
  const shown = await later.customer.get(later.url)
  assert.deepEqual(minutesOf(shown), ['-03-03T15:', '-04-03T15:'])
  assert.deepEqual(minutesOf(await atOnce.customer.get(atOnce.url)), ['-03-01T10:', '-04-01T10:'])
  assert.equal(shown.body.nextInvoiceAt.slice(4, 14), '-03-27T15:')
})

test('a cancellation before the delivery pays everything back, and the delivery is canceled', async () => {
  const { plan } = await byHand()
  const { customer, service, url, placed } = await ordered(plan.id)
  const preview = (await customer.post(`${url}/cancel-preview`, { at: 'period_end' })).body
  assert.equal(preview.refundCents, placed.invoice.totalCents)
  assert.equal((await customer.post(`${url}/cancel`, { at: 'period_end' })).status, 200)
  await shop.serviceBecame(customer, 'ended')
  await noTaskOf(service.id)
  const { body: invoice } = await customer.get(`/v1/billing/invoices/${placed.invoice.id}`)
  assert.equal(invoice.creditedCents, invoice.totalCents)
})

test('a withdrawal while the task is claimed pays everything back; its staff cannot deliver any more and undo what they began', async () => {
  const { plan } = await byHand({ periodStarts: 'payment' })
  const { customer, service, url, task, placed } = await ordered(plan.id)
  assert.equal((await close(task, 'claim')).status, 200)
  const { status, body, text } = await customer.post(`${url}/withdraw`)
  assert.equal(status, 200, text)
  assert.equal(body.refundCents, placed.invoice.totalCents)
  const late = await close(task, 'done')
  assert.equal(late.status, 409, late.text)
  await done(await taskOf(service.id, 'end'))
  await shop.serviceBecame(customer, 'ended')
})

test('a task that is done twice at once is done once', async () => {
  const { plan } = await byHand()
  const { customer, task } = await ordered(plan.id)
  const answers = await Promise.all([close(task, 'done'), close(task, 'done'), close(task, 'done')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
  assert.equal((await noticesOf(customer, 'service_active')).length, 1)
})

test('a task that somebody else has claimed is theirs, until it is taken over', async () => {
  const { plan } = await byHand()
  const { task } = await ordered(plan.id)
  const other = await shop.customer()
  await app.deps.database.execute(
    'update services.tasks set claimed_by = $1, claimed_at = created_at where id = $2',
    [other.userId, task.id],
  )
  for (const how of ['claim', 'done', 'fail'] as const) {
    const { status, body } = await close(task, how, how === 'fail' ? { reason: 'No.' } : {})
    assert.deepEqual([status, body.code], [409, 'task_claimed'], how)
  }
  assert.equal((await close(task, 'claim', { takeOver: true })).status, 200)
  await done(task)
  const again = await close(task, 'claim')
  assert.deepEqual([again.status, again.body.code], [409, 'task_closed'])
})

test('a delivery that fails after the payment is told to its customer, who gets it later or their money', async () => {
  const { plan } = await byHand()
  const { customer, service, url, ours, task, placed } = await ordered(plan.id)
  const reason = 'The supplier has no servers left.'
  assert.equal((await close(task, 'fail', { reason })).body.failure, reason)
  const failed = (await customer.get(url)).body
  assert.deepEqual([failed.status, failed.handover.state], ['failed', 'failed'])
  const { body } = await noticeOf(customer, 'service_failed')
  assert.match(body, /deliver your service or refund you/)
  assert.doesNotMatch(JSON.stringify(failed), /supplier/)
  assert.equal((await admin.post(`${ours}/reprovision`)).status, 200)
  const again = await taskOf(service.id, 'create')
  assert.notEqual(again.id, task.id)
  const refunded = await admin.post(`${ours}/refund`, { to: 'payment' })
  assert.equal(refunded.body.refundCents, placed.invoice.totalCents, refunded.text)
  await shop.serviceBecame(customer, 'ended')
  await noTaskOf(service.id)
})

test('a suspension that is lifted while somebody works on it is taken back', async () => {
  const { plan } = await byHand()
  const { customer, service, ours } = await delivered(plan.id)
  assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
  const suspend = await taskOf(service.id, 'suspend')
  assert.equal((await close(suspend, 'claim')).status, 200)
  assert.ok((await admin.post(`${ours}/unsuspend`)).status < 300)
  const resume = await taskOf(service.id, 'resume')
  assert.equal((await close(suspend, 'done')).body.code, 'task_closed')
  await done(resume)
  await shop.serviceBecame(customer, 'active')
  await noTaskOf(service.id)
})

test('a suspension nobody has begun is forgotten when it is lifted', async () => {
  const { plan } = await byHand()
  const { service, ours } = await delivered(plan.id)
  assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
  await taskOf(service.id, 'suspend')
  assert.ok((await admin.post(`${ours}/unsuspend`)).status < 300)
  await noTaskOf(service.id)
})

test('a suspension that cannot be made waits under attention, and is asked for again', async () => {
  const { plan } = await byHand()
  const { service, ours } = await delivered(plan.id)
  assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
  const task = await taskOf(service.id, 'suspend')
  assert.equal((await close(task, 'fail', { reason: 'No access.' })).status, 200)
  const { data } = (await admin.get('/v1/admin/services/troubled?kind=transition')).body
  assert.ok(data.some((it: Body) => it.id === service.id))
  assert.equal((await admin.post(`${ours}/retry`)).status, 200)
  await done(await taskOf(service.id, 'suspend'))
})

test('what a product does not leave to staff is recorded at once', async () => {
  const { plan } = await byHand({ taskActions: [] })
  const { customer, service, url, ours } = await delivered(plan.id)
  assert.ok((await admin.post(`${ours}/suspend`)).status < 300)
  await shop.serviceBecame(customer, 'suspended')
  assert.ok((await admin.post(`${ours}/unsuspend`)).status < 300)
  await shop.serviceBecame(customer, 'active')
  assert.equal((await customer.post(`${url}/cancel`, { at: 'now' })).status, 200)
  await shop.serviceBecame(customer, 'ended')
  assert.deepEqual(await pendingOf(service.id), [])
})

test('a change to another product is a task, and what cannot be changed is paid back as credit', async () => {
  const large = await byHand({ name: 'Voice server XL' }, { priceCents: 3000 })
  const small = await byHand({ upgradeTargetIds: [large.product.id] })
  const change = async (customer: Person, url: string) => {
    const wanted = { productId: large.product.id, gatewayId }
    const { status, body, text } = await customer.post(`${url}/upgrade`, wanted)
    assert.equal(status, 200, text)
    await shop.complete(body.payment.redirectUrl)
  }
  const first = await delivered(small.plan.id)
  await change(first.customer, first.url)
  const task = await taskOf(first.service.id, 'change')
  assert.equal(task.change.productName, 'Voice server XL')
  assert.equal((await first.customer.get(first.url)).body.product.id, small.product.id)
  await done(task)
  assert.equal((await first.customer.get(first.url)).body.product.id, large.product.id)

  const second = await delivered(small.plan.id)
  await change(second.customer, second.url)
  const other = await taskOf(second.service.id, 'change')
  assert.equal((await close(other, 'fail', { reason: 'Sold out.' })).status, 200)
  assert.equal((await second.customer.get(second.url)).body.product.id, small.product.id)
  assert.ok((await shop.creditOf(second.customer)) > 0)
})

test('secrets of a delivery are for its owner only: sealed, and in no mail, notice, job or audit entry', async () => {
  const { plan } = await byHand()
  const { customer, service, url, task } = await delivered(plan.id)
  const stranger = await shop.customer()
  assert.equal((await stranger.get(`${url}/handover`)).status, 404)
  assert.equal((await stranger.get(`/v1/admin/tasks/${task.id}`)).status, 403)
  await shop.quiet()
  for (const path of [`/v1/admin/tasks/${task.id}`, `/v1/admin/services/${service.id}`]) {
    assert.ok(!(await admin.get(path)).text.includes(PASSWORD), path)
  }
  const { rows: tables } = await app.deps.database.execute(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  for (const { name } of tables) {
    const { rows } = await app.deps.database.execute(
      `select 1 from ${name} as it where it::text like '%' || $1 || '%' limit 1`,
      [PASSWORD],
    )
    assert.equal(rows.length, 0, String(name))
  }
  const { rows } = await app.deps.database.execute(
    'select count(*)::int as count from services.handover_details where service_id = $1',
    [service.id],
  )
  assert.deepEqual(rows, [{ count: 2 }])
  assert.equal((await customer.get(url)).body.handover.state, 'done')
})

test('the export of a customer’s data has what they were handed over, without secrets', async () => {
  const { plan } = await byHand()
  const { customer, service } = await delivered(plan.id)
  const { status, body, text } = await customer.get('/v1/billing/export-data')
  assert.equal(status, 200, text)
  assert.deepEqual(body.data.services.handedOver, [
    { serviceId: service.id, label: 'Address', value: 'voice.example.org:9987', hidden: false },
    { serviceId: service.id, label: 'Password', value: null, hidden: true },
  ])
})

test('a delivery whose payment the bank took back is refused until it is paid', async () => {
  const { plan } = await byHand()
  const { customer, task, placed } = await ordered(plan.id)
  await app.deps.database.execute(`update billing.invoices set status = 'open' where id = $1`, [
    placed.invoice.id,
  ])
  const refused = await close(task, 'done')
  assert.deepEqual([refused.status, refused.body.code], [409, 'service_unpaid'])
  await app.deps.database.execute(`update billing.invoices set status = 'paid' where id = $1`, [
    placed.invoice.id,
  ])
  await done(task)
  await shop.serviceBecame(customer, 'active')
})
