import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { DECIDED, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
await shopOf(admin).taxRate()

test('an invoice that is being paid while renewals begin pays its period', async () => {
  const { id, status } = await imported(
    app,
    smallDump({
      tblclients: [{}],
      tblhosting: [{}],
      tblinvoices: [{ duedate: '2099-01-15' }],
      tblinvoiceitems: [{ type: 'Hosting', relid: 1 }],
    }),
  )
  assert.equal(status, 'completed')
  const db = app.deps.database.of(app.tenantId)
  const begun = await transact(db, async (tx) => {
    await sql`update billing.invoices set status = 'paid', paid_cents = total_cents,
      paid_at = ${app.deps.clock.now()}`.execute(tx)
    const answer = admin.post(`/v1/admin/imports/${id}/begin-renewals`, DECIDED)
    // Long enough to begin without what is not committed yet.
    await setTimeout(1000)
    return { answer }
  })
  assert.equal((await begun.answer).status, 200)
  const unpaid = await db
    .selectFrom('services.periods')
    .select('id')
    .where('paidAt', 'is', null)
    .execute()
  assert.deepEqual(unpaid, [])
})
