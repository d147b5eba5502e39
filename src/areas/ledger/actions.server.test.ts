import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { post } from './actions.ts'
import { creditBalance, listUnbalanced, listWrongBalances, lockCredit } from './queries.ts'
import { creditApplied, creditToppedUp } from './rules.ts'

const app = await testApp(null)
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const now = app.deps.clock.now()

test('fifty spenders at once use up a credit exactly, and the balances are right', async () => {
  const customerId = newId()
  const key = { tenantId, userId: customerId, currency: 'EUR' }
  const rest = { tenantId, currency: 'EUR' }
  const gatewayId = newId()
  const topUp = creditToppedUp({ customerId, gatewayId, amountCents: cents(1000) })
  await transact(db, (tx) =>
    post(
      tx,
      { ...rest, event: { kind: 'top_up', postings: topUp }, eventId: newId(), key: newId() },
      now,
    ),
  )
  const spend = () =>
    transact(db, async (tx) => {
      if ((await lockCredit(tx, key)) < 100) return false
      const postings = creditApplied({ customerId, amountCents: cents(100) })
      const event = { kind: 'credit_applied', postings }
      return post(tx, { ...rest, event, eventId: newId(), key: newId() }, now)
    })
  const spent = await Promise.all(Array.from({ length: 50 }, spend))
  assert.equal(spent.filter(Boolean).length, 10)
  assert.equal(await creditBalance(db, key), 0)
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
})
