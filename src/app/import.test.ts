import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { DECIDED, imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'
import { importUndo } from './import.ts'
import { type Format, importReport } from './import-reports.ts'
import type { Place } from './task.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const { id } = await imported(app, smallDump({ tblclients: [{}], tblhosting: [{}] }))

/** What a command prints, also of errors, and its exit code. */
async function printed(run: (place: Place) => Promise<number>) {
  const words: string[] = []
  const say = (text: string) => void words.push(text)
  const { config, database } = app.deps
  const code = await run({ config, database, print: say, complain: say, isTerminal: false })
  return { code, words: words.join('\n') }
}

function undo(wanted: { id: string; dryRun?: boolean; host?: string }) {
  return printed((place) => importUndo.run(place, { host: null, dryRun: false, ...wanted }))
}

function report(name: string, format: Format, importId = id) {
  const wanted = { report: name, id: importId, host: null, format, options: {} }
  return printed((place) => importReport.run(place, wanted))
}

test('the command prints the preview of an import as a table, CSV and JSON', async () => {
  const table = await report('preview', 'table')
  assert.equal(table.code, 0, table.words)
  const [heading, row] = table.words.split('\n')
  assert.match(heading ?? '', /^formerId {2}email +name +invoiceAt /)
  assert.match(row ?? '', /^1 +ada@example\.com +play +2099-01-08T/)
  const csv = await app.as(admin.token).get(`/v1/admin/imports/${id}/preview/csv`)
  const { words } = await report('preview', 'csv')
  assert.equal(`${words.replaceAll('\n', '\r\n')}\r\n`, csv.text)
  const json = JSON.parse((await report('preview', 'json')).words)
  assert.deepEqual([json.length, json[0].email, json[0].billed], [1, 'ada@example.com', true])
})

test('the command prints no preview of an import that has written nothing', async () => {
  const dry = await imported(app, smallDump({ tblclients: [{}] }), { dryRun: true })
  const refused = { code: 2, words: 'This import has not written anything.' }
  for (const format of ['table', 'csv', 'json'] as const) {
    assert.deepEqual(await report('preview', format, dry.id), refused)
  }
})

async function statusOf(): Promise<string> {
  return (await admin.get(`/v1/admin/imports/${id}`)).body.status
}

test('the command says whether an import can be undone, and undoes it', async () => {
  const asked = await undo({ id, dryRun: true })
  assert.deepEqual(asked, { code: 0, words: 'The import can be undone.' })
  assert.equal(await statusOf(), 'completed')
  assert.deepEqual(await undo({ id }), { code: 0, words: 'The import is undone.' })
  assert.equal(await statusOf(), 'undone')
})

test('the command refuses what is no import, and a shop that is not there', async () => {
  for (const wrong of [{ id: 'whmcs' }, { id: app.tenantId }]) {
    assert.deepEqual(await undo(wrong), { code: 2, words: 'Import not found.' })
  }
  const other = await undo({ id, host: 'nowhere.test' })
  assert.deepEqual(other, { code: 2, words: 'There is no shop nowhere.test.' })
})

test('the command names what stands in the way of undoing an import', async () => {
  const used = await imported(app, smallDump({ tblclients: [{}], tblhosting: [{ id: 2 }] }))
  await admin.post(`/v1/admin/imports/${used.id}/begin-renewals`, {
    ...DECIDED,
    price: 'keep_total',
  })
  const { code, words } = await undo({ id: used.id })
  assert.equal(code, 2)
  assert.match(
    words,
    /^This import cannot be undone, because its records are in use\..* renewals: 1 \(/,
  )
})

test('the changes between a dry run and the final dump are listed', async () => {
  const there = await testApp(null)
  const staff = await person(there, { admin: true })
  const client = (clientId: number, firstname: string) => {
    return { id: clientId, firstname, email: `c${clientId}@example.com` }
  }
  const tested = await imported(
    there,
    smallDump({
      tblclients: [client(1, 'Ada'), client(2, 'Grace'), client(3, 'Edith')],
      tblhosting: [{ id: 7 }, { id: 8 }],
    }),
    { dryRun: true },
  )
  const final = await imported(
    there,
    smallDump({
      tblclients: [client(1, 'Ada'), client(2, 'Hopper'), client(4, 'Mary')],
      tblhosting: [{ id: 7, amount: '12.00', domainstatus: 'Suspended' }, { id: 8 }],
      tblpricing: [{ monthly: '12.00' }],
    }),
  )
  const url = `/v1/admin/imports/${final.id}/changes`
  const first = await staff.get(`${url}?limit=3`)
  assert.equal(first.status, 200, first.text)
  assert.equal(first.body.comparedWith, tested.id)
  const counted = first.body.counts.map((it: object) => Object.values(it).join(' '))
  assert.deepEqual(counted, [
    ...['people changed 1', 'people gone 1', 'people new 1', 'prices changed 1'],
    'services changed 1',
  ])
  const second = await staff.get(`${url}?limit=3&cursor=${first.body.nextCursor}`)
  const rows: Record<string, unknown>[] = [...first.body.data, ...second.body.data]
  assert.equal(second.body.nextCursor, null)
  assert.deepEqual(
    rows.map((it) => [it.resource, it.id, it.change, it.formerAmount, it.amount, it.facts]),
    [
      ['people', '2', 'changed', 0, 0, 'active'],
      ['people', '3', 'gone', 0, null, null],
      ['people', '4', 'new', null, 0, 'active'],
      ['prices', '1', 'changed', null, null, '1:1200'],
      ['services', '7', 'changed', 1000, 1200, 'suspended Monthly 2099-01-15'],
    ],
  )
  const csv = await staff.get(`${url}/csv`)
  assert.equal(csv.text.trim().split('\r\n').length, 6)
  assert.equal((await staff.get(`${url}?cursor=x`)).status, 400)
  const none = await staff.get(`/v1/admin/imports/${tested.id}/changes`)
  assert.deepEqual([none.body.comparedWith, none.body.data], [null, []])
})
