import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { faults, imported, rowCounts } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

const SERVICE = 'App\\Models\\Service'
const dump = smallPaymenter({
  users: ['ada', 'bob', 'eve', 'joe', 'no one'].map((name, at) => ({
    id: at + 1,
    email: `${name}@example.com`,
  })),
  plans: [{ id: 1, billing_period: 1, billing_unit: 'month' }],
  prices: [{ id: 1, plan_id: 1, price: '10.00' }],
  // What affiliates earn is their credit.
  credits: [{ id: 1, user_id: 1, currency_code: 'EUR', amount: '12.00' }],
  orders: [
    { id: 1, user_id: 2 },
    { id: 2, user_id: 3 },
    { id: 3, user_id: 5 },
    { id: 4, user_id: 1 },
  ],
  services: [
    { id: 1, order_id: 1, user_id: 2, plan_id: 1, price: '10.00' },
    // Nothing here has its cycle: whoever has it was brought all the same.
    { id: 2, order_id: 2, user_id: 3, plan_id: 99, price: '10.00' },
  ],
  invoices: [
    { id: 1, user_id: 2 },
    { id: 2, user_id: 2, status: 'pending' },
  ],
  invoice_items: [
    { id: 1, invoice_id: 1, price: '10.00', reference_type: SERVICE, reference_id: 1 },
    { id: 2, invoice_id: 2, price: '10.00', reference_type: SERVICE, reference_id: 1 },
  ],
  invoice_transactions: [
    { id: 1, invoice_id: 1, amount: '10.00', created_at: '2025-03-09 08:00:00' },
  ],
  ext_affiliates: [
    { id: 1, user_id: 1, code: 'adaPlays1', reward: 25 },
    // No code here may look like that.
    { id: 2, user_id: 2, code: 'b-ob', reward: null },
    // A code that the one above gets instead of its own.
    { id: 3, user_id: 4, code: 'aff2' },
    { id: 4, user_id: 5, code: 'NOONE' },
  ],
  ext_affiliate_orders: [
    { id: 1, affiliate_id: 1, order_id: 1 },
    { id: 2, affiliate_id: 1, order_id: 2 },
    { id: 3, affiliate_id: 1, order_id: 3 },
    { id: 4, affiliate_id: 1, order_id: 44 },
    { id: 5, affiliate_id: 4, order_id: 4 },
    { id: 6, affiliate_id: 66, order_id: 4 },
  ],
})

const reasonsOf = (
  resource: { reasons: { code: string; rows: { id: string }[] }[] } | undefined,
): Record<string, string[]> =>
  Object.fromEntries(
    (resource?.reasons ?? []).map(({ code, rows }) => [code, rows.map(({ id }) => id)]),
  )

test('affiliates of a Paymenter keep their code and whom they brought; what they earned is credit', async () => {
  const { status, report } = await imported(app, dump)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.deepEqual(reasonsOf(report.resources.affiliates), { client_not_imported: ['4'] })
  assert.deepEqual(reasonsOf(report.resources.referrals), {
    affiliate_not_imported: ['5'],
    order_not_imported: ['3'],
    orphan_affiliate: ['6'],
    orphan_order: ['4'],
  })
  const own = report.warnings.find(({ code }) => code === 'own_reward')
  assert.deepEqual(own?.rows, ['1'])

  const { data } = (await admin.get('/v1/admin/affiliates?limit=100')).body
  const told = data.map((it: Record<string, unknown>) => [it.email, it.code, it.referralCount])
  const codes = new Map<string, string>(
    told.map(([email, code]: [string, string]) => [email, code]),
  )
  assert.deepEqual(
    [codes.get('ada@example.com'), codes.get('bob@example.com')],
    ['ADAPLAYS1', 'AFF2'],
  )
  assert.match(codes.get('joe@example.com') ?? '', /^X[0-9A-F]{15}$/)
  assert.deepEqual(
    told.map((it: unknown[]) => it[2]),
    told.map(([email]: string[]) => (email === 'ada@example.com' ? 2 : 0)),
  )
  const { rows } = await app.deps.database.execute(
    `select email, earned_elsewhere_at as at from affiliation.referrals as referral
     join users.users as person on person.id = referral.user_id order by email`,
  )
  assert.deepEqual(
    rows.map(({ email, at }) => [email, at && new Date(at as string).toISOString()]),
    [
      ['bob@example.com', '2025-03-09T08:00:00.000Z'],
      ['eve@example.com', null],
    ],
  )
  const { rows: books } = await app.deps.database.execute(
    `select split_part(code, ':', 1) as code, -balance_cents::int as cents from ledger.balances
     join ledger.accounts on accounts.id = account_id
     where code like 'credit:%' or code like 'affiliate%'`,
  )
  assert.deepEqual(books, [{ code: 'credit', cents: 1200 }])
  assert.deepEqual(await faults(app), [])
})

test('the same affiliates again change nothing', async () => {
  const before = await rowCounts(app)
  const { status, report } = await imported(app, dump)
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.equal(report.resources.affiliates?.imported, 0)
  assert.equal(report.resources.referrals?.imported, 0)
  assert.deepEqual(await rowCounts(app), before)
})
