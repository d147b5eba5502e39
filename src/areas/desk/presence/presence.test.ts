import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desk } from '#desk'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { until } from '#test/app.ts'
import type { Client } from '#test/client.ts'
import { otherTenant, type Person, person } from '#test/people.ts'
import { openStream } from '#test/stream.ts'
import { world } from '#test/world.ts'

const URL = '/v1/admin/presence'
const { app, owner, admin, objects, tenantId } = await world()
const { database, clock } = app.deps

function idOf(path: string): string {
  const id = objects.get(path)
  assert.ok(id, path)
  return id
}

const OBJECTS = {
  ticket: idOf('/v1/admin/tickets/:id'),
  user: owner.userId,
  service: idOf('/v1/admin/services/:id'),
  order: idOf('/v1/admin/orders/:id'),
  invoice: idOf('/v1/admin/invoices/:id'),
} as const
const NEEDED = {
  ...{ ticket: 'tickets:read', user: 'users:read', service: 'services:read' },
  ...{ order: 'orders:read', invoice: 'invoices:read' },
} as const
type Kind = keyof typeof OBJECTS
const KINDS = Object.keys(OBJECTS) as Kind[]

/** A member of staff who may read all of these objects. */
const staff = (name: string) => person(app, { permissions: Object.values(NEEDED), name })

/** The others at an object, as the response to a heartbeat names them. */
async function others(by: Client, kind: Kind, more: { id?: string; writing?: boolean } = {}) {
  const { status, body, text } = await by.put(URL, { kind, id: OBJECTS[kind], ...more })
  assert.equal(status, 200, text)
  return body.others.map((it: Record<string, unknown>) => [it.name, it.writing])
}

const left = (by: Client, kind: Kind, id: string = OBJECTS[kind]) =>
  by.delete(`${URL}?kind=${kind}&id=${id}`)

for (const kind of KINDS) {
  test(`staff see who else has the same ${kind} open, until they leave`, async () => {
    const [lea, tom] = [await staff('Léa'), await staff('Tom')]
    assert.deepEqual(await others(lea, kind), [])
    assert.deepEqual(await others(tom, kind), [['Léa', false]])
    assert.deepEqual(await others(lea, kind, { writing: true }), [['Tom', false]])
    assert.deepEqual(await others(tom, kind), [['Léa', true]])
    assert.deepEqual(await others(lea, kind), [['Tom', false]])
    assert.deepEqual(await others(tom, kind), [['Léa', false]])
    assert.deepEqual((await left(lea, kind)).body, { id: OBJECTS[kind], deleted: true })
    assert.deepEqual(await others(tom, kind), [])
    assert.equal((await left(lea, kind)).status, 200)
    await left(tom, kind)
  })

  test(`the presence at a ${kind} needs the permission to read it`, async () => {
    const permissions = Object.values(NEEDED).filter((it) => it !== NEEDED[kind])
    const [outsider, customer] = [await person(app, { permissions }), await person(app)]
    for (const by of [outsider, customer]) {
      const refused = [await by.put(URL, { kind, id: OBJECTS[kind] }), await left(by, kind)]
      for (const { status, body } of refused) assert.equal(status, 403, body.code)
    }
  })

  test(`a ${kind} of another tenant, or none, is a 404`, async () => {
    const there = await otherTenant(app, `${kind}.example`)
    const stranger = await person(app, { admin: true, tenantId: there })
    const lea = await staff('Léa')
    await others(lea, kind)
    for (const [by, id] of [
      [stranger, OBJECTS[kind]],
      [lea, newId()],
    ] as const) {
      const { status, body } = await by.put(URL, { kind, id })
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
    assert.equal((await left(stranger, kind)).status, 200)
    const tom = await staff('Tom')
    assert.deepEqual(await others(tom, kind), [['Léa', false]])
    for (const by of [lea, tom]) await left(by, kind)
  })
}

test('a ticket of a department of another group is a 404', async () => {
  const lea = await staff('Léa')
  const { id } = (await admin.get(`/v1/admin/tickets/${OBJECTS.ticket}`)).body.department
  const { body: group } = await admin.post('/v1/admin/rbac/groups', { name: 'Second level' })
  const changed = await admin.patch(`/v1/admin/departments/${id}`, { groupIds: [group.id] })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await lea.put(URL, { kind: 'ticket', id: OBJECTS.ticket })).status, 404)
  await admin.patch(`/v1/admin/departments/${id}`, { groupIds: [] })
  assert.equal((await lea.put(URL, { kind: 'ticket', id: OBJECTS.ticket })).status, 200)
  await left(lea, 'ticket')
})

const wrong = [
  ['of an unknown kind', { kind: 'secret', id: newId() }, 'kind'],
  ['of a wrong id', { kind: 'order', id: '7' }, 'id'],
  ['of a wrong state', { kind: 'order', id: newId(), writing: 'yes' }, 'writing'],
] as const

for (const [what, body, path] of wrong) {
  test(`a heartbeat ${what} is refused with 400 that names ${path}`, async () => {
    const answer = await admin.put(URL, body)
    assert.equal(answer.status, 400)
    assert.equal(answer.body.details[0].path, path)
  })
}

test('presence ends 60 seconds after the last heartbeat, and its rows are deleted', async () => {
  const [lea, tom] = [await staff('Léa'), await staff('Tom')]
  await others(lea, 'order', { writing: true })
  clock.advance(59_000)
  assert.deepEqual(await others(tom, 'order'), [['Léa', true]])
  clock.advance(1_000)
  assert.deepEqual(await others(tom, 'order'), [])
  const rows = async () => (await rowsOf(lea)).length + (await rowsOf(tom)).length
  await left(tom, 'order')
  assert.equal(await rows(), 1)
  await app.advance(5 * 60)
  assert.equal(await rows(), 0)
})

async function rowsOf({ userId }: Person) {
  const { rows } = await database.execute('select kind from desk.presence where user_id = $1', [
    userId,
  ])
  return rows
}

test('the others receive an event when somebody comes, begins to write, and leaves, and none in between', async () => {
  const [lea, tom, eve] = [await staff('Léa'), await staff('Tom'), await staff('Eve')]
  const stream = await openStream({ url: app.url, token: lea.token })
  const apart = await openStream({ url: app.url, token: eve.token })
  for (const it of [stream, apart]) await it.heard('unread')
  await others(lea, 'ticket')
  await others(eve, 'order')
  await others(tom, 'ticket')
  await stream.heard('presence')
  await others(tom, 'ticket')
  await others(tom, 'ticket', { writing: true })
  await stream.heard('presence', 2)
  await others(tom, 'ticket', { writing: true })
  await left(tom, 'ticket')
  const events = await stream.heard('presence', 3)
  assert.deepEqual(
    events.map(({ data }) => data),
    Array.from({ length: 3 }, () => ({ kind: 'ticket', id: OBJECTS.ticket })),
  )
  assert.equal(apart.events.filter(({ event }) => event === 'presence').length, 0)
  for (const it of [stream, apart]) it.close()
  await left(lea, 'ticket')
  await left(eve, 'order')
})

test('heartbeats are not in the audit log, and a refused one is', async () => {
  const lea = await staff('Léa')
  await others(lea, 'user')
  await left(lea, 'user')
  assert.equal((await lea.put(URL, { kind: 'user', id: newId() })).status, 404)
  const entries = await until('the refused one is in the log', async () => {
    const { body } = await admin.get(`/v1/admin/audit-logs?actorId=${lea.userId}`)
    return body.data?.length > 0 && body.data
  })
  assert.deepEqual(
    entries.map((it: Record<string, unknown>) => it.statusCode),
    [404],
  )
})

test('where a person was seen is in their data, and is deleted with their account', async () => {
  const lea = await staff('Léa')
  await others(lea, 'invoice')
  const db = database.of(tenantId)
  const kept = async () => JSON.stringify(await desk.personalData?.(db, lea))
  assert.ok((await kept()).includes(OBJECTS.invoice))
  const leaving = { ...lea, emails: [lea.email], forfeitCredit: false }
  await transact(db, async (tx) => desk.erase?.(tx, leaving, clock.now()))
  assert.equal(await kept(), '{"savedViews":[],"openPages":[]}')
})
