import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

test('a request to cancel and a group discount that came between two dumps are among the changes', async () => {
  const shop = {
    tblclients: [
      { id: 1, email: 'leaver@example.com' },
      { id: 2, email: 'friend@example.com' },
    ],
    tblclientgroups: [{ discountpercent: '10.00' }],
    tblhosting: [
      { id: 1, userid: 1 },
      { id: 2, userid: 2 },
      { id: 3, userid: 2, amount: '7.00' },
    ],
  }
  const [leaver, friend] = shop.tblclients
  await imported(app, smallDump({ ...shop, tblclients: [leaver ?? {}, friend ?? {}] }))
  const { id } = await imported(
    app,
    smallDump({
      ...shop,
      tblclients: [leaver ?? {}, { ...friend, groupid: 1 }],
      tblcancelrequests: [{ relid: 1 }],
    }),
  )
  const { status, body, text } = await admin.get(`/v1/admin/imports/${id}/changes?limit=100`)
  assert.equal(status, 200, text)
  const services = body.data.filter((it: { resource: string }) => it.resource === 'services')
  assert.deepEqual(
    services.map((it: { id: string; change: string }) => [it.id, it.change]),
    [
      ['1', 'changed'],
      ['2', 'changed'],
      ['3', 'changed'],
    ],
  )
  assert.match(services[0].facts, / cancel \w+$/)
  assert.doesNotMatch(services[0].formerFacts, /cancel/)
})
