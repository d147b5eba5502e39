import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { assertReport } from '#test/dumps.ts'
import { fossbillingDump } from '#test/fossbilling-dump.ts'
import { fossbillingExpected } from '#test/fossbilling-expected.ts'
import { faults, imported, rowCounts } from '#test/imports.ts'
import { paymenterDump } from '#test/paymenter-dump.ts'
import { paymenterExpected } from '#test/paymenter-expected.ts'

test('a Paymenter', async (t) => {
  const app = await testApp(t)
  const dump = paymenterDump({ people: 8, seed: 3 })
  const before = await rowCounts(app)
  const dry = await imported(app, dump.content, { dryRun: true })
  assert.deepEqual(await rowCounts(app), before)
  assert.equal(dry.fault, null, JSON.stringify(dry.fault))
  const expected = paymenterExpected(dump)
  assertReport(dry.report, expected)
  const first = await imported(app, dump.content)
  assertReport(first.report, expected)
  assert.deepEqual(await faults(app), [])
})

for (const later of [false, true]) {
  test(`a FOSSBilling ${later}`, async (t) => {
    const app = await testApp(t)
    const dump = fossbillingDump({ people: 8, seed: 3, later })
    const first = await imported(app, dump.content)
    assert.equal(first.fault, null, JSON.stringify(first.fault))
    const expected = fossbillingExpected(dump)
    console.error(
      JSON.stringify([first.report.resources.invoices, expected.import.invoices], (k, v) =>
        k === 'rows' ? v.map((x: any) => x.id) : v,
      ),
    )
    assertReport(first.report, expected)
    assert.deepEqual(await faults(app), [])
  })
}
