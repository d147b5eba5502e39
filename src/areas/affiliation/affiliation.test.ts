import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { areas } from '#app/areas.ts'
import { addCredit, invoicePaid, listPaidSales, openInvoice } from '#billing'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { emit } from '#platform/events.ts'
import { affiliate, broughtBy, commissionOf, referralOf, registered } from '#test/affiliates.ts'
import { until } from '#test/app.ts'
import { billingShop, documentOf } from '#test/billing-shop.ts'
import type { Person } from '#test/people.ts'
import { keepSettings } from '#test/settings.ts'
import { applyDispute } from '../billing/disputes/apply.ts'
import { makeDocument } from '../billing/work.ts'
import { matureCommissions } from './commissions/maturing.ts'
import { findCommissionOf } from './commissions/queries.ts'
import { affiliation } from './index.ts'

/** Everything but the making of documents: that takes long, and nothing here is about it. */
const paperless = areas.map((area) => ({
  ...area,
  jobs: (area.jobs ?? []).map((job) =>
    job.name === makeDocument.name ? { ...job, run: async () => {} } : job,
  ),
}))
const shop = await billingShop({ areas: paperless, config: { trustProxy: ['127.0.0.1'] } })
const { app, db, tenantId, admin, control } = shop
const DAY = 24 * 3600
type Moment = { kind: string }
const RECURRING = { payments: 'recurring' }

afterEach(async () => {
  await shop.assertSound()
  const found: string[] = []
  for await (const fault of affiliation.faults?.(db, tenantId, app.deps.files) ?? [])
    found.push(fault)
  assert.deepEqual(found, [])
  await keepSettings(app, 'affiliation', {})
})

/** An invoice that is paid as administrators note it: the quick way. */
async function paid(customer: Person, totalCents = 1200): Promise<string> {
  const { id } = await shop.invoice(customer, { totalCents })
  await markPaid(id)
  return id
}

async function markPaid(invoiceId: string): Promise<void> {
  const how = { gatewayId: shop.gatewayId, reference: newId() }
  const { status, text } = await admin.post(`/v1/admin/invoices/${invoiceId}/mark-paid`, how)
  assert.equal(status, 200, text)
}

async function paidByCard(customer: Person, how: object = {}): Promise<string> {
  const { invoice, url } = await shop.checkout(customer, 1200, how)
  if (url) await shop.complete(url)
  await shop.became(customer, invoice.id, 'paid')
  return invoice.id
}

async function totals(me: Person) {
  const { status, body, text } = await me.get('/v1/affiliation')
  assert.equal(status, 200, text)
  const { pendingCents, availableCents, convertedCents, reversedCents } = body
  return [pendingCents, availableCents, convertedCents, reversedCents]
}

/** Waits until the totals are these, while what is due matures. */
async function becomes(me: Person, expected: number[]): Promise<void> {
  let seen: number[] = []
  async function same() {
    await shop.inLedger((tx) => matureCommissions(tx, app.deps.clock.now(), 500))
    seen = await totals(me)
    return JSON.stringify(seen) === JSON.stringify(expected)
  }
  await until('the totals', same, { everyMs: 40 }).catch(() => assert.deepEqual(seen, expected))
}

/** Every job that is due has run. */
function idle() {
  return until(
    'no job waits',
    async () => {
      const { rows } = await app.deps.database.execute(
        `select count(*)::int as count from jobs.job
       where state in ('created', 'retry', 'active') and start_after <= now()
         and name like 'affiliation.%'`,
      )
      return rows[0]?.count === 0
    },
    { everyMs: 40 },
  )
}

async function noCommission(invoiceId: string): Promise<void> {
  await idle()
  assert.equal(await findCommissionOf(db, { tenantId, invoiceId }), undefined)
}

async function refund(invoiceId: string, body: object = {}): Promise<void> {
  const { status, text } = await admin.post(`/v1/admin/invoices/${invoiceId}/refund`, body)
  assert.equal(status, 200, text)
}

function give(to: Person, amountCents: number) {
  const eventId = newId()
  const gift = { eventId, key: `goodwill:${eventId}`, description: 'A gift', currency: 'EUR' }
  const amount = { amountCents: cents(amountCents) }
  return shop.inLedger((tx) =>
    addCredit(tx, { tenantId, userId: to.userId, ...gift, ...amount }, app.deps.clock.now()),
  )
}

async function kindsTold(me: Person): Promise<string[]> {
  const { data } = (await me.get('/v1/notifications')).body
  return data.map((it: { kind: string }) => it.kind).filter((it: string) => /^commission/.test(it))
}

test('E59: a card payment of 1200 earns 100, which can be used 30 days after it', async () => {
  const ada = await affiliate(shop)
  assert.match((await ada.get('/v1/affiliation')).body.link, /\/\?ref=[A-Z0-9]{8}$/)
  const bob = await broughtBy(shop, ada, { name: 'Bob Babbage' })
  const invoiceId = await paidByCard(bob)
  const made = await commissionOf(shop, invoiceId)
  assert.deepEqual([made.amountCents, made.baseCents, made.status], [100, 1000, 'pending'])
  const { paidAt } = (await bob.get(`/v1/billing/invoices/${invoiceId}`)).body
  assert.equal(Date.parse(made.availableAt) - Date.parse(paidAt), 30 * DAY * 1000)
  assert.deepEqual(await totals(ada), [100, 0, 0, 0])
  await app.advance(30 * DAY - 60)
  await idle()
  assert.deepEqual(await totals(ada), [100, 0, 0, 0])
  await app.advance(120)
  await app.eventually('it has matured', async () => (await totals(ada))[1] === 100)
  await until('she is told', async () => (await kindsTold(ada)).length === 2)
  assert.deepEqual(await kindsTold(ada), ['commission_available', 'commission_earned'])
  const [seen] = (await ada.get('/v1/affiliation/referrals')).body.data
  assert.equal(seen.name, 'B***')
  const own = await ada.get('/v1/affiliation/commissions?status=available')
  assert.equal(own.body.data[0].invoiceId, invoiceId)
  assert.ok(!own.text.includes(bob.userId), 'who paid is not told')
  const { affiliation: data } = (await ada.get('/v1/billing/export-data')).body.data
  assert.deepEqual([data.affiliation.code, data.referrals[0].name], [ada.code, 'B***'])
  assert.equal(data.commissions[0].amountCents, 100)
  const timeline = await admin.get(`/v1/admin/users/${ada.userId}/timeline?limit=100`)
  const earned = timeline.body.data.find((it: Moment) => it.kind.endsWith('commission-earned'))
  assert.deepEqual([earned.objectId, earned.detail], [invoiceId, '100 EUR'])
})

test('E60: what credit pays earns nothing: 300 of 1200 by credit earns 75', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  await give(bob, 300)
  const made = await commissionOf(shop, await paidByCard(bob, { useCredits: true }))
  assert.deepEqual([made.cashCents, made.baseCents, made.amountCents], [900, 750, 75])
  const eve = await broughtBy(shop, ada)
  await give(eve, 1200)
  await noCommission(await paidByCard(eve, { useCredits: true }))
})

test('E61: refunds of 400 and 800 of 1200 reverse 42 and then 83 of 125 (hardening 41)', async () => {
  await keepSettings(app, 'affiliation', { commissionBasisPoints: 1250 })
  const ada = await affiliate(shop)
  const invoiceId = await paid(await broughtBy(shop, ada))
  assert.equal((await commissionOf(shop, invoiceId)).amountCents, 125)
  await refund(invoiceId, { amountCents: 400 })
  await becomes(ada, [83, 0, 0, 42])
  await refund(invoiceId, { amountCents: 800 })
  await becomes(ada, [0, 0, 0, 125])
  const { status } = await commissionOf(shop, invoiceId)
  assert.equal(status, 'reversed')
  assert.ok((await kindsTold(ada)).includes('commission_reversed'))
})

test('E62, E58: 1999 are not converted, 2000 are, and the books say so (hardening 41)', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  await keepSettings(app, 'affiliation', { ...RECURRING, holdDays: 0 })
  await paid(bob, 23_988)
  await becomes(ada, [0, 1999, 0, 0])
  for (const body of [{}, { amountCents: 1999 }]) {
    const refused = await ada.post('/v1/affiliation/convert', body)
    assert.deepEqual([refused.status, refused.body.code], [422, 'below_minimum'])
  }
  const above = await ada.post('/v1/affiliation/convert', { amountCents: 2000 })
  assert.deepEqual([above.status, above.body.code], [422, 'above_available'])
  await paid(bob, 12)
  await becomes(ada, [0, 2000, 0, 0])
  const { status, body } = await ada.post('/v1/affiliation/convert')
  const left = { availableCents: 0, balanceCents: 2000, currency: 'EUR' }
  assert.deepEqual([status, body], [200, { convertedCents: 2000, ...left }])
  assert.equal(await shop.creditOf(ada), 2000)
  assert.deepEqual(await totals(ada), [0, 0, 2000, 0])
  await paid(bob, 60_000)
  await becomes(ada, [0, 5000, 2000, 0])
  const part = await ada.post('/v1/affiliation/convert', { amountCents: 2000 })
  assert.equal(part.body.availableCents, 3000)
  assert.equal(await shop.creditOf(ada), 4000)
})

test('E64: a converted commission that is reversed leaves a debt, which the next one fills (hardening 41)', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  await keepSettings(app, 'affiliation', { ...RECURRING, holdDays: 0 })
  const invoiceId = await paid(bob, 24_000)
  await becomes(ada, [0, 2000, 0, 0])
  assert.equal((await ada.post('/v1/affiliation/convert')).status, 200)
  await refund(invoiceId, { amountCents: 480 })
  await becomes(ada, [0, -40, 2000, 40])
  assert.equal(await shop.creditOf(ada), 2000, 'credit is left alone')
  assert.equal((await ada.post('/v1/affiliation/convert')).body.code, 'below_minimum')
  await paid(bob, 1200)
  await becomes(ada, [0, 60, 2000, 40])
})

test('a lost chargeback takes the commission along, and a payment after it brings it back', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const invoiceId = await paidByCard(bob)
  await commissionOf(shop, invoiceId)
  const paymentIntent = await paymentOf(invoiceId)
  const { id } = await control('disputes', { paymentIntent })
  await until('the dispute', async () => {
    const { body } = await bob.get(`/v1/billing/invoices/${invoiceId}`)
    return body.disputed
  })
  await app.advance(31 * DAY)
  await idle()
  assert.deepEqual(await totals(ada), [100, 0, 0, 0], 'what is disputed does not mature')
  await control(`disputes/${id}/close`, { outcome: 'lost' })
  await becomes(ada, [0, 0, 0, 100])
  const again = await bob.post(`/v1/billing/invoices/${invoiceId}/pay`, {
    gatewayId: shop.gatewayId,
  })
  await shop.complete(again.body.redirectUrl)
  await becomes(ada, [0, 100, 0, 0])
})

test('a chargeback that is won changes nothing, and the commission matures after it', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const invoiceId = await paidByCard(bob)
  await commissionOf(shop, invoiceId)
  const { id } = await control('disputes', { paymentIntent: await paymentOf(invoiceId) })
  await app.advance(31 * DAY)
  await control(`disputes/${id}/close`, { outcome: 'won' })
  await becomes(ada, [0, 100, 0, 0])
  assert.ok(!(await kindsTold(ada)).includes('commission_reversed'))
})

/** What the provider calls the payment of an invoice. */
async function paymentOf(invoiceId: string): Promise<string> {
  const { providerPaymentId } = await db
    .selectFrom('billing.payments as payment')
    .innerJoin('billing.payment_allocations as part', 'part.paymentId', 'payment.id')
    .select('payment.providerPaymentId')
    .where('part.invoiceId', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return providerPaymentId
}

test('a chargeback that was lost and is won later restores the commission (R6.4)', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const invoiceId = await paidByCard(bob)
  await commissionOf(shop, invoiceId)
  const paymentId = await paymentOf(invoiceId)
  const amount = { amountCents: cents(1200), currency: 'EUR' }
  const about = { disputeId: `du_${newId()}`, payment: { paymentId }, amount, reason: 'general' }
  const none = cents(0)
  const says = (state: 'needs_response' | 'lost' | 'won', fundsHeldCents = none) => {
    const observedAt = app.deps.clock.now()
    const fee = { feeCents: none, feeCurrency: 'EUR', observedAt }
    const gateway = { tenantId, gatewayId: shop.gatewayId }
    const snapshot = { ...about, ...fee, state, fundsHeldCents }
    return shop.inLedger((tx) => applyDispute(tx, gateway, snapshot, observedAt))
  }
  await says('needs_response', cents(1200))
  await idle()
  assert.deepEqual(await totals(ada), [100, 0, 0, 0])
  await says('lost', cents(1200))
  await becomes(ada, [0, 0, 0, 100])
  await says('won')
  await becomes(ada, [100, 0, 0, 0])
  await until('she is told', async () => (await kindsTold(ada)).includes('commission_restored'))
})

test('invariant 12: however often and late the events come, commission arises once', async () => {
  const ada = await affiliate(shop)
  const bob = await shop.buyer()
  const invoiceId = await paid(bob)
  await refund(invoiceId, { amountCents: 600 })
  await noCommission(invoiceId)
  await registered(shop, bob, { referralCode: ada.code })
  await becomes(ada, [50, 0, 0, 50])
  const event = { tenantId, userId: bob.userId, invoiceId, kind: 'checkout' as const }
  await shop.inLedger(async (tx) => {
    for (let told = 0; told < 5; told += 1) {
      await emit(tx, invoicePaid, { ...event, reference: null })
    }
  })
  await idle()
  assert.deepEqual(await totals(ada), [50, 0, 0, 50])
  assert.deepEqual(await listPaidSales(db, { tenantId, userId: bob.userId }), [invoiceId])
})

test('commission is for the first payment alone, unless later ones are wanted', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  await commissionOf(shop, await paid(bob))
  await noCommission(await paid(bob))
  await keepSettings(app, 'affiliation', { ...RECURRING, recurringMonths: 2 })
  const third = await paid(bob)
  assert.equal((await commissionOf(shop, third)).amountCents, 100)
  await app.advance(63 * DAY)
  await noCommission(await paid(bob))
})

test('a customer who earned something in another system has had their first payment', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  await app.deps.database.execute(
    'update affiliation.referrals set earned_elsewhere_at = $1 where user_id = $2',
    [app.deps.clock.now(), bob.userId],
  )
  await noCommission(await paid(bob))
  await keepSettings(app, 'affiliation', RECURRING)
  assert.equal((await commissionOf(shop, await paid(bob))).amountCents, 100)
})

test('bought credit earns nothing, a suspended affiliate and a closed programme earn nothing', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const bought = { amountCents: 5000, gatewayId: shop.gatewayId }
  const topUp = (await bob.post('/v1/billing/credits/top-up', bought)).body
  await shop.complete(topUp.payment.redirectUrl)
  await shop.became(bob, topUp.invoice.id, 'paid')
  await noCommission(topUp.invoice.id)
  const url = `/v1/admin/affiliates/${ada.id}`
  const suspended = await admin.post(`${url}/suspend`, { reason: 'Spam' })
  assert.deepEqual([suspended.body.status, suspended.body.suspendedReason], ['suspended', 'Spam'])
  await noCommission(await paid(bob))
  const refused = await ada.post('/v1/affiliation/convert')
  assert.deepEqual([refused.status, refused.body.code], [409, 'affiliate_suspended'])
  assert.equal((await admin.post(`${url}/unsuspend`)).body.status, 'active')
  await keepSettings(app, 'affiliation', { enabled: false })
  await noCommission(await paid(bob))
  assert.equal((await bob.post('/v1/affiliation')).body.code, 'affiliation_disabled')
  await keepSettings(app, 'affiliation', {})
  await commissionOf(shop, await paid(bob))
})

const SELVES: [string, { email?: string }, { email?: string }, string][] = [
  ['mailbox', { email: 'selma@example.org' }, { email: 'selma+me@example.org' }, 'same_email'],
  ['VAT number', {}, {}, 'same_vat_number'],
  ['card', {}, {}, 'same_payment_method'],
]

for (const [what, one, other, refusal] of SELVES) {
  test(`nobody earns on themselves: the same ${what} is found, and stays refused (R6.2)`, async () => {
    const ada = await affiliate(shop, { country: 'FR', ...one })
    const bob = await broughtBy(shop, ada, { country: 'FR', ...other })
    if (what === 'VAT number') {
      for (const me of [ada, bob]) {
        const patched = await me.patch('/v1/users/me', { vatNumber: 'FR40303265045' })
        assert.equal(patched.status, 200, patched.text)
      }
    }
    if (what === 'card') await paidByCard(ada)
    await noCommission(await (what === 'card' ? paidByCard(bob) : paid(bob)))
    const { body } = await admin.get(`/v1/admin/referrals?userId=${bob.userId}`)
    assert.equal(body.data[0].refusal, refusal)
    await app.deps.database.execute(
      'update users.users set vat_number = null, vat_status = $2 where id = $1',
      [bob.userId, 'none'],
    )
    await noCommission(await paid(bob))
  })
}

test('a household is flagged, waits for somebody to look, and is approved or rejected', async () => {
  await keepSettings(app, 'affiliation', { ...RECURRING, holdDays: 0 })
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const address = { line1: '1 rue de la Paix', postcode: '69001', city: 'Lyon', country: 'FR' }
  for (const me of [ada, bob]) await me.patch('/v1/users/me', { address })
  const [good, bad] = [await paid(bob), await paid(bob)]
  const flagged = await commissionOf(shop, good)
  assert.deepEqual(flagged.flags, ['same_address'])
  await commissionOf(shop, bad)
  await becomes(ada, [200, 0, 0, 0])
  const waiting = await admin.get(`/v1/admin/commissions?toReview=true&affiliateId=${ada.id}`)
  assert.equal(waiting.body.data.length, 2)
  const approved = await admin.post(`/v1/admin/commissions/${flagged.id}/approve`)
  assert.equal(approved.body.reviewedBy, admin.userId)
  await becomes(ada, [100, 100, 0, 0])
  const { id } = await commissionOf(shop, bad)
  const rejected = await admin.post(`/v1/admin/commissions/${id}/reject`)
  assert.equal(rejected.body.status, 'reversed')
  assert.deepEqual(await totals(ada), [0, 100, 0, 100])
  const again = await admin.post(`/v1/admin/commissions/${id}/approve`)
  assert.deepEqual([again.status, again.body.code], [409, 'commission_rejected'])
  const once = await admin.post(`/v1/admin/commissions/${flagged.id}/approve`)
  assert.equal(once.body.code, 'commission_not_flagged')
  await refund(bad, { amountCents: 100 })
  await idle()
  assert.deepEqual(await totals(ada), [0, 100, 0, 100], 'what is rejected stays so')
})

test('a product earns what is set for it, and the usual again when that is taken away', async () => {
  await keepSettings(app, 'affiliation', RECURRING)
  const { status, body: product } = await admin.post('/v1/admin/products', { name: 'Rated' })
  assert.equal(status, 201)
  const url = `/v1/admin/commission-rates/${product.id}`
  const set = await admin.put(url, { type: 'fixed', amountCents: 250 })
  assert.deepEqual([set.status, set.body.currency, set.body.amountCents], [200, 'EUR', 250])
  const changed = await admin.put(url, { type: 'percent', percentBasisPoints: 2000 })
  assert.deepEqual([changed.body.id, changed.body.amountCents], [set.body.id, null])
  assert.equal((await admin.put(url, { type: 'percent' })).status, 400)
  const [listed] = (await admin.get('/v1/admin/commission-rates')).body.data
  assert.equal(listed.percentBasisPoints, 2000)
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  assert.equal(await earnedOn(product.id, bob), 200)
  await admin.put(url, { type: 'fixed', amountCents: 250 })
  assert.equal(await earnedOn(product.id, bob), 250)
  assert.equal((await admin.delete(url)).status, 200)
  assert.equal((await admin.delete(url)).status, 404)
  assert.equal(await earnedOn(product.id, bob), 100)
})

/** What a sale of 1200 of a product earns whoever brought the customer. */
async function earnedOn(productId: string, { userId }: Person): Promise<number> {
  const now = app.deps.clock.now()
  const plain = documentOf([{ totalCents: 1200, rate: 2000 }])
  const document = { ...plain, lines: plain.lines.map((line) => ({ ...line, productId })) }
  const about = { tenantId, userId, kind: 'manual' as const, reference: newId(), dueAt: now }
  const { id } = await shop.inLedger((tx) => openInvoice(tx, { ...about, document }, now))
  await markPaid(id)
  return (await commissionOf(shop, id)).amountCents
}

test('the list of what is to be paid is safe to open, and has those with something', async () => {
  await keepSettings(app, 'affiliation', { holdDays: 0 })
  const [ada, poor] = [await affiliate(shop, { name: '=cmd|x' }), await affiliate(shop)]
  await paid(await broughtBy(shop, ada))
  await becomes(ada, [0, 100, 0, 0])
  const { status, text, headers } = await admin.get('/v1/admin/affiliates/payouts')
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /text\/csv/)
  const [head, ...lines] = text.trim().split('\r\n')
  assert.match(head ?? '', /^affiliateId,code,status,name,email/)
  const own = lines.filter((line) => line.includes(ada.code))
  assert.equal(own.length, 1)
  assert.match(own[0] ?? '', /,"'=cmd\|x",.*,EUR,0,100,0,0$/)
  assert.ok(!text.includes(poor.code))
  const rich = await admin.get('/v1/admin/affiliates/payouts?minimumCents=101')
  assert.ok(!rich.text.includes(ada.code))
})

test('an account ends with its commission given up, and its code closed', async () => {
  await keepSettings(app, 'affiliation', { ...RECURRING, holdDays: 0 })
  const login = { email: 'leaver@example.org', password: 'correct horse battery' }
  const account = await app.post('/v1/auth/register', { ...login, name: 'Lea Leaver' })
  const me = app.as(account.body.accessToken)
  const { body: own } = await me.post('/v1/affiliation')
  const bob = await broughtBy(shop, own)
  await paid(bob)
  await becomes({ ...bob, ...me }, [0, 100, 0, 0])
  await keepSettings(app, 'affiliation', RECURRING)
  const invoiceId = await paid(bob)
  await commissionOf(shop, invoiceId)
  const wish = { password: login.password }
  const kept = await me.delete('/v1/users/me', wish)
  assert.deepEqual([kept.status, kept.body.code], [409, 'commission_left'])
  const gone = await me.delete('/v1/users/me', { ...wish, forfeitCredit: true })
  assert.equal(gone.status, 200, gone.text)
  const { body } = await admin.get(`/v1/admin/affiliates/${own.id}`)
  assert.equal(body.status, 'closed')
  assert.deepEqual([body.totals[0].pendingCents, body.totals[0].availableCents], [0, 0])
  await refund(invoiceId)
  await idle()
  const late = await shop.buyer()
  await registered(shop, late, { referralCode: own.code })
  await idle()
  assert.equal(await referralOf(shop, late.userId), undefined)
  await noCommission(await paid(bob))
  const suspended = await admin.post(`/v1/admin/affiliates/${own.id}/suspend`)
  assert.equal(suspended.body.code, 'affiliate_closed')
})

test('everybody can read the terms before they enrol, also while nobody can', async () => {
  const terms = {
    ...{ enabled: true, commissionBasisPoints: 1000, payments: 'first', recurringMonths: 0 },
    ...{ holdDays: 30, attributionDays: 30, minimumCents: 2000, currency: 'EUR' },
  }
  const { status, body, text } = await app.get('/v1/affiliation/terms')
  assert.equal(status, 200, text)
  assert.deepEqual(body, terms)
  await keepSettings(app, 'affiliation', { enabled: false, commissionBasisPoints: 500 })
  const changed = (await app.get('/v1/affiliation/terms')).body
  assert.deepEqual(changed, { ...terms, enabled: false, commissionBasisPoints: 500 })
})
