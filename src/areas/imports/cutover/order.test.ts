import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { DECIDED, faults, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

const clients = [1, 2, 3].map((id) => ({ id, email: `client${id}@example.com` }))
const hosting = (ids: readonly number[], changed = '2030-02-10') =>
  ids.map((id) => ({ id, userid: id, nextduedate: id === 1 ? changed : '2030-02-10' }))

test('renewals of a newer dump begin only after those of the older one, so that no service is left out', async () => {
  await admin.post('/v1/admin/tax-rates', { name: 'VAT', country: 'FR', rateBasisPoints: 2000 })
  const old = await imported(
    app,
    smallDump({ tblclients: clients.slice(0, 2), tblhosting: hosting([1, 2]) }),
  )
  const newer = await imported(
    app,
    smallDump({ tblclients: clients, tblhosting: hosting([1, 2, 3], '2030-03-10') }),
  )
  assert.deepEqual([old.status, newer.status], ['completed', 'completed'])
  const begin = (id: string) => admin.post(`/v1/admin/imports/${id}/begin-renewals`, DECIDED)

  const early = await begin(newer.id)
  assert.deepEqual([early.status, early.body.code], [409, 'older_import_waits'])
  assert.ok(early.body.message.includes(`(${old.id}) first: 2 of its services`), early.text)
  assert.deepEqual(await faults(app), [])

  const first = await begin(old.id)
  assert.deepEqual([first.status, first.body.begun], [200, 2], first.text)
  const [fault = '', ...others] = await faults(app)
  assert.match(fault, new RegExp(`1 services of the import of .* \\(${newer.id}\\) do not renew`))
  assert.deepEqual(others, [])

  const second = await begin(newer.id)
  assert.deepEqual([second.status, second.body.begun], [200, 1], second.text)
  assert.deepEqual(await faults(app), [])
})
