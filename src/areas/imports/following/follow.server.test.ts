import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const { deps, tenantId } = app

async function untilOneWaits(): Promise<void> {
  await until('one to wait', async () => {
    const { rows } = await deps.database.execute(
      `select count(distinct lock.pid)::int as count from pg_locks lock
       join pg_stat_activity activity on activity.pid = lock.pid
       where activity.datname = current_database() and not lock.granted`,
    )
    return rows[0]?.count === 1
  })
}

const dump = (invoice: object) =>
  smallDump({
    tblclients: [{ country: 'DE' }],
    tblinvoices: [invoice as Record<string, string>],
    tblinvoiceitems: [{}],
  })

test('what is changed here at the moment a newer dump is read is waited for, and stays', async () => {
  const first = await importDump(app, dump({}))
  assert.equal(first.status, 'completed', JSON.stringify(first.report.differences))
  const note = 'Promised for Monday'
  const { importing } = await transact(deps.database.of(tenantId), async (tx) => {
    await tx
      .updateTable('billing.invoices')
      .set({ note })
      .where('tenantId', '=', tenantId)
      .execute()
    const running = importDump(app, dump({ status: 'Cancelled' }))
    await untilOneWaits()
    return { importing: running }
  })
  const { status, report } = await importing
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  assert.deepEqual(
    report.resources.invoices?.reasons.map(({ code }) => code),
    ['changed_here'],
  )
  const { rows } = await deps.database.execute('select status, note from billing.invoices')
  assert.deepEqual(rows, [{ status: 'open', note }])
})
