import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { listTrialBalance } from '#ledger'
import { DAY_MS, later } from '#lib/time.ts'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import type { Client } from '#test/client.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { keepSettings } from '#test/settings.ts'
import { voucherCodes } from '#test/vouchers.ts'
import { vouchers } from '../index.ts'

const shop = await billingShop()
const { app, admin, db, tenantId } = shop

const HOUR = 3600
const DAY = 24 * HOUR

afterEach(async () => {
  await shop.assertSound()
  for await (const fault of vouchers.faults?.(db, tenantId, app.deps.files) ?? [])
    assert.fail(fault)
})

function redeem(customer: Client, code: string, headers: Record<string, string> = {}) {
  return customer.post('/v1/billing/vouchers/redeem', { code }, { headers })
}

/** A code for an amount. */
async function codeOf(amountCents = 500, wanted: object = {}): Promise<string> {
  const [code = ''] = await voucherCodes(admin, { amountCents, ...wanted })
  return code
}

async function balances(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {}
  const at = app.deps.clock.now()
  for (const { code, balanceCents } of await listTrialBalance(db, { tenantId, at })) {
    sums[code] = (sums[code] ?? 0) + balanceCents
  }
  return sums
}

/** A customer deletes their account and gives up their credit. */
async function leave({ userId, email }: Person): Promise<void> {
  await givePassword(app, userId)
  const { body: session } = await app.post('/v1/auth/login', { email, password: PASSWORD })
  const body = { password: PASSWORD, forfeitCredit: true }
  const left = await app.as(session.accessToken).delete('/v1/users/me', body)
  assert.equal(left.status, 200, left.text)
}

const WRONG = '0000-0000-0000-0000'

test('a code becomes credit, however it is written, and its entry shows the last four characters', async () => {
  const ada = await shop.buyer()
  const code = await codeOf(2500)
  const { status, body } = await redeem(ada, ` ${code.toLowerCase().replaceAll('-', ' ')} `)
  assert.deepEqual(
    [status, body],
    [200, { amountCents: 2500, balanceCents: 2500, currency: 'EUR' }],
  )
  const { data } = (await ada.get('/v1/billing/credits')).body
  assert.deepEqual(
    data.map((it: Record<string, unknown>) => [it.kind, it.amountCents, it.description]),
    [['voucher_redeemed', 2500, `···· ${code.slice(-4)}`]],
  )
  const own = (await vouchers.personalData?.(db, ada)) as { redeemedVouchers: object[] }
  assert.equal(own.redeemedVouchers.length, 1)
})

test('X51: of 20 redemptions of one code at once, one gives credit and 19 are refused', async () => {
  const code = await codeOf(5000)
  const customers = await Promise.all(Array.from({ length: 10 }, () => shop.buyer()))
  const answers = await Promise.all([...customers, ...customers].map((it) => redeem(it, code)))
  const refused = answers.filter(({ status }) => status !== 200)
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    Array.from({ length: 19 }, () => [409, 'voucher_redeemed']),
  )
  const credits = await Promise.all(customers.map((it) => shop.creditOf(it)))
  assert.deepEqual(
    credits.sort((left, right) => right - left),
    [5000, ...Array.from({ length: 9 }, () => 0)],
  )
})

test('X53: a batch books nothing; each redemption books goodwill as credit', async () => {
  const before = await balances()
  const codes = await voucherCodes(admin, { amountCents: 500, count: 100 })
  assert.equal(codes.length, 100)
  assert.deepEqual(await balances(), before)
  const ada = await shop.buyer()
  for (const code of codes.slice(0, 3)) assert.equal((await redeem(ada, code)).status, 200)
  const after = await balances()
  const moved = (kind: string) => (after[kind] ?? 0) - (before[kind] ?? 0)
  assert.deepEqual([moved('goodwill'), moved('credit')], [1500, -1500])
  const others = Object.keys(after).filter((it) => it !== 'goodwill' && it !== 'credit')
  assert.ok(others.every((it) => moved(it) === 0))
})

test('credit of a voucher pays invoices, is refunded as credit only, and ends with the account', async () => {
  const ada = await shop.buyer()
  await redeem(ada, await codeOf(5000))
  const { invoice } = await shop.checkout(ada, 1200, { useCredits: true })
  await shop.became(ada, invoice.id, 'paid')
  assert.equal(await shop.creditOf(ada), 3800)
  const before = await balances()
  const body = { to: 'payment', amountCents: 1200 }
  const refunded = await admin.post(`/v1/admin/invoices/${invoice.id}/refund`, body)
  assert.equal(refunded.status, 200, refunded.text)
  assert.equal(await shop.creditOf(ada), 5000)
  assert.equal((await balances()).cash, before.cash)
  const { goodwill = 0 } = await balances()
  await redeem(ada, WRONG)
  await leave(ada)
  assert.equal((await balances()).goodwill, goodwill - 5000)
  const rows = await db
    .selectFrom('vouchers.attempts')
    .selectAll()
    .where('userId', '=', ada.userId)
    .execute()
  assert.deepEqual(rows, [])
})

test('a voucher in another currency is credit in that currency', async () => {
  const ada = await shop.buyer()
  const { body } = await redeem(ada, await codeOf(900, { currency: 'USD' }))
  assert.deepEqual(body, { amountCents: 900, balanceCents: 900, currency: 'USD' })
  assert.equal(await shop.creditOf(ada), 0)
})

test('an unknown code, one of another shop and text that cannot be a code get the same answer', async () => {
  const otherId = await otherTenant(app, 'vouchers-elsewhere.test')
  const stranger = await person(app, { tenantId: otherId, admin: true })
  const [foreign = ''] = await voucherCodes(stranger)
  const ada = await shop.buyer()
  const answers = []
  for (const code of [WRONG, foreign, 'UUUU-UUUU-UUUU-UUUU', 'x', '🎁', '    ', WRONG.repeat(5)]) {
    const { status, body } = await redeem(ada, code)
    answers.push(JSON.stringify([status, body]))
  }
  assert.equal(new Set(answers).size, 1)
  assert.match(answers[0] ?? '', /^\[404,.*"voucher_unknown"/)
  assert.equal((await redeem(await person(app, { tenantId: otherId }), foreign)).status, 200)
})

test('V46: the 11th code after ten wrong ones in an hour is a 429, a right one too', async () => {
  const ada = await shop.buyer()
  const code = await codeOf()
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await redeem(ada, WRONG)).status, 404)
  }
  for (const tried of [WRONG, code]) {
    const { status, body, headers } = await redeem(ada, tried)
    assert.deepEqual([status, body.code], [429, 'too_many_attempts'])
    const seconds = Number(headers['retry-after'])
    assert.ok(seconds > HOUR - 120 && seconds <= HOUR, String(seconds))
  }
  assert.equal((await redeem(await shop.buyer(), code)).status, 200)
  await app.advance(HOUR)
  assert.equal((await redeem(ada, await codeOf())).status, 200)
})

test('simultaneous wrong codes are all counted', async () => {
  const ada = await shop.buyer()
  const answers = await Promise.all(Array.from({ length: 25 }, () => redeem(ada, WRONG)))
  assert.equal(answers.filter(({ status }) => status === 404).length, 10)
  assert.equal(answers.filter(({ status }) => status === 429).length, 15)
})

test('the 30th wrong code in a day blocks the customer for 24 hours', async () => {
  const ada = await shop.buyer()
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 10; count += 1) await redeem(ada, WRONG)
    if (round < 2) await app.advance(HOUR)
  }
  await app.advance(23 * HOUR)
  const blocked = await redeem(ada, await codeOf())
  assert.equal(blocked.body.code, 'too_many_attempts')
  assert.ok(Number(blocked.headers['retry-after']) <= HOUR)
  await app.advance(HOUR)
  assert.equal((await redeem(ada, await codeOf())).status, 200)
  await app.advance(DAY)
  await until('no wrong codes are left', async () => {
    const rows = await db.selectFrom('vouchers.attempts').select('id').execute()
    return rows.length === 0
  })
})

test('wrong codes use up the authentication quota, and then right ones get the same answer', async (t) => {
  const limited = await billingShop({
    config: { rateLimits: { general: 100_000, auth: 3, person: 100_000 } },
  })
  t.after(() => limited.app.stop())
  const [code = ''] = await voucherCodes(limited.admin)
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await redeem(await limited.buyer(), WRONG)).status, 404)
  }
  const ada = await limited.buyer()
  for (const tried of [WRONG, code]) {
    const { status, body } = await redeem(ada, tried)
    assert.deepEqual([status, body.code], [429, 'rate_limited'])
  }
})

test('a customer redeems up to the limit of the shop within 24 hours, in each currency', async () => {
  await keepSettings(app, 'vouchers', { redeemedPerDayCents: 1000 })
  const ada = await shop.buyer()
  const codes = await voucherCodes(admin, { amountCents: 600, count: 2 })
  const [first = '', second = ''] = codes
  assert.equal((await redeem(ada, first)).status, 200)
  const refused = await redeem(ada, second)
  assert.deepEqual([refused.status, refused.body.code], [422, 'voucher_daily_limit'])
  assert.equal((await redeem(ada, await codeOf(400))).status, 200)
  assert.equal((await redeem(ada, await codeOf(1000, { currency: 'USD' }))).status, 200)
  await app.advance(DAY)
  assert.equal((await redeem(ada, second)).status, 200)
  await keepSettings(app, 'vouchers', {})
})

test('two codes at once do not exceed the daily limit together', async () => {
  await keepSettings(app, 'vouchers', { redeemedPerDayCents: 1000 })
  const ada = await shop.buyer()
  const codes = await voucherCodes(admin, { amountCents: 400, count: 5 })
  const answers = await Promise.all(codes.map((code) => redeem(ada, code)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 422, 422, 422])
  assert.equal(await shop.creditOf(ada), 800)
  await keepSettings(app, 'vouchers', {})
})

test('a code is refused from its last moment on, and accepted again once staff reopen it', async () => {
  const expiresAt = later(app.deps.clock.now(), DAY_MS)
  const [code = '', other = ''] = await voucherCodes(admin, { count: 2, expiresAt })
  const ada = await shop.buyer()
  await app.advance(DAY - 30)
  assert.equal((await redeem(ada, other)).status, 200)
  await app.advance(30)
  const late = await redeem(ada, code)
  assert.deepEqual([late.status, late.body.code], [409, 'voucher_expired'])
  const { data } = (await admin.get('/v1/admin/vouchers?state=expired')).body
  const { id } = data.find((it: { last4: string }) => it.last4 === code.slice(-4))
  const reopen = (body: object) => admin.post(`/v1/admin/vouchers/${id}/reopen`, body)
  const past = await reopen({ expiresAt })
  assert.deepEqual(past.body.details, [{ path: 'expiresAt', message: 'must be in the future' }])
  const reopened = await reopen({ expiresAt: later(app.deps.clock.now(), DAY_MS) })
  assert.equal(reopened.body.state, 'active', reopened.text)
  assert.equal((await reopen({ expiresAt: null })).body.code, 'voucher_not_reopenable')
  assert.equal((await redeem(ada, code)).status, 200)
})

test('a customer without a confirmed address redeems nothing, and neither do staff who view an account', async () => {
  const code = await codeOf()
  const unconfirmed = await shop.buyer({ verified: false })
  const refused = await redeem(unconfirmed, code)
  assert.deepEqual([refused.status, refused.body.code], [422, 'voucher_needs_confirmed_address'])
  const ada = await person(app)
  const staff = await person(app, { admin: true })
  const { status, body, text } = await staff.post(`/v1/admin/users/${ada.userId}/impersonate`, {
    reason: 'Asked for help',
  })
  assert.ok(status < 300, text)
  const viewing = await redeem(app.as(body.accessToken), code)
  assert.equal(viewing.status, 403, viewing.text)
  assert.equal((await redeem(ada, code)).status, 200)
})

test('a repetition with the same key gets the first answer', async () => {
  const ada = await shop.buyer()
  const code = await codeOf()
  const first = await redeem(ada, code, { 'idempotency-key': 'gift' })
  const again = await redeem(ada, code, { 'idempotency-key': 'gift' })
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(await shop.creditOf(ada), 500)
})

test('a deleted customer redeems nothing', async () => {
  const ada = await shop.buyer()
  await leave(ada)
  assert.equal((await redeem(ada, await codeOf())).status, 401)
})
