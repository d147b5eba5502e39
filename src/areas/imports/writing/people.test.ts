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

test('people keep their language, and have English where theirs is not spoken here', async () => {
  const languages = ['german', 'French', 'portuguese-br', 'dutch', 'polish', 'norwegian', '']
  const tblclients = languages.map((language, index) => ({
    ...{ id: index + 21, email: `l${index}@example.net`, language },
  }))
  await importDump(app, smallDump({ tblclients }))
  const { body } = await admin.get('/v1/admin/users?limit=100')
  const people: { email: string; locale: string }[] = body.data
  const found = people.filter(({ email }) => email.endsWith('@example.net'))
  assert.deepEqual(
    found.sort((one, other) => one.email.localeCompare(other.email)).map(({ locale }) => locale),
    ['de', 'fr', 'pt', 'nl', 'pl', 'en', 'en'],
  )
})

test('notes, custom fields and contacts come along as facts, and a confirmed address stays confirmed', async () => {
  const tblclients = [
    { id: 11, email: 'noted@example.com', notes: 'Pays late.\r\nCall first.', email_verified: 1 },
    { id: 12, email: 'plain@example.com', notes: '', email_verified: 0 },
  ]
  await importDump(
    app,
    smallDump({
      tblclients,
      tblcustomfields: [
        { id: 1, type: 'client', relid: 0, fieldname: 'discord|Discord ID', fieldtype: 'text' },
        { id: 2, type: 'client', relid: 0, fieldname: 'PIN', fieldtype: 'password' },
        { id: 3, type: 'product', relid: 1, fieldname: 'Server name', fieldtype: 'text' },
      ],
      tblcustomfieldsvalues: [
        { fieldid: 1, relid: 11, value: '80351110224678912' },
        { fieldid: 2, relid: 11, value: 'sealed' },
        { fieldid: 3, relid: 11, value: 'Survival' },
        { fieldid: 1, relid: 12, value: '' },
      ],
      tblcontacts: [
        {
          ...{ id: 1, userid: 11, firstname: 'Bo', lastname: 'Accountant', companyname: '' },
          ...{ email: 'books@example.com', phonenumber: '' },
        },
      ],
    }),
  )
  const { body } = await admin.get('/v1/admin/users?limit=100')
  const found = (email: string) => body.data.find((it: { email: string }) => it.email === email)
  const noted = found('noted@example.com')
  assert.equal(noted.emailVerifiedAt, noted.createdAt)
  assert.equal(found('plain@example.com').emailVerifiedAt, null)
  const url = `/v1/admin/users/${noted.id}/facts`
  const { data } = (await admin.get(url)).body
  assert.deepEqual(
    data.map(({ label, text }: { label: string; text: string }) => [label, text]),
    [
      ['Notes', 'Pays late.\nCall first.'],
      ['Discord ID', '80351110224678912'],
      ['Contact', 'Bo Accountant, books@example.com'],
    ],
  )
  const plain = await admin.get(`/v1/admin/users/${found('plain@example.com').id}/facts`)
  assert.deepEqual(plain.body.data, [])
  assert.equal((await admin.delete(`${url}/${data[0].id}`)).status, 200)
  assert.equal((await admin.delete(`${url}/${data[0].id}`)).status, 404)
  assert.equal((await admin.get(url)).body.data.length, 2)
})
