import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockInvoice, openInvoice, refundInvoice } from '#billing'
import { commissionPostings, creditBalance, listWrongBalances, post } from '#ledger'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { documentOf } from '#test/billing-shop.ts'
import { type Person, person } from '#test/people.ts'
import { invoiceSettled } from './commissions/actions.ts'
import { matureCommissions } from './commissions/maturing.ts'
import { findCommissionOf } from './commissions/queries.ts'
import { insertReferral } from './referrals/queries.ts'

const app = await testApp(null)
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const admin = await person(app, { admin: true })
const now = () => app.deps.clock.now()
const currency = 'EUR'

/** Somebody with so much commission in the books that can be used. */
async function affiliateWith(amount: number): Promise<Person & { id: string; code: string }> {
  const made = await person(app)
  const { body } = await made.post('/v1/affiliation')
  const commission = { affiliateId: body.id, amountCents: cents(amount) }
  await transact(db, async (tx) => {
    const steps = [
      commissionPostings.commissionAccrued(commission),
      commissionPostings.commissionMatured(commission),
    ]
    for (const postings of steps) {
      const event = { kind: 'commission', postings }
      await post(tx, { tenantId, event, eventId: newId(), key: newId(), currency }, now())
    }
  })
  return { ...made, id: body.id, code: body.code }
}

function creditOf({ userId }: Person): Promise<number> {
  return creditBalance(db, { tenantId, userId, currency })
}

for (const [name, count] of [
  ['E63: of two conversions at once', 2],
  ['invariant 24: of 200 conversions at once', 200],
] as const) {
  test(`${name} one moves the money, and the others find nothing left (hardening 41)`, async () => {
    const ada = await affiliateWith(2500)
    const answers = await Promise.all(
      Array.from({ length: count }, () => ada.post('/v1/affiliation/convert')),
    )
    const done = answers.filter(({ status }) => status === 200)
    assert.equal(done.length, 1)
    assert.deepEqual(
      done.map(({ body }) => [body.convertedCents, body.availableCents, body.balanceCents]),
      [[2500, 0, 2500]],
    )
    for (const { status, body } of answers.filter((it) => it.status !== 200)) {
      assert.deepEqual([status, body.code], [422, 'below_minimum'])
    }
    assert.equal(await creditOf(ada), 2500)
    assert.deepEqual(await listWrongBalances(db, tenantId), [])
  })
}

test('of 5000 as many parts of 2000 are converted at once as there are', async () => {
  const ada = await affiliateWith(5000)
  const part = { amountCents: 2000 }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ada.post('/v1/affiliation/convert', part)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 2)
  assert.equal(await creditOf(ada), 4000)
})

test('a payout and a conversion at once never take more than there is', async () => {
  const ada = await affiliateWith(3000)
  const payout = (reference: string) =>
    admin.post(`/v1/admin/affiliates/${ada.id}/payouts`, {
      ...{ amountCents: 2000, currency, paidOn: '2020-01-01', method: 'SEPA', reference },
    })
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => payout(newId())),
    ...Array.from({ length: 5 }, () => ada.post('/v1/affiliation/convert', { amountCents: 2000 })),
  ])
  assert.equal(answers.filter(({ status }) => status < 300).length, 1)
  for (const { status } of answers.filter((it) => it.status >= 300)) assert.equal(status, 422)
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
})

test('a payout that is sent twenty times at once is booked once', async () => {
  const ada = await affiliateWith(9000)
  const body = { amountCents: 3000, currency, paidOn: '2020-01-01', method: 'SEPA' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      admin.post(`/v1/admin/affiliates/${ada.id}/payouts`, { ...body, reference: `R ${ada.id}` }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  assert.equal(new Set(answers.map((it) => it.body.id)).size, 1)
  assert.equal((await ada.get('/v1/affiliation')).body.availableCents, 6000)
})

test('who enrols twenty times at once has one code', async () => {
  const ada = await person(app)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada.post('/v1/affiliation')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(409)])
})

/** How many connections of this database wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  await until(`${count} to wait`, async () => {
    const { rows } = await app.deps.database.execute(
      `select count(distinct lock.pid)::int as count from pg_locks lock
       join pg_stat_activity activity on activity.pid = lock.pid
       where activity.datname = current_database() and not lock.granted`,
    )
    return rows[0]?.count === count
  })
}

/** A paid invoice of somebody who was brought; nobody has looked at its commission yet. */
async function soldBy({ id: affiliateId }: { id: string }): Promise<string> {
  const { userId } = await person(app)
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'T', mode: 'live', enabled: true, secrets: {} },
    settings: { holder: 'Shop', iban: 'DE89370400440532013000' },
  })
  assert.equal(gateway.status, 201, gateway.text)
  const document = documentOf([{ totalCents: 1200, rate: 2000 }])
  const about = { tenantId, userId, kind: 'manual' as const, reference: newId(), dueAt: now() }
  const { id } = await transact(db, (tx) => openInvoice(tx, { ...about, document }, now()))
  const how = { gatewayId: gateway.body.id, reference: newId() }
  const paid = await admin.post(`/v1/admin/invoices/${id}/mark-paid`, how)
  assert.equal(paid.status, 200, paid.text)
  await until('who listens found nobody', async () => {
    const { rows } = await app.deps.database.execute(
      `select count(*)::int as count from jobs.job
       where name = 'affiliation.earn-commission' and state in ('created', 'retry', 'active')`,
    )
    return rows[0]?.count === 0
  })
  const referral = { tenantId, id: newId(), affiliateId, userId, source: 'code' as const }
  await transact(db, (tx) =>
    insertReferral(tx, { ...referral, sharedOrigin: false, createdAt: now() }),
  )
  return id
}

test('commission that arises while its invoice is refunded waits, and sees the refund', async () => {
  const key = { tenantId, invoiceId: await soldBy(await affiliateWith(1)) }
  const { accrued } = await transact(db, async (tx) => {
    await lockInvoice(tx, key)
    const settled = transact(db, (other) => invoiceSettled(other, key, now()))
    await untilWaiting(1)
    await refundInvoice(tx, { ...key, to: 'credit', reason: { written: 'Not wanted' } }, now())
    return { accrued: () => settled }
  })
  await accrued()
  const commission = await findCommissionOf(db, key)
  assert.equal(commission?.amountCents, 100)
  assert.equal(commission?.reversedCents, 100)
})

test('twenty who hear of one payment at once make one commission', async () => {
  const key = { tenantId, invoiceId: await soldBy(await affiliateWith(1)) }
  await Promise.all(
    Array.from({ length: 20 }, () => transact(db, (tx) => invoiceSettled(tx, key, now()))),
  )
  const rows = await db
    .selectFrom('affiliation.commissions')
    .select('id')
    .where('invoiceId', '=', key.invoiceId)
    .execute()
  assert.equal(rows.length, 1)
})

test('what matures is taken by one run, and left alone by one that runs beside it', async () => {
  const key = { tenantId, invoiceId: await soldBy(await affiliateWith(1)) }
  await transact(db, (tx) => invoiceSettled(tx, key, now()))
  await app.deps.database.execute(
    'update affiliation.commissions set available_at = created_at where invoice_id = $1',
    [key.invoiceId],
  )
  const counts = await Promise.all(
    Array.from({ length: 8 }, () => transact(db, (tx) => matureCommissions(tx, now(), 100))),
  )
  assert.equal(counts.filter((count) => count > 0).length, 1)
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
})
