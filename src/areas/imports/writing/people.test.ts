import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { person } from '#test/people.ts'
import { smallPaymenter } from '#test/small-paymenter.ts'
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

const DELETED = 'update users.users set deleted_at = created_at where id = $1'

test('facts about people who have an account here come along too, once, and with a newer dump', async () => {
  const [ada, gone] = [await person(app), await person(app)]
  const shop = (notes: string, contacts: readonly string[]) =>
    smallDump({
      tblclients: [
        { id: 41, email: ada.email, notes },
        { id: 42, email: 'grace@example.com', notes: 'Called.' },
        { id: 43, email: gone.email, notes: 'Has left.' },
      ],
      tblcontacts: contacts.map((firstname, index) => ({
        ...{ id: 41 + index, userid: 41, firstname, lastname: 'Byron', companyname: '' },
        ...{ email: `${firstname}@example.com`, phonenumber: '' },
      })),
    })
  const factsOf = async (email: string) => {
    const { body } = await admin.get('/v1/admin/users?limit=100')
    const { id } = body.data.find((it: { email: string }) => it.email === email)
    const { data } = (await admin.get(`/v1/admin/users/${id}/facts`)).body
    return data.map(({ text }: { text: string }) => text)
  }
  await importDump(app, shop('Pays early.', ['anna']))
  assert.deepEqual(await factsOf(ada.email), ['Pays early.', 'anna Byron, anna@example.com'])
  // What a deleted account leaves.
  for (const left of ['delete from users.facts where user_id = $1', DELETED]) {
    await app.deps.database.execute(left, [gone.userId])
  }
  await importDump(app, shop('Pays early.', ['anna', 'bob']))
  assert.deepEqual(await factsOf(ada.email), [
    ...['Pays early.', 'anna Byron, anna@example.com', 'bob Byron, bob@example.com'],
  ])
  assert.deepEqual(await factsOf('grace@example.com'), ['Called.'])
  const { rows } = await app.deps.database.execute(
    'select text from users.facts where user_id = $1',
    [gone.userId],
  )
  assert.deepEqual(rows, [])
})

test('everybody who had a second factor is listed: its secret is encrypted in the dump', async () => {
  const { report } = await importDump(
    app,
    smallDump({
      tblclients: [
        { id: 51, email: 'totp@example.com' },
        { id: 52, email: 'plain@example.net' },
      ],
      tblusers: [
        { id: 1, email: 'totp@example.com', second_factor: 'totp' },
        { id: 2, email: 'plain@example.net', second_factor: '' },
      ],
      tblusers_clients: [
        { id: 1, auth_user_id: 1, client_id: 51 },
        { id: 2, auth_user_id: 2, client_id: 52 },
      ],
    }),
  )
  const lost = report.warnings.find(({ code }) => code === 'second_factor_lost')
  assert.deepEqual(lost?.rows, ['51'])
})

test('people of a Paymenter speak the language that they chose, else that of the shop', async () => {
  const person = (id: number) => ({ id, email: `speaker${id}@example.com` })
  const chosen = { key: 'locale', value: 'fr', model_type: 'App\\Models\\User', model_id: 2 }
  const { report } = await importDump(
    app,
    smallPaymenter({
      settings: [
        { id: 1, key: 'default_currency', value: 'EUR' },
        { id: 2, key: 'app_language', value: 'de' },
      ],
      users: [person(1), person(2), { ...person(3), tfa_secret: 'eyJpdiI6' }],
      properties: [{ id: 1, ...chosen }],
    }),
  )
  const { rows } = await app.deps.database.execute(
    `select locale from users.users where email like 'speaker%' order by email`,
  )
  assert.deepEqual(
    rows.map(({ locale }) => locale),
    ['de', 'fr', 'de'],
  )
  const lost = report.warnings.find(({ code }) => code === 'second_factor_lost')
  assert.deepEqual(lost?.rows, ['3'])
})
