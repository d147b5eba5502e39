import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, type Instant, later } from '#lib/time.ts'
import { testApp } from '#test/app.ts'
import { imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const dayOf = (at: Instant) => at.slice(0, 10)
const daysAgo = (days: number) => dayOf(later(app.deps.clock.now(), -days * DAY_MS))

test('time that nobody invoices is named in the preview, also beside an open invoice', async () => {
  await admin.post('/v1/admin/tax-rates', { name: 'VAT', country: 'FR', rateBasisPoints: 2000 })
  const due = { 1: daysAgo(10), 2: daysAgo(100), 3: daysAgo(100) }
  const customers = ([1, 2, 3] as const).map((id) => ({ id, due: due[id] }))
  const invoiced = customers.slice(0, 2)
  const dump = smallDump({
    tblclients: customers.map(({ id }) => ({ id, email: `client${id}@example.com` })),
    tblhosting: customers.map(({ id, due: nextduedate }) => ({ id, userid: id, nextduedate })),
    tblinvoices: invoiced.map(({ id, due: duedate }) => ({
      ...{ id, userid: id, duedate, tax: '2.00', total: '12.00', taxrate: '20.000' },
    })),
    tblinvoiceitems: invoiced.map(({ id }) => ({
      ...{ id, invoiceid: id, userid: id, type: 'Hosting', relid: id, taxed: 1 },
    })),
  })
  const { id, status } = await imported(app, dump)
  assert.equal(status, 'completed')
  const { body, text } = await admin.get(`/v1/admin/imports/${id}/preview?limit=10`)
  const notices = body.data.map((it: { email: string; notices: string[] }) => [
    it.email,
    it.notices.filter((notice) => ['invoiced_there', 'time_left_out'].includes(notice)),
  ])
  assert.deepEqual(
    Object.fromEntries(notices),
    {
      'client1@example.com': ['invoiced_there'],
      'client2@example.com': ['invoiced_there', 'time_left_out'],
      'client3@example.com': ['time_left_out'],
    },
    text,
  )
})

test('add-ons and domains, which are not imported, are counted in the preview', async () => {
  const dump = smallDump({
    tblclients: [{ id: 1, email: 'client1@example.com' }],
    tblhosting: [{ nextduedate: '2099-01-15' }],
    tblhostingaddons: [1, 2].map((id) => ({
      ...{ id, recurring: '1.00', setupfee: '0.00', firstpaymentamount: '1.00' },
    })),
    tbldomains: [{ id: 1, recurringamount: '0.00', firstpaymentamount: '0.00' }],
  })
  const { id, status } = await imported(app, dump)
  assert.equal(status, 'completed')
  const { body } = await admin.get(`/v1/admin/imports/${id}/preview?limit=1`)
  const counted = body.setUp.find((it: { code: string }) => it.code === 'not_billed_here')
  assert.deepEqual(counted, { code: 'not_billed_here', count: 2 })
})
