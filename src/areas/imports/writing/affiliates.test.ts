import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { areas } from '#app/areas.ts'
import { faultsIn } from '#app/doctor.ts'
import { DAY_MS, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { person } from '#test/people.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { database, clock } = app.deps
const admin = await person(app, { admin: true })
const PASSWORD = 'engine'
const password = createHash('md5').update(PASSWORD).digest('hex')

afterEach(async () => {
  const found: string[] = []
  for await (const fault of faultsIn(app.deps, areas)) found.push(fault)
  assert.deepEqual(found, [])
})

/** Somebody who came along, signed in with the password they had. */
async function signedIn(email: string): Promise<Client> {
  const { status, body, text } = await app.post('/v1/auth/login', { email, password: PASSWORD })
  assert.equal(status, 200, text)
  return app.as(body.accessToken)
}

async function totals(affiliate: Client, currency = 'EUR') {
  const { status, body, text } = await affiliate.get(`/v1/affiliation?currency=${currency}`)
  assert.equal(status, 200, text)
  return [body.pendingCents, body.availableCents]
}

const inDays = (days: number) => later(clock.now(), days * DAY_MS).slice(0, 10)

const affiliates = smallDump({
  tblcurrencies: [{}, { id: 2, code: 'GBP', default: 0 }],
  tblclients: [
    { id: 7, email: 'ada@example.com', password },
    // Another account of the same person, in another currency.
    { id: 8, email: 'ADA@example.com', currency: 2 },
    { id: 9, email: 'bob@example.com', password },
    { id: 10, email: 'eve@example.com' },
    { id: 11, email: 'nobody' },
  ],
  tblhosting: [
    { id: 1, userid: 9 },
    { id: 2, userid: 9 },
    { id: 3, userid: 10 },
    { id: 4, userid: 7, domainstatus: 'Terminated' },
  ],
  tblaffiliates: [
    { id: 3, clientid: 7, balance: '25.50', withdrawn: '12.00' },
    { id: 5, clientid: 8, balance: '-4.00' },
    { id: 6, clientid: 9, balance: '0.00' },
    { id: 8, clientid: 11, balance: '99.00' },
  ],
  tblaffiliatesaccounts: [
    { id: 1, affiliateid: 3, relid: 1 },
    { id: 2, affiliateid: 6, relid: 3 },
    { id: 3, affiliateid: 3, relid: 3 },
    { id: 4, affiliateid: 3, relid: 4 },
    { id: 5, affiliateid: 3, relid: 2 },
  ],
  tblaffiliateshistory: [
    { id: 1, affiliateid: 3, affaccid: 5, date: '2021-05-01', amount: '40.00' },
    {
      id: 2,
      affiliateid: 3,
      affaccid: 1,
      date: '2021-06-01',
      amount: '-2.50',
      description: 'Back',
    },
    { id: 3, affiliateid: 8, affaccid: 1, amount: '99.00' },
  ],
  tblaffiliatespending: [
    { id: 1, affaccid: 1, amount: '3.00', clearingdate: inDays(20) },
    { id: 2, affaccid: 1, amount: '1.00', clearingdate: inDays(40) },
  ],
  tblaffiliateswithdrawals: [{ id: 1, affiliateid: 3, date: '2022-01-01', amount: '12.00' }],
})

test('affiliates bring their balance, their history and whom they brought, and nobody is told', async () => {
  const { status, report } = await importDump(app, affiliates)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.deepEqual(report.controls.affiliates?.imported, {
    EUR: { count: 2, balanceCents: 2550, withdrawnCents: 1200 },
    GBP: { count: 1, balanceCents: -400, withdrawnCents: 0 },
  })
  assert.deepEqual(report.controls.affiliates?.skipped, {
    EUR: { count: 1, balanceCents: 9900, withdrawnCents: 0 },
  })
  const ada = await signedIn('ada@example.com')
  const { body } = await ada.get('/v1/affiliation')
  assert.deepEqual([body.code, body.referralCount], ['AFF3', 1])
  assert.deepEqual(
    [await totals(ada), await totals(ada, 'GBP')],
    [
      [400, 2550],
      [0, -400],
    ],
  )
  const history = (await ada.get('/v1/affiliation/imported-commissions')).body.data
  const kinds = history.map((it: { kind: string; amountCents: number }) => [
    it.kind,
    it.amountCents,
  ])
  assert.deepEqual(kinds.sort(), [
    ...[
      ['earned', -250],
      ['earned', 4000],
    ],
    ...[
      ['paid_out', 1200],
      ['pending', 100],
      ['pending', 300],
    ],
  ])
  const { data } = (await admin.get('/v1/admin/referrals?limit=100')).body
  assert.deepEqual(
    data.map((it: { email: string; source: string }) => [it.email, it.source]).sort(),
    [
      ['bob@example.com', 'imported'],
      ['eve@example.com', 'imported'],
    ],
  )
  const { rows } = await database.execute('select count(*)::int as count from notifications.mails')
  assert.equal(rows[0]?.count, 0)
})

test('the same affiliates again are known, and nothing is booked twice', async () => {
  const { status, report } = await importDump(app, affiliates)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  for (const name of ['affiliates', 'referrals', 'commissions', 'pendingCommissions', 'payouts']) {
    assert.equal(report.resources[name]?.imported, 0, name)
  }
  const ada = await signedIn('ada@example.com')
  assert.deepEqual(await totals(ada), [400, 2550])
})

test('what was pending there becomes available when it would have there, and nobody is told', async () => {
  await app.advance((20 * DAY_MS) / 1000)
  const ada = await signedIn('ada@example.com')
  await app.eventually('it is available', async () => (await totals(ada))[1] === 2850)
  assert.deepEqual(await totals(ada), [100, 2850])
  const { body } = await ada.post('/v1/affiliation/convert')
  assert.deepEqual([body.convertedCents, body.balanceCents], [2850, 2850])
  const { rows } = await database.execute(
    `select kind from notifications.notifications where kind like 'commission%'`,
  )
  assert.deepEqual(rows, [])
})

test('who earned something there has had the first payment of their customer', async () => {
  const { rows } = await database.execute(
    `select email, earned_elsewhere_at from affiliation.referrals as referral
     join users.users as person on person.id = referral.user_id order by email`,
  )
  assert.deepEqual(
    rows.map(({ email, earned_elsewhere_at: at }) => [
      email,
      at && new Date(at as string).toISOString(),
    ]),
    [
      ['bob@example.com', '2021-05-01T00:00:00.000Z'],
      ['eve@example.com', null],
    ],
  )
})

test('whoever leaves gives up what is pending, and what was written beside it goes', async () => {
  const ada = await signedIn('ada@example.com')
  const wish = { password: PASSWORD }
  assert.equal((await ada.delete('/v1/users/me', wish)).body.code, 'commission_left')
  const { status, text } = await ada.delete('/v1/users/me', { ...wish, forfeitCredit: true })
  assert.equal(status, 200, text)
  const { rows } = await database.execute(
    `select count(*)::int as kept from affiliation.imported_commissions where description <> ''`,
  )
  assert.equal(rows[0]?.kept, 0)
  const hashes = await database.execute(
    `select source_id from imports.origins where source_table = 'tblclients'
     and (source_hash is not null or target_hash is not null) order by 1`,
  )
  assert.deepEqual(
    hashes.rows.map(({ source_id: id }) => Number(id)),
    [9, 10],
  )
})
