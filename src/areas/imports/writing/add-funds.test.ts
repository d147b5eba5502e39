import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { faults, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

test('an invoice for credit that was paid in part before adds all of it once the rest is paid', async () => {
  const { status, report } = await imported(
    app,
    smallDump({
      tblclients: [{}],
      tblinvoices: [{ subtotal: '25.00', total: '25.00' }],
      tblinvoiceitems: [{ type: 'AddFunds', amount: '25.00' }],
      tblaccounts: [{}],
    }),
  )
  assert.equal(status, 'completed', JSON.stringify(report.differences))
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 1 },
    settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
  })
  const [invoice] = (await admin.get('/v1/admin/invoices')).body.data
  assert.deepEqual([invoice.dueCents, invoice.paidCents], [1500, 1000])
  const how = { gatewayId: gateway.body.id, reference: 'SEPA-1' }
  const paid = await admin.post(`/v1/admin/invoices/${invoice.id}/mark-paid`, how)
  assert.equal(paid.status, 200, paid.text)
  const { rows } = await app.deps.database.execute(
    `select -balance_cents::int as credit from ledger.balances as balance
     join ledger.accounts as account on account.id = balance.account_id where account.code = $1`,
    [`credit:${invoice.userId}`],
  )
  assert.deepEqual(rows, [{ credit: 2500 }])
  assert.deepEqual(await faults(app), [])
})
