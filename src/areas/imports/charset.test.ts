import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { endedImport, uploadDump, whmcsDump } from '#test/dumps.ts'
import { person } from '#test/people.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

test('a dump in latin1 is read as what it says it is (hardening 53)', async () => {
  const dump = whmcsDump({ clients: 20, schema: 8, seed: 'latin' }).content.toString()
  const text = dump
    .replaceAll('€', 'EUR')
    .replace(/[^\0-ÿ]/g, 'x')
    .replace('SET NAMES utf8', 'SET NAMES latin1')
  const content = Buffer.from(text, 'latin1')
  assert.ok(content.includes(Buffer.from([0xfa])), 'it has bytes that are no UTF-8')
  const { status, body } = await uploadDump(admin, content)
  assert.equal(status, 202)
  const ended = await endedImport(app, admin, body.id)
  assert.match(ended.status, /^completed/, JSON.stringify(ended.fault))
  const people = await app.deps.database
    .of(app.tenantId)
    .selectFrom('users.users')
    .select('name')
    .execute()
  const names = people.map(({ name }) => name).join(', ')
  assert.match(names, /Ben Núñez/)
  assert.doesNotMatch(names, /[ÃÂ\ufffd]/)
})
