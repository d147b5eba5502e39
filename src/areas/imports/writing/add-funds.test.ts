import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { faults, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

// Two people with an invoice for credit of 25.00, of which 10.00 were paid there.
const both = [1, 2].map((id) => ({ id, userid: id, invoiceid: id }))
const { status, report } = await imported(
  app,
  smallDump({
    tblclients: both.map(({ id }) => ({ id, email: `${id}@example.com` })),
    tblinvoices: both.map(({ id, userid }) => ({ id, userid, subtotal: '25.00', total: '25.00' })),
    tblinvoiceitems: both.map((it) => ({ ...it, type: 'AddFunds', amount: '25.00' })),
    tblaccounts: both,
  }),
)
assert.equal(status, 'completed', JSON.stringify(report.differences))
const gateway = await admin.post('/v1/admin/gateways', {
  ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 1 },
  settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
})
type Invoice = { id: string; userId: string; dueCents: number; paidCents: number }
const invoices: Invoice[] = (await admin.get('/v1/admin/invoices')).body.data
const [whole, refunded] = invoices
assert.ok(whole && refunded)

/** Books the payment of the rest, and answers the credit of the customer. */
async function creditAfterTheRest({ id, userId, dueCents }: Invoice): Promise<number> {
  assert.equal(dueCents, 1500)
  const how = { gatewayId: gateway.body.id, reference: `SEPA ${id}` }
  const paid = await admin.post(`/v1/admin/invoices/${id}/mark-paid`, how)
  assert.equal(paid.status, 200, paid.text)
  const { rows } = await app.deps.database.execute(
    `select -balance_cents::int as credit from ledger.balances as balance
     join ledger.accounts as account on account.id = balance.account_id where account.code = $1`,
    [`credit:${userId}`],
  )
  assert.deepEqual(await faults(app), [])
  return (rows as { credit: number }[])[0]?.credit ?? 0
}

test('an invoice for credit that was paid in part before adds all of it once the rest is paid', async () => {
  assert.equal(await creditAfterTheRest(whole), 2500)
})

test('what was refunded of the earlier part meanwhile is not added', async () => {
  const { body } = await admin.get(`/v1/admin/imported-payments?invoiceId=${refunded.id}`)
  const path = `/v1/admin/imported-payments/${body.data[0].id}/refunds`
  const noted = await admin.post(path, { amountCents: 400, reason: 'Asked for it' })
  assert.equal(noted.status, 201, noted.text)
  assert.equal(await creditAfterTheRest(refunded), 2100)
})
