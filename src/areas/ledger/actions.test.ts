import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { isConstraintViolation, type Tx, transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { revenue } from './accounts.ts'
import { type LedgerEvent, post } from './actions.ts'
import {
  creditBalance,
  heldBalance,
  listCreditEntries,
  listUnbalanced,
  listWrongBalances,
  lockCredit,
} from './queries.ts'
import {
  creditApplied,
  creditHeld,
  creditReleased,
  creditToppedUp,
  goodwillGranted,
  goodwillRemoved,
} from './rules.ts'

const app = await testApp(null)
const { tenantId } = app
const db = app.deps.database.of(tenantId)
const now = app.deps.clock.now()
const gatewayId = newId()

function inLedger<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(db, work)
}

type Options = { key?: string; currency?: string }

function book(event: LedgerEvent, { key = newId(), currency = 'EUR' }: Options = {}) {
  return inLedger((tx) => post(tx, { tenantId, event, eventId: newId(), key, currency }, now))
}

function topUp(customerId: string, amount: number): LedgerEvent {
  const postings = creditToppedUp({ customerId, gatewayId, amountCents: cents(amount) })
  return { kind: 'top_up', postings, description: 'Top-up' }
}

async function assertSound(): Promise<void> {
  assert.deepEqual(await listWrongBalances(db, tenantId), [])
  assert.deepEqual(await listUnbalanced(db, tenantId), [])
}

test('an event is booked once for its key, however often it is posted', async () => {
  const userId = newId()
  const key = newId()
  assert.equal(await book(topUp(userId, 500), { key }), true)
  assert.equal(await book(topUp(userId, 500), { key }), false)
  assert.equal(await creditBalance(db, { tenantId, userId, currency: 'EUR' }), 500)
})

test('credit cannot be overdrawn, whoever posts', async () => {
  const userId = newId()
  await book(topUp(userId, 500))
  const spend = { customerId: userId, amountCents: cents(501) }
  await assert.rejects(book({ kind: 'credit_applied', postings: creditApplied(spend) }), (error) =>
    isConstraintViolation(error, 'credit_not_overdrawn'),
  )
  assert.equal(await creditBalance(db, { tenantId, userId, currency: 'EUR' }), 500)
})

test('credit of one currency pays nothing of another', async () => {
  const userId = newId()
  await book(topUp(userId, 500), { currency: 'USD' })
  assert.equal(await creditBalance(db, { tenantId, userId, currency: 'EUR' }), 0)
  assert.equal(await inLedger((tx) => lockCredit(tx, { tenantId, userId, currency: 'USD' })), 500)
})

test('the entries of a credit are listed newest first, each with the balance after it', async () => {
  const userId = newId()
  const [given, taken] = [cents(300), cents(100)]
  await book(topUp(userId, 500))
  await book({
    kind: 'goodwill',
    postings: goodwillGranted({ customerId: userId, amountCents: given }),
  })
  await book({
    kind: 'goodwill_removed',
    postings: goodwillRemoved({ customerId: userId, amountCents: taken }),
  })
  const { data } = await listCreditEntries(db, { tenantId, userId, currency: 'EUR' }, {})
  assert.deepEqual(
    data.map(({ kind, amountCents, balanceAfterCents }) => [kind, amountCents, balanceAfterCents]),
    [
      ['goodwill_removed', -100, 700],
      ['goodwill', 300, 800],
      ['top_up', 500, 500],
    ],
  )
})

test('what is written stays as it was written', async () => {
  await book(topUp(newId(), 500))
  await assert.rejects(
    inLedger((tx) =>
      tx
        .updateTable('ledger.postings')
        .set({ amountCents: cents(1) })
        .execute(),
    ),
  )
  await assert.rejects(inLedger((tx) => tx.deleteFrom('ledger.transactions').execute()))
})

test('a transaction out of balance is refused when it commits', async () => {
  const userId = newId()
  await book(topUp(userId, 500))
  const one = inLedger(async (tx) => {
    const { id: transactionId, accountId } = await tx
      .selectFrom('ledger.postings')
      .select(['transactionId as id', 'accountId'])
      .where('tenantId', '=', tenantId)
      .limit(1)
      .executeTakeFirstOrThrow()
    const row = { tenantId, id: newId(), transactionId, accountId, currency: 'EUR' }
    await tx
      .insertInto('ledger.postings')
      .values({ ...row, amountCents: cents(1), balanceAfterCents: cents(1) })
      .execute()
  })
  await assert.rejects(one, (error) => isConstraintViolation(error, 'postings_balance'))
  const lopsided = { kind: 'wrong', postings: [{ account: revenue, amountCents: cents(5) }] }
  await assert.rejects(book(lopsided), RangeError)
})

const steps = fc.array(
  fc.record({
    what: fc.constantFrom('topUp', 'grant', 'remove', 'hold', 'release', 'spend'),
    amount: fc.integer({ min: 1, max: 400 }),
  }),
  { minLength: 1, maxLength: 12 },
)

test('whatever happens to credit, the books balance and nothing is overdrawn', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const userId = newId()
      let [free, held] = [0, 0]
      for (const { what, amount } of sequence) {
        const it = { customerId: userId, amountCents: cents(amount) }
        const events = {
          topUp: { change: [amount, 0], postings: creditToppedUp({ ...it, gatewayId }) },
          grant: { change: [amount, 0], postings: goodwillGranted(it) },
          remove: { change: [-amount, 0], postings: goodwillRemoved(it) },
          hold: { change: [-amount, amount], postings: creditHeld(it) },
          release: { change: [amount, -amount], postings: creditReleased(it) },
          spend: { change: [0, -amount], postings: creditApplied(it, 'held') },
        }
        const { change, postings } = events[what]
        const [freeAfter, heldAfter] = [free + (change[0] ?? 0), held + (change[1] ?? 0)]
        const booking = book({ kind: what, postings })
        if (freeAfter < 0 || heldAfter < 0) {
          await assert.rejects(booking)
        } else {
          await booking
          free = freeAfter
          held = heldAfter
        }
      }
      const key = { tenantId, userId, currency: 'EUR' }
      assert.equal(await creditBalance(db, key), free)
      assert.equal(await heldBalance(db, key), held)
    }),
    { numRuns: 15 },
  )
  await assertSound()
})
