import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { faults, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'
import { differences, everything } from '#test/snapshots.ts'
import { beginUndo, finishUndo } from './actions.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const { tenantId } = app
const db = app.deps.database.of(tenantId)

/** An import that is to be undone, by nobody yet. */
async function toBeUndone() {
  const { id } = await imported(
    app,
    smallDump({
      tblclients: [{ credit: '5.00' }],
      tblhosting: [{}],
      tblinvoices: [{}],
      tblinvoiceitems: [{}],
    }),
  )
  const key = { tenantId, id }
  await transact(db, (tx) => beginUndo(tx, key, { dryRun: false, later: async () => {} }))
  return key
}

const statusOf = async (id: string) => (await admin.get(`/v1/admin/imports/${id}`)).body.status

test('two processes that undo an import at once undo it once', async () => {
  const before = await everything(app)
  const key = await toBeUndone()
  const both = [1, 2].map(() => transact(db, (tx) => finishUndo(tx, key, app.deps.clock.now())))
  assert.deepEqual(await Promise.all(both), [[], []])
  assert.equal(await statusOf(key.id), 'undone')
  assert.deepEqual(differences(before, await everything(app)), [])
  assert.deepEqual(await faults(app), [])
})

test('an invoice that is being paid while its import is undone keeps the import', async () => {
  const key = await toBeUndone()
  const { work } = await transact(db, async (tx) => {
    await sql`update billing.invoices set paid_cents = 100`.execute(tx)
    const begun = transact(db, (other) => finishUndo(other, key, app.deps.clock.now()))
    // Long enough to look for obstacles without what is not committed yet.
    await setTimeout(1000)
    return { work: begun }
  })
  assert.deepEqual(
    (await work).map(({ code, count }) => [code, count]),
    [['changed_records', 1]],
  )
  assert.equal(await statusOf(key.id), 'completed')
})
