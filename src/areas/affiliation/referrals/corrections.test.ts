import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { newId } from '#lib/id.ts'
import { affiliate, broughtBy, commissionOf, registered } from '#test/affiliates.ts'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { keepSettings } from '#test/settings.ts'
import { makeDocument } from '../../billing/work.ts'
import { invoiceSettled } from '../commissions/actions.ts'
import { findCommissionOf } from '../commissions/queries.ts'

/** Without the making of documents, which takes long. */
const paperless = areas.map((area) => ({
  ...area,
  jobs: (area.jobs ?? []).map((job) =>
    job.name === makeDocument.name ? { ...job, run: async () => {} } : job,
  ),
}))
const shop = await billingShop({ areas: paperless })
const { app, db, tenantId, admin } = shop
await keepSettings(app, 'affiliation', { payments: 'recurring' })

const path = ({ userId }: { userId: string }) => `/v1/admin/users/${userId}/referral`

async function correct(customer: Person, affiliateId: string | null, by = admin) {
  return by.put(path(customer), { affiliateId, reason: 'Named in a ticket' })
}

async function paid(customer: Person): Promise<string> {
  const { id } = await shop.invoice(customer, { totalCents: 1200 })
  const how = { gatewayId: shop.gatewayId, reference: newId() }
  const { status, text } = await admin.post(`/v1/admin/invoices/${id}/mark-paid`, how)
  assert.equal(status, 200, text)
  return id
}

/** Waits for the jobs of this area. */
function idle() {
  return until('no job waits', async () => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from jobs.job
       where state in ('created', 'retry', 'active') and start_after <= now()
         and name like 'affiliation.%'`,
    )
    return rows[0]?.count === 0
  })
}

async function earnsNothing(invoiceId: string): Promise<void> {
  await idle()
  assert.equal(await findCommissionOf(db, { tenantId, invoiceId }), undefined)
}

async function leave({ userId, email }: Person): Promise<void> {
  await givePassword(app, userId)
  const { body } = await app.post('/v1/auth/login', { email, password: PASSWORD })
  const left = await app.as(body.accessToken).delete('/v1/users/me', { password: PASSWORD })
  assert.equal(left.status, 200, left.text)
}

async function referralsOf(me: Person): Promise<number> {
  const { status, body, text } = await me.get('/v1/affiliation')
  assert.equal(status, 200, text)
  assert.equal((await me.get('/v1/affiliation/referrals')).body.data.length, body.referralCount)
  return body.referralCount
}

test('after a correction the other affiliate earns; earned commission stays, and the log has both (R6.1)', async () => {
  const [ada, eve] = [await affiliate(shop), await affiliate(shop, { name: 'Eve Eden' })]
  const bob = await broughtBy(shop, ada)
  const before = await paid(bob)
  assert.equal((await commissionOf(shop, before)).affiliateId, ada.id)
  const { status, body, text } = await correct(bob, eve.id)
  assert.equal(status, 200, text)
  const { since: _, correctedAt, ...shown } = body
  assert.deepEqual(shown, {
    ...{ affiliateId: eve.id, name: 'Eve Eden', code: eve.code, source: 'staff' },
    ...{ refusal: null, refusedAt: null, reason: 'Named in a ticket' },
  })
  assert.ok(correctedAt)
  assert.deepEqual((await admin.get(path(bob))).body, body)
  assert.deepEqual([await referralsOf(ada), await referralsOf(eve)], [0, 1])
  await app.advance(60)
  assert.equal((await commissionOf(shop, await paid(bob))).affiliateId, eve.id)
  const refund = await admin.post(`/v1/admin/invoices/${before}/refund`, {})
  assert.equal(refund.status, 200, refund.text)
  await until('the refund is followed', async () => {
    const { affiliateId, status: state } = await commissionOf(shop, before)
    return affiliateId === ada.id && state === 'reversed'
  })
  const { body: log } = await admin.get(`/v1/admin/audit-logs?objectId=${bob.userId}&method=PUT`)
  assert.deepEqual(log.data[0].changes, [
    { path: 'affiliateId', before: ada.id, after: eve.id },
    { path: 'reason', before: null, after: 'Named in a ticket' },
  ])
  const { body: history } = await admin.get(`/v1/admin/users/${bob.userId}/timeline?limit=100`)
  const kinds = history.data.map(({ kind }: { kind: string }) => kind)
  assert.ok(kinds.includes('affiliation.referral-corrected'), kinds)
})

test('a customer without an affiliate gets one, for payments from then on only', async () => {
  const [ada, bob] = [await affiliate(shop), await shop.buyer()]
  const nobody = (await admin.get(path(bob))).body
  assert.deepEqual([nobody.affiliateId, nobody.correctedAt], [null, null])
  const before = await paid(bob)
  await earnsNothing(before)
  await app.advance(60)
  assert.equal((await correct(bob, ada.id)).status, 200)
  await shop.inLedger((tx) =>
    invoiceSettled(tx, { tenantId, invoiceId: before }, app.deps.clock.now()),
  )
  await earnsNothing(before)
  await app.advance(60)
  assert.equal((await commissionOf(shop, await paid(bob))).affiliateId, ada.id)
})

test('a removed affiliate earns nothing more, keeps what was earned, and does not come back', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const before = await paid(bob)
  await commissionOf(shop, before)
  const { status, body } = await correct(bob, null)
  assert.deepEqual([status, body.affiliateId, body.reason], [200, null, 'Named in a ticket'])
  assert.equal(await referralsOf(ada), 0)
  const { data } = (await admin.get(`/v1/admin/referrals?userId=${bob.userId}`)).body
  assert.deepEqual(data, [])
  await registered(shop, bob, { referralCode: ada.code })
  await earnsNothing(await paid(bob))
  assert.equal((await admin.get(path(bob))).body.affiliateId, null)
  assert.equal((await commissionOf(shop, before)).reversedCents, 0)
  await app.advance(60)
  assert.equal((await correct(bob, ada.id)).status, 200)
  assert.equal(await referralsOf(ada), 1)
  await app.advance(60)
  assert.equal((await commissionOf(shop, await paid(bob))).affiliateId, ada.id)
})

test('an affiliate is not their own, also under another address, and must be there (R6.2)', async () => {
  const ada = await affiliate(shop, { email: 'ada@mailbox.example' })
  const again = await shop.buyer({ email: 'ada+games@mailbox.example' })
  for (const own of [ada, again]) {
    const { status, body } = await correct(own, ada.id)
    assert.deepEqual([status, body.code], [409, 'own_referral'])
  }
  const bob = await broughtBy(shop, ada)
  assert.equal((await correct(bob, newId())).status, 404)
  const gone = await affiliate(shop)
  await leave(gone)
  assert.equal((await correct(bob, gone.id)).body.code, 'affiliate_closed')
  assert.equal((await admin.put(path({ userId: newId() }), {})).status, 404)
  const unexplained = await admin.put(path(bob), { affiliateId: null })
  assert.equal(unexplained.status, 400)
  assert.equal((await admin.get(path(bob))).body.affiliateId, ada.id)
})

test('staff assign no customer to their own affiliate account', async () => {
  const clerk = await person(app, { permissions: ['affiliation:read', 'affiliation:write'] })
  const { body: own } = await clerk.post('/v1/affiliation')
  assert.ok(own.id, JSON.stringify(own))
  const bob = await shop.buyer()
  const refused = await correct(bob, own.id, clerk)
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'])
  assert.equal((await admin.get(path(bob))).body.affiliateId, null)
  assert.equal((await correct(bob, own.id)).status, 200)
})

test('only staff with the permission correct referrals, of their own shop', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  const eve = await affiliate(shop)
  const reader = await person(app, { permissions: ['affiliation:read', 'users:write'] })
  const writer = await person(app, { permissions: ['affiliation:write'] })
  const stranger = await person(app, {
    ...{ tenantId: await otherTenant(app, 'corrections.test'), admin: true },
  })
  const tried = [
    ...([[bob, 403] as const, [eve, 403] as const, [reader, 403] as const] as const),
    ...([[stranger, 404] as const] as const),
  ]
  for (const [caller, status] of tried) {
    assert.equal((await correct(bob, eve.id, caller)).status, status, caller.email)
  }
  assert.equal((await bob.get(path(bob))).status, 403)
  assert.equal((await reader.get(path(bob))).body.affiliateId, ada.id)
  assert.equal((await stranger.get(path(bob))).status, 404)
  assert.equal((await correct(bob, eve.id, writer)).status, 200)
})

test('the reason of a correction goes with the account of the customer, who cannot be corrected then', async () => {
  const ada = await affiliate(shop)
  const bob = await broughtBy(shop, ada)
  assert.equal((await correct(bob, null)).status, 200)
  await leave(bob)
  assert.equal((await admin.get(path(bob))).body.reason, null)
  assert.equal((await correct(bob, ada.id)).status, 404)
})
