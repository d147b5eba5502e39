import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whmcsDump } from '#test/dumps.ts'
import { fossbillingDump } from '#test/fossbilling-dump.ts'
import { gameShop } from '#test/game-shop.ts'
import { faults, imported } from '#test/imports.ts'
import { paymenterDump } from '#test/paymenter-dump.ts'
import { smallDump, type WhmcsRows } from '#test/small-whmcs.ts'
import { everything } from '#test/snapshots.ts'

const shop = await gameShop()
const { app, admin, catalog } = shop
const { database } = app.deps

/** A customer of this shop before anything is imported: with a server, a paid invoice, credit and an own affiliate. */
const ada = await shop.customer()
const { plan } = await shop.server()
await catalog.taxRate()
await catalog.coupon({ code: 'LESS' })
await shop.buy(ada, plan.id)
await shop.serviceBecame(ada, 'active')
await shop.quiet()
const granted = await admin.post(`/v1/admin/users/${ada.userId}/credits`, {
  ...{ amountCents: 300, reason: 'Sorry' },
})
assert.equal(granted.status, 201, granted.text)

/** Customers there: one of them is Ada, who has an account here. */
const rows: WhmcsRows = {
  tblclients: [
    { id: 1, email: ada.email, credit: '-20.00' },
    { id: 2, email: 'bob@example.com', firstname: 'Bob', credit: '7.00', tax_id: 'FR40303265045' },
    { id: 3, email: 'eve@example.com', firstname: 'Eve', status: 'Closed' },
    { id: 4, email: 'bob@example.com', firstname: 'Robert', credit: '1.00' },
  ],
  tblhosting: [
    { id: 1, userid: 1 },
    { id: 2, userid: 2 },
    { id: 3, userid: 3, domainstatus: 'Terminated' },
  ],
  tblinvoices: [
    { id: 1, userid: 1 },
    { id: 2, userid: 2 },
    { id: 3, userid: 2, status: 'Paid', datepaid: '2020-01-02 00:00:00' },
    { id: 4, userid: 3, status: 'Draft' },
  ],
  tblinvoiceitems: [1, 2, 2, 3].map((userid, place) => ({
    ...{ id: place + 1, invoiceid: place + 1, userid, type: 'Hosting', relid: userid },
  })),
  tblaccounts: [{ id: 1, userid: 2, invoiceid: 3 }],
  tblcredit: [{ id: 1, clientid: 2, amount: '7.00' }],
  tblorders: [{ id: 1, userid: 2, invoiceid: 3 }],
  tblpromotions: [{ code: 'LESS' }],
  tblaffiliates: [
    { id: 1, clientid: 1, balance: '3.00' },
    { id: 2, clientid: 2, balance: '4.00' },
  ],
  tblaffiliatesaccounts: [{ id: 1, affiliateid: 1, relid: 3 }],
  tblaffiliatespending: [{ id: 1, affaccid: 1, amount: '2.00', clearingdate: '2099-01-01' }],
}

async function undo(id: string, body: object = {}) {
  return admin.post(`/v1/admin/imports/${id}/undo`, body)
}

async function undone(id: string): Promise<void> {
  const begun = await undo(id)
  assert.equal(begun.status, 200, begun.text)
  await app.eventually('the import is undone', async () => {
    const { body } = await admin.get(`/v1/admin/imports/${id}`)
    return body.status === 'undone'
  })
}

const dumps: readonly (readonly [string, () => Buffer])[] = [
  ['customers of this shop among others', () => smallDump(rows)],
  ['a WHMCS', () => whmcsDump({ clients: 12, mess: true, seed: 'undo' }).content],
  ['a Paymenter', () => paymenterDump().content],
  ['a FOSSBilling', () => fossbillingDump().content],
]

for (const [what, content] of dumps) {
  test(`an undone import of ${what} leaves every row of a running shop as it was`, async () => {
    const before = await everything(app)
    const { id, status } = await imported(app, content())
    assert.match(status, /^completed/)
    assert.notDeepEqual(await everything(app), before)
    const asked = await undo(id, { dryRun: true })
    assert.deepEqual([asked.status, asked.body.obstacles], [200, []], asked.text)
    await undone(id)
    assert.deepEqual(await everything(app), before)
    assert.deepEqual(await faults(app), [])
  })
}
