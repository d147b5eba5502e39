import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { testApp } from '#test/app.ts'
import { DECIDED, faults, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
await shopOf(admin).taxRate()

/** The facts of the only service. */
async function service() {
  const { rows } = await app.deps.database.execute(
    `select service.id, paid_at is not null as paid, activated_at is not null as active,
       (select count(*)::int from services.periods where service_id = service.id and paid_at is not null)
         as periods,
       next_invoice_at is not null as renews
     from services.services as service`,
  )
  return rows[0]
}

test('what was ordered in the old system and is paid here is delivered by staff, and renews from then on', async () => {
  const { id, status } = await imported(
    app,
    smallDump({
      tblclients: [{}],
      tblhosting: [{ domainstatus: 'Pending', nextduedate: '0000-00-00' }],
      tblinvoices: [{ duedate: '2099-01-15' }],
      tblinvoiceitems: [{ type: 'Hosting', relid: 1 }],
    }),
  )
  assert.equal(status, 'completed')
  const begun = await admin.post(`/v1/admin/imports/${id}/begin-renewals`, DECIDED)
  assert.equal(begun.status, 200, begun.text)
  const gateway = await admin.post('/v1/admin/gateways', {
    ...{ driver: 'bank_transfer', name: 'Transfer', mode: 'live', enabled: true, position: 9 },
    settings: { holder: 'Host GmbH', iban: 'DE02120300000000202051' },
  })
  const { body } = await admin.get('/v1/admin/invoices?limit=10')
  const [invoice] = body.data
  const how = { gatewayId: gateway.body.id, reference: newId() }
  const paid = await admin.post(`/v1/admin/invoices/${invoice.id}/mark-paid`, how)
  assert.equal(paid.status, 200, paid.text)
  const task = await app.eventually('a task for staff', async () => {
    const found = await admin.get('/v1/admin/tasks?state=pending')
    return found.body.data[0]
  })
  const before = await service()
  assert.deepEqual([task.action, task.serviceId], ['create', before?.id])
  assert.deepEqual([before?.paid, before?.active, before?.periods], [true, false, 0])
  const claimed = await admin.post(`/v1/admin/tasks/${task.id}/claim`, {})
  assert.ok(claimed.status < 300, claimed.text)
  const done = await admin.post(`/v1/admin/tasks/${task.id}/done`, {})
  assert.ok(done.status < 300, done.text)
  const { id: _, ...after } = (await service()) ?? {}
  assert.deepEqual(after, { paid: true, active: true, periods: 1, renews: true })
  assert.deepEqual(await faults(app), [])
})
