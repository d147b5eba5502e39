import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listUnbalanced, listWrongBalances } from '#ledger'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)
const db = app.deps.database.of(app.tenantId)
const clerk = await person(app, { permissions: ['users:credit'] })
const CREDITS = '/v1/billing/credits'

function urlOf({ userId }: { userId: string }): string {
  return `/v1/admin/users/${userId}/credits`
}

test('credit is given and taken with a reason that the person sees', async () => {
  const ada = await person(app)
  const given = await clerk.post(urlOf(ada), { amountCents: 1500, reason: 'For the outage' })
  assert.equal(given.status, 201)
  assert.deepEqual([given.body.balanceCents, given.body.currency], [1500, 'EUR'])
  const taken = await clerk.post(urlOf(ada), { amountCents: -400, reason: 'Too much' })
  assert.equal(taken.body.balanceCents, 1100)
  const { body } = await ada.get(CREDITS)
  assert.equal(body.balanceCents, 1100)
  assert.deepEqual(
    body.data.map((it: Record<string, unknown>) => [it.kind, it.amountCents, it.description]),
    [
      ['goodwill_removed', -400, 'Too much'],
      ['goodwill', 1500, 'For the outage'],
    ],
  )
})

test('more than there is cannot be taken', async () => {
  const ada = await person(app)
  await clerk.post(urlOf(ada), { amountCents: 100, reason: 'A start' })
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => clerk.post(urlOf(ada), { amountCents: -60, reason: 'Back' })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422, 422])
  assert.equal(answers.find(({ status }) => status === 422)?.body.code, 'credit_insufficient')
  assert.equal((await ada.get(CREDITS)).body.balanceCents, 40)
})

test('a repeat under the same key gives nothing twice', async () => {
  const ada = await person(app)
  const headers = { 'idempotency-key': 'sorry-once' }
  const wanted = { amountCents: 700, reason: 'Sorry' }
  const first = await clerk.post(urlOf(ada), wanted, { headers })
  const again = await clerk.post(urlOf(ada), wanted, { headers })
  assert.deepEqual(again.body, first.body)
  assert.equal((await ada.get(CREDITS)).body.balanceCents, 700)
})

const REFUSED = [
  [{ amountCents: 0, reason: 'x' }, 422],
  [{ amountCents: 1.5, reason: 'x' }, 400],
  [{ amountCents: 2 ** 53, reason: 'x' }, 400],
  [{ amountCents: 100 }, 400],
  [{ amountCents: 100, reason: '' }, 400],
  [{ amountCents: 100, reason: 'x', balanceCents: 1 }, 400],
] as const

for (const [wanted, expected] of REFUSED) {
  test(`an adjustment by ${JSON.stringify(wanted)} is a ${expected}`, async () => {
    const ada = await person(app)
    assert.equal((await clerk.post(urlOf(ada), wanted)).status, expected)
    assert.equal((await ada.get(CREDITS)).body.balanceCents, 0)
  })
}

test('it needs its own permission, and the books balance', async () => {
  const ada = await person(app)
  const other = await person(app, { permissions: ['users:write', 'invoices:write'] })
  assert.equal((await other.post(urlOf(ada), { amountCents: 1, reason: 'x' })).status, 403)
  assert.deepEqual(await listWrongBalances(db, app.tenantId), [])
  assert.deepEqual(await listUnbalanced(db, app.tenantId), [])
})
