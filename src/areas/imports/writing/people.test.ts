import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { importDump, smallDump } from '#test/small-whmcs.ts'

const app = await testApp(null)
const admin = await person(app, { admin: true })

test('phone numbers come along, and each one that nobody could type here is listed', async () => {
  const phones = ['+33.102030405', ' 01 02 03 04 05 ', 'call my office', '', '1'.repeat(31)]
  const tblclients = phones.map((phonenumber, index) => ({
    ...{ id: index + 1, email: `c${index + 1}@example.com`, phonenumber },
  }))
  const { report } = await importDump(app, smallDump({ tblclients }))
  const left = report.warnings.find(({ code }) => code === 'phone_not_kept')
  assert.deepEqual(left?.rows, ['3', '5'])
  const { body } = await admin.get('/v1/admin/users?limit=100')
  const seen = body.data
    .filter(({ email }: { email: string }) => email.endsWith('@example.com'))
    .map(({ email, phone }: { email: string; phone: string | null }) => [email, phone])
  assert.deepEqual(Object.fromEntries(seen), {
    'c1@example.com': '+33.102030405',
    'c2@example.com': '01 02 03 04 05',
    'c3@example.com': null,
    'c4@example.com': null,
    'c5@example.com': null,
  })
})
