import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import { person } from '#test/people.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const shop = await billingShop()
const { app, admin } = shop
const LOGS = '/v1/admin/audit-logs'
const db = app.deps.database

async function lastOf(objectId: string) {
  const { data } = (await admin.get(`${LOGS}?objectId=${objectId}&method=PATCH`)).body
  return data[0]
}

async function everythingChained(): Promise<void> {
  await until('the chain to hold everything', async () => {
    const { rows } = await db.execute('select count(*)::int as waiting from audit.pending')
    if (rows[0]?.waiting === 0) return true
    await app.deps.queue.runSchedules()
    return false
  })
}

const verified = async () => (await admin.get(`${LOGS}/verify`)).body

test('an edit is recorded with the names of actor and object, and its values before and after', async () => {
  const ada = await person(app, { name: 'Ada Lovelace' })
  await admin.patch(`/v1/admin/users/${ada.userId}`, { company: 'Engines Ltd' })
  const entry = await lastOf(ada.userId)
  assert.deepEqual(entry.changes, [{ path: 'company', before: null, after: 'Engines Ltd' }])
  assert.deepEqual(entry.object, { kind: 'user', name: 'Ada Lovelace' })
  const { name, email } = (await admin.get('/v1/users/me')).body
  assert.equal(entry.actorName, name || email)
  await everythingChained()
  assert.deepEqual(await lastOf(ada.userId), {
    ...entry,
    sequence: (await lastOf(ada.userId)).sequence,
  })
})

test('an edit that changes nothing, and one that is refused, have no differences', async () => {
  const { body: role } = await admin.post('/v1/admin/rbac/roles', {
    ...{ name: 'Support', permissions: ['store:read'] },
  })
  await admin.patch(`/v1/admin/rbac/roles/${role.id}`, { name: 'Support' })
  assert.deepEqual((await lastOf(role.id)).changes, [])
  const refused = await admin.patch(`/v1/admin/rbac/roles/${role.id}`, {
    permissions: ['none:such'],
  })
  assert.ok(refused.status >= 400)
  assert.deepEqual((await lastOf(role.id)).changes, [])
  assert.deepEqual((await lastOf(role.id)).object, { kind: 'role', name: 'Support' })
})

test('that a secret was changed is recorded, and neither value of it', async () => {
  const [gateway] = (await admin.get('/v1/admin/gateways')).body.data
  const secretKey = shop.provider.secretKey
  const { status, text } = await admin.patch(`/v1/admin/gateways/${gateway.id}`, {
    ...{ name: 'Bank cards', secrets: { secretKey } },
  })
  assert.equal(status, 200, text)
  const { changes } = await lastOf(gateway.id)
  assert.deepEqual(changes[0], { path: 'name', before: gateway.name, after: 'Bank cards' })
  await everythingChained()
  const { rows } = await db.execute('select changes::text as text from audit.changes')
  assert.ok(rows.length > 0)
  assert.ok(rows.every((row) => !String(row.text).includes(secretKey.slice(-8))))
})

test('the export names people and objects, and has the differences in words', async () => {
  const ada = await person(app, { name: 'Grace Hopper' })
  await admin.patch(`/v1/admin/users/${ada.userId}`, { company: 'Compilers' })
  const { text } = await admin.get(`${LOGS}/export?objectId=${ada.userId}&method=PATCH`)
  assert.match(text, /Grace Hopper/)
  assert.match(text, /company: null → ""Compilers""/)
})

test('a changed difference is found by the verification', async () => {
  const ada = await person(app)
  await admin.patch(`/v1/admin/users/${ada.userId}`, { company: 'Real Ltd' })
  await everythingChained()
  assert.equal((await verified()).valid, true)
  const { id, sequence } = await lastOf(ada.userId)
  const [{ changes }] = (await db.execute('select changes from audit.changes where id = $1', [id]))
    .rows as [{ changes: unknown }]
  const write = (value: unknown) =>
    db.execute('update audit.changes set changes = $2 where id = $1', [id, JSON.stringify(value)])
  await write([{ path: 'company', before: null, after: 'Forged Ltd' }])
  const { reason, brokenAt } = await verified()
  assert.deepEqual({ reason, brokenAt }, { reason: 'personal_changed', brokenAt: sequence })
  await write(changes)
  assert.equal((await verified()).valid, true)
})

test('with the account of a person goes what edits changed of it, and the chain holds', async () => {
  const ada = await person(app)
  await givePassword(app, ada.userId)
  await admin.patch(`/v1/admin/users/${ada.userId}`, { company: 'Forgotten Ltd' })
  await everythingChained()
  await admin.patch(`/v1/admin/users/${ada.userId}`, { company: 'Gone Ltd' })
  const { status, text } = await ada.delete('/v1/users/me', { password: PASSWORD })
  assert.ok(status < 300, text)
  const { data } = (await admin.get(`${LOGS}?objectId=${ada.userId}&method=PATCH`)).body
  assert.deepEqual(
    data.map(({ changes, object }: { changes: []; object: { name: string } | null }) => [
      changes,
      object?.name.includes('Lovelace') ?? false,
    ]),
    [
      [[], false],
      [[], false],
    ],
  )
  await everythingChained()
  assert.equal((await verified()).valid, true)
})

test('differences are erased after a year', async () => {
  const ada = await person(app)
  await admin.patch(`/v1/admin/users/${ada.userId}`, { company: 'Old Ltd' })
  await everythingChained()
  await app.advance(366 * 24 * 60 * 60)
  await until('they are gone', async () => {
    await app.deps.queue.runSchedules()
    const { rows } = await db.execute(
      `select count(*)::int as left from audit.changes where changes::text like '%Old Ltd%'`,
    )
    return rows[0]?.left === 0
  })
})
