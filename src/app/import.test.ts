import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { smallDump } from '#test/small-whmcs.ts'
import { importUndo } from './import.ts'
import type { Place } from './task.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })
const { id } = await imported(app, smallDump({ tblclients: [{}], tblhosting: [{}] }))

/** What the command prints and complains of, and its exit code. */
async function undo(wanted: { id: string; dryRun?: boolean; host?: string }) {
  const words: string[] = []
  const say = (text: string) => void words.push(text)
  const { config, database } = app.deps
  const place: Place = { config, database, print: say, complain: say, isTerminal: false }
  const code = await importUndo.run(place, { host: null, dryRun: false, ...wanted })
  return { code, words: words.join('\n') }
}

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
  await admin.post(`/v1/admin/imports/${used.id}/begin-renewals`, { price: 'keep_total' })
  const { code, words } = await undo({ id: used.id })
  assert.equal(code, 2)
  assert.match(
    words,
    /^This import cannot be undone, because its records are in use\..* renewals: 1 \(/,
  )
})
