import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { seedDueServices } from '#test/due-services.ts'
import { startProcess } from '#test/processes.ts'

const app = await testApp(null, { config: { role: 'api' } })
const { tenantId } = app
const { database } = app.deps
const COUNT = 1000

await seedDueServices({ query: (text, values) => database.execute(text, values) }, tenantId, COUNT)

/** Renews in a process of its own until it says this. */
function renewing(ready: RegExp) {
  const env = {
    ...{ DATABASE_URL: app.databaseUrl ?? '', MOORAGE_ROLE: 'api', PORT: '0', LOG_LEVEL: 'fatal' },
    MOORAGE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  return startProcess({ script: 'test/support/renew.ts', env, ready })
}

async function count(text: string): Promise<number> {
  const { rows } = await database.execute(`select count(*)::int as count from ${text}`)
  return Number(rows[0]?.count)
}

test('invariant 17: runs of several processes, one of them killed, invoice each service once (hardening 50)', async () => {
  const killed = await renewing(/renewed 40/)
  await killed.kill()
  const before = await count(`billing.invoices where kind = 'renewal'`)
  assert.ok(before > 0 && before < COUNT, `${before} were renewed before the end`)
  const runs = await Promise.all([renewing(/ended after/), renewing(/ended after/)])
  const shares = runs.map(({ ready }) => Number(ready.split(' ').at(-1)))
  assert.ok(Math.min(...shares) > 0, `both took part: ${shares}`)
  assert.equal(
    shares.reduce((sum, it) => sum + it, before),
    COUNT,
  )
  const renewals = `billing.invoices where kind = 'renewal'`
  assert.equal(await count(renewals), COUNT)
  assert.equal(await count(`(select distinct reference from ${renewals}) it`), COUNT)
  const numbers = `(select distinct right(number, 6)::int as n from ${renewals}) it`
  assert.equal(await count(`${numbers} where n between 1 and ${COUNT}`), COUNT)
  assert.equal(await count(`services.periods where starts_at = '2030-02-15'`), COUNT)
  assert.equal(await count(`ledger.transactions where kind = 'invoice_issued'`), COUNT)
  assert.equal(await count(`jobs.job where name = 'billing.make-document'`), COUNT)
})
