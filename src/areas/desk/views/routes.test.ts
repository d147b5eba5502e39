import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desk } from '#desk'
import { transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { apiKey, otherTenant, type Person, person } from '#test/people.ts'

const URL = '/v1/admin/views'
const OVERDUE = {
  ...{ screen: 'invoices', name: 'Overdue, oldest first' },
  ...{ query: 'overdue=true&sort=oldest', hiddenColumns: ['kind'] },
}

const app = await testApp(null)
const owner = await person(app, { admin: true })

/** A member of staff with these permissions. */
function staff(...permissions: string[]): Promise<Person> {
  return person(app, { permissions })
}

async function save(by: Client, fields: object = {}) {
  const answer = await by.post(URL, { ...OVERDUE, ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function names(by: Client, screen = 'invoices'): Promise<string[]> {
  const { status, body } = await by.get(`${URL}?screen=${screen}&limit=100`)
  assert.equal(status, 200)
  return body.data.map(({ name }: { name: string }) => name)
}

test('a view is saved, read, renamed and deleted by its owner', async () => {
  const lea = await staff('invoices:read')
  const view = await save(lea)
  const { id, createdAt, ...rest } = view
  assert.ok(createdAt)
  assert.deepEqual(rest, { ...OVERDUE, shared: false, own: true, owner: lea.name })
  assert.deepEqual((await lea.get(`${URL}/${id}`)).body, view)
  const renamed = await lea.patch(`${URL}/${id}`, { name: 'Late' })
  assert.deepEqual(renamed.body, { ...view, name: 'Late' })
  assert.deepEqual(await names(lea), ['Late'])
  assert.deepEqual(await names(lea, 'credit_notes'), [])
  assert.deepEqual((await lea.delete(`${URL}/${id}`)).body, { id, deleted: true })
  assert.equal((await lea.delete(`${URL}/${id}`)).status, 404)
  assert.deepEqual(await names(lea), [])
})

test('others see a view only while it is shared, and never change it', async () => {
  const [lea, tom] = [await staff('invoices:read'), await staff('invoices:read')]
  const name = 'Of Léa'
  const { id } = await save(lea, { name })
  assert.deepEqual(await names(tom), [])
  assert.equal((await tom.get(`${URL}/${id}`)).status, 404)
  await lea.patch(`${URL}/${id}`, { shared: true })
  const { body } = await tom.get(`${URL}?screen=invoices`)
  assert.deepEqual(
    body.data.map((it: Record<string, unknown>) => [it.name, it.own, it.owner]),
    [[name, false, lea.name]],
  )
  assert.equal((await tom.patch(`${URL}/${id}`, { name: 'Mine' })).status, 404)
  assert.equal((await tom.delete(`${URL}/${id}`)).status, 404)
  assert.equal((await owner.delete(`${URL}/${id}`)).status, 404)
  await lea.patch(`${URL}/${id}`, { shared: false })
  assert.deepEqual(await names(tom), [])
})

test('who may not read a list neither sees nor saves its views', async () => {
  const [lea, outsider] = [await staff('invoices:read'), await staff('tickets:read')]
  const { id } = await save(lea, { shared: true })
  const refused = [
    await outsider.get(`${URL}?screen=invoices`),
    await outsider.get(`${URL}/${id}`),
    await outsider.post(URL, OVERDUE),
  ]
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.code], [403, 'permission_missing'])
  }
  const all = await outsider.get(URL)
  assert.deepEqual([all.status, all.body.data], [200, []])
  assert.equal((await lea.get(URL)).body.data[0].id, id)
  const customer = await person(app)
  assert.equal((await customer.get(`${URL}?screen=invoices`)).status, 403)
  const tenantId = await otherTenant(app, 'other.example')
  const stranger = await person(app, { admin: true, tenantId })
  assert.equal((await stranger.get(`${URL}/${id}`)).status, 404)
  assert.deepEqual(await names(stranger), [])
  await lea.delete(`${URL}/${id}`)
})

test('a name is used once per list and person', async () => {
  const [lea, tom] = [await staff('invoices:read'), await staff('invoices:read')]
  await save(lea)
  const again = await lea.post(URL, OVERDUE)
  assert.deepEqual([again.status, again.body.code], [409, 'name_taken'])
  await save(lea, { screen: 'refunds' })
  await save(tom)
  const { id } = await save(lea, { name: 'Another' })
  const renamed = await lea.patch(`${URL}/${id}`, { name: OVERDUE.name })
  assert.deepEqual([renamed.status, renamed.body.code], [409, 'name_taken'])
})

test('nobody saves more than 50 views, also with two requests at once', async () => {
  const lea = await staff('invoices:read')
  for (let index = 0; index < 49; index += 1) await save(lea, { name: `View ${index}` })
  const last = await Promise.all(
    ['One', 'Other'].map((name) => lea.post(URL, { ...OVERDUE, name })),
  )
  assert.deepEqual(last.map(({ status }) => status).toSorted(), [201, 422])
  assert.equal(last.find(({ status }) => status === 422)?.body.code, 'too_many_views')
  const first = (await lea.get(`${URL}?screen=invoices&limit=30`)).body
  const rest = await lea.get(`${URL}?screen=invoices&limit=30&cursor=${first.nextCursor}`)
  const ids = [...first.data, ...rest.body.data].map(({ id }: { id: string }) => id)
  assert.equal(new Set(ids).size, 50)
})

const refused = [
  ['of an unknown list', { screen: 'secrets' }, 'screen'],
  ['without a name', { name: '' }, 'name'],
  ['with a name of 61 characters', { name: 'x'.repeat(61) }, 'name'],
  ['with a query of 2,001 characters', { query: 'x'.repeat(2001) }, 'query'],
  ['with a line break in its query', { query: 'q=a\nb' }, 'query'],
] as const

for (const [what, fields, path] of refused) {
  test(`a view ${what} is refused with 400 that names ${path}`, async () => {
    const { status, body } = await owner.post(URL, { ...OVERDUE, ...fields })
    assert.equal(status, 400)
    assert.equal(body.details[0].path, path)
  })
}

test('the views of a person are in their data, and go with their account', async () => {
  const lea = await staff('invoices:read')
  const { screen, name, query } = await save(lea, { name: 'Of one who leaves', shared: true })
  const db = app.deps.database.of(app.tenantId)
  const kept = async () => JSON.stringify(await desk.personalData?.(db, lea))
  for (const text of [screen, name, query]) assert.ok((await kept()).includes(text), text)
  const leaving = { ...lea, emails: [lea.email], forfeitCredit: false }
  await transact(db, async (tx) => desk.erase?.(tx, leaving, app.deps.clock.now()))
  assert.equal(await kept(), '{"savedViews":[],"openPages":[]}')
  assert.ok(!(await names(owner)).includes(name))
})

test('a key that only reads lists the views, and saves none', async () => {
  const lea = await staff('invoices:read')
  const reader = await apiKey(app, lea, { permission: 'read' })
  assert.deepEqual(await names(reader), [])
  assert.equal((await reader.post(URL, OVERDUE)).status, 403)
})
