import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { DAY_MS, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { faults } from '#test/imports.ts'
import { importDump, smallDump, type WhmcsRows } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { database, clock } = app.deps
const PASSWORD = 'engine'
const password = createHash('md5').update(PASSWORD).digest('hex')

afterEach(async () => assert.deepEqual(await faults(app), []))

async function signedIn(email: string): Promise<Client> {
  const { status, body, text } = await app.post('/v1/auth/login', { email, password: PASSWORD })
  assert.equal(status, 200, text)
  return app.as(body.accessToken)
}

async function totals(affiliate: Client) {
  const { body } = await affiliate.get('/v1/affiliation?currency=EUR')
  return [body.pendingCents, body.availableCents]
}

/** What has to stay as it was where an import changes nothing. */
async function state() {
  const { rows } = await database.execute(
    `select (select jsonb_agg(b order by b.id) from affiliation.imported_balances b) as balances,
       (select jsonb_agg(c order by c.id) from affiliation.imported_commissions c) as commissions,
       (select jsonb_agg(r order by r.id) from affiliation.referrals r) as referrals,
       (select count(*)::int from ledger.transactions) as transactions`,
  )
  return rows
}

async function bring(rows: WhmcsRows) {
  const { status, report } = await importDump(app, smallDump(rows))
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  const reasons = (name: string) =>
    (report.resources[name]?.reasons ?? []).map((it) => [it.code, it.rows.map(({ id }) => id)])
  return { report, reasons }
}

const inDays = (days: number) => later(clock.now(), days * DAY_MS).slice(0, 10)

const first: WhmcsRows = {
  tblclients: [
    { id: 7, email: 'ada@example.com', password },
    { id: 9, email: 'bob@example.com' },
    { id: 10, email: 'eve@example.com' },
    { id: 12, email: 'zoe@example.com', password },
  ],
  tblhosting: [
    { id: 1, userid: 9 },
    { id: 3, userid: 10 },
  ],
  tblaffiliates: [
    { id: 3, clientid: 7, balance: '25.50', withdrawn: '12.00' },
    { id: 4, clientid: 12, balance: '5.00' },
  ],
  tblaffiliatesaccounts: [{ id: 1, affiliateid: 3, relid: 1 }],
  tblaffiliateshistory: [],
  tblaffiliatespending: [
    { id: 1, affaccid: 1, amount: '3.00', clearingdate: inDays(20) },
    { id: 2, affaccid: 1, amount: '1.00', clearingdate: inDays(40) },
  ],
  tblaffiliateswithdrawals: [{ id: 1, affiliateid: 3, amount: '12.00' }],
}

/** 3.00 of what was pending there is in the balance by now, and 10.00 were paid out. */
const afterwards: WhmcsRows = {
  ...first,
  tblaffiliates: [
    { id: 3, clientid: 7, balance: '18.50', withdrawn: '22.00' },
    { id: 4, clientid: 12, balance: '5.00' },
  ],
  tblaffiliatesaccounts: [
    { id: 1, affiliateid: 3, relid: 1 },
    { id: 2, affiliateid: 3, relid: 3 },
  ],
  tblaffiliateshistory: [
    { id: 1, affiliateid: 3, affaccid: 1, date: '2026-05-01', amount: '3.00' },
  ],
  tblaffiliatespending: [
    { id: 2, affaccid: 1, amount: '1.00', clearingdate: inDays(40) },
    { id: 3, affaccid: 2, amount: '2.00', clearingdate: inDays(50) },
  ],
  tblaffiliateswithdrawals: [
    { id: 1, affiliateid: 3, amount: '12.00' },
    { id: 2, affiliateid: 3, amount: '10.00' },
  ],
}

test('the balance of an affiliate changes by what it changed there, whatever became of it here', async () => {
  await bring(first)
  const ada = await signedIn('ada@example.com')
  assert.deepEqual(await totals(ada), [400, 2550])
  const { body } = await ada.post('/v1/affiliation/convert')
  assert.equal(body.convertedCents, 2550)

  const { report, reasons } = await bring(afterwards)
  assert.deepEqual(reasons('affiliates'), [
    ['already_imported', ['4']],
    ['updated', ['3']],
  ])
  for (const name of ['referrals', 'commissions', 'pendingCommissions', 'payouts']) {
    assert.equal(report.resources[name]?.imported, 1, name)
  }
  const spent = report.warnings.find(({ code }) => code === 'commission_spent_twice')
  assert.deepEqual(spent?.rows, ['3'])
  // 7.00 less there. The 3.00 in it are still to come here, and are not had twice.
  assert.deepEqual(await totals(ada), [600, -1000])
  const { rows } = await database.execute(
    `select email, earned_elsewhere_at is not null as earned from affiliation.referrals as referral
     join users.users as person on person.id = referral.user_id order by email`,
  )
  assert.deepEqual(rows, [
    { email: 'bob@example.com', earned: true },
    { email: 'eve@example.com', earned: true },
  ])
})

test('the same dump again changes nothing, nor does one without what is pending', async () => {
  const before = await state()
  assert.deepEqual((await bring(afterwards)).reasons('affiliates'), [
    ['already_imported', ['3', '4']],
  ])
  assert.deepEqual(await state(), before)
  const { tblaffiliatespending: _, ...less } = afterwards
  assert.deepEqual((await bring(less)).reasons('affiliates'), [['already_imported', ['3', '4']]])
  assert.deepEqual(await state(), before)
})

test('what was pending becomes available once, whichever system it was counted in', async () => {
  await app.advance((20 * DAY_MS) / 1000)
  const ada = await signedIn('ada@example.com')
  await app.eventually('it is available', async () => (await totals(ada))[1] === -700)
  assert.deepEqual(await totals(ada), [300, -700])
})

test('who has left here stays as they are', async () => {
  const zoe = await signedIn('zoe@example.com')
  const left = await zoe.delete('/v1/users/me', { password: PASSWORD, forfeitCredit: true })
  assert.equal(left.status, 200, left.text)
  const [ada = {}, gone = {}] = afterwards.tblaffiliates ?? []
  const { reasons } = await bring({
    ...afterwards,
    tblaffiliates: [ada, { ...gone, balance: '9.00' }],
    tblaffiliateshistory: [
      ...(afterwards.tblaffiliateshistory ?? []),
      { id: 9, affiliateid: 4, affaccid: 0, amount: '4.00' },
    ],
  })
  assert.deepEqual(reasons('affiliates'), [
    ['already_imported', ['3']],
    ['changed_here', ['4']],
  ])
  assert.deepEqual(reasons('commissions'), [
    ['already_imported', ['1']],
    ['changed_here', ['9']],
  ])
})
