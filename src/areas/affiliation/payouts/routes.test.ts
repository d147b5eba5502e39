import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commissionPostings, listUnbalanced, listWrongBalances, post } from '#ledger'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const admin = await person(app, { admin: true })
const currency = 'EUR'
const SEPA = { currency, paidOn: '2020-01-31', method: 'SEPA transfer' }

async function affiliateWith(amount: number) {
  const made = await person(app)
  const { body } = await made.post('/v1/affiliation')
  const commission = { affiliateId: body.id, amountCents: cents(amount) }
  await transact(db, async (tx) => {
    for (const postings of [
      commissionPostings.commissionAccrued(commission),
      commissionPostings.commissionMatured(commission),
    ]) {
      const event = { kind: 'commission', postings }
      const named = { tenantId, event, eventId: newId(), key: newId(), currency }
      await post(tx, named, app.deps.clock.now())
    }
  })
  return { ...made, path: `/v1/admin/affiliates/${body.id}/payouts` }
}

test('what was paid out is listed, in the books, and cannot be converted', async () => {
  const ada = await affiliateWith(5000)
  const wanted = { ...SEPA, amountCents: 4000, reference: 'T-1' }
  const { status, body, text } = await admin.post(ada.path, wanted)
  assert.equal(status, 201, text)
  const { id, affiliateId, createdAt, ...shown } = body
  assert.deepEqual(shown, wanted)
  assert.deepEqual((await admin.get(ada.path)).body.data, [body])
  assert.equal((await ada.get('/v1/affiliation')).body.availableCents, 1000)
  const convert = await ada.post('/v1/affiliation/convert', { amountCents: 2000 })
  assert.deepEqual([convert.status, convert.body.code], [422, 'above_available'])
  const { rows } = await app.deps.database.execute(
    `select balance_cents::int as balance from ledger.balances balance
     join ledger.accounts account on account.id = balance.account_id
     where account.code = 'affiliatePayouts' and balance.tenant_id = $1`,
    [tenantId],
  )
  assert.deepEqual(rows, [{ balance: -4000 }])
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
})

test('the same payout sent again is the one that is booked, and another under its name is refused', async () => {
  const ada = await affiliateWith(5000)
  const wanted = { ...SEPA, amountCents: 1000, reference: 'T-2' }
  const first = await admin.post(ada.path, wanted)
  assert.deepEqual((await admin.post(ada.path, wanted)).body, first.body)
  const other = await affiliateWith(5000)
  for (const again of [
    await admin.post(ada.path, { ...wanted, amountCents: 1001 }),
    await admin.post(other.path, wanted),
  ]) {
    assert.deepEqual([again.status, again.body.code], [409, 'payout_reference_taken'])
  }
  assert.equal((await ada.get('/v1/affiliation')).body.availableCents, 4000)
})

test('more than is available, a day to come, and somebody of another shop are refused', async () => {
  const ada = await affiliateWith(1000)
  const over = await admin.post(ada.path, { ...SEPA, amountCents: 1001, reference: 'T-3' })
  assert.deepEqual([over.status, over.body.code], [422, 'above_available'])
  const late = { ...SEPA, paidOn: '2999-01-01', amountCents: 1, reference: 'T-4' }
  assert.equal((await admin.post(ada.path, late)).body.code, 'payout_in_future')
  const foreign = await otherTenant(app, 'payouts.test')
  const stranger = await person(app, { tenantId: foreign, admin: true })
  assert.equal((await stranger.get(ada.path)).status, 404)
  assert.equal((await stranger.post(ada.path, {})).status, 404)
  assert.equal((await ada.get(ada.path)).status, 403)
  assert.equal((await ada.get('/v1/affiliation')).body.availableCents, 1000)
})
