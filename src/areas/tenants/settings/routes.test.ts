import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { areas } from '#app/areas.ts'
import type { Area } from '#platform/area.ts'
import { openSetting, SecretSetting, settings, settingsOf } from '#tenants'
import { testApp } from '#test/app.ts'
import { contents } from '#test/contents.ts'
import { provisioningIn } from '#test/eggs.ts'
import { otherTenant, person } from '#test/people.ts'
import { settingsTexts } from './labels/index.ts'

const SETTINGS = '/v1/admin/settings'

/** A section as an area declares one, with a secret in it. */
const lampSettings = settings(
  'lamp',
  Type.Object({
    brightness: Type.Integer({ minimum: 0, maximum: 10, default: 5 }),
    rooms: Type.Array(Type.String({ maxLength: 20 }), { default: [], maxItems: 3 }),
    key: SecretSetting('What switches the lamp on'),
  }),
)
const lamps: Area = { name: 'lamps', settings: [lampSettings] }

const app = await testApp(null, { areas: [...areas, lamps] })
const admin = await person(app, { admin: true })
const tenantId = await otherTenant(app, 'other.example')
const other = await person(app, { tenantId, admin: true })

test('every section of every area is listed, with what holds and what would hold', async () => {
  const { status, body } = await admin.get(SETTINGS)
  assert.equal(status, 200)
  const declared = app.deps.areas.flatMap((area) => area.settings ?? [])
  assert.deepEqual(Object.keys(body.values).sort(), declared.map(({ name }) => name).sort())
  for (const { name, schema } of declared) {
    assert.deepEqual(Object.keys(body.values[name]), Object.keys(schema.properties), name)
    assert.deepEqual(Object.keys(body.defaults[name]), Object.keys(schema.properties), name)
  }
  assert.deepEqual(body.values.lamp, { brightness: 5, rooms: [], key: null })
  assert.equal(body.updatedAt.lamp, null)
})

test('a change holds from the next request on, leaves the rest, and null takes it back', async () => {
  const first = await admin.patch(SETTINGS, { lamp: { brightness: 9, rooms: ['hall'] } })
  assert.equal(first.status, 200)
  assert.deepEqual(first.body.values.lamp, { brightness: 9, rooms: ['hall'], key: null })
  assert.equal(first.body.defaults.lamp.brightness, 5)
  assert.ok(first.body.updatedAt.lamp)
  const second = await admin.patch(SETTINGS, { lamp: { brightness: null }, store: {} })
  assert.deepEqual(second.body.values.lamp, { brightness: 5, rooms: ['hall'], key: null })
  assert.deepEqual((await admin.get(SETTINGS)).body, second.body)
  const db = app.deps.database.of(app.tenantId)
  assert.equal((await settingsOf(db, app.tenantId, lampSettings)).brightness, 5)
})

test('a setting works where it is used', async () => {
  const { body: product } = await admin.post('/v1/admin/products', {
    name: 'Mumble',
    provisioning: await provisioningIn(app),
  })
  const plan = { productId: product.id, name: 'Monthly', interval: 'month', priceCents: 100 }
  const { body: bought } = await admin.post('/v1/admin/plans', plan)
  await admin.post(`/v1/admin/products/${product.id}/publish`)
  const two = { planId: bought.id, quantity: 2 }
  await admin.patch(SETTINGS, { store: { maxUnitsPerOrder: 1 } })
  assert.equal((await admin.post('/v1/cart/items', two)).status, 422)
  await admin.patch(SETTINGS, { store: { maxUnitsPerOrder: null } })
  assert.equal((await admin.post('/v1/cart/items', two)).status, 201)
})

test('a tenant’s settings are its own', async () => {
  await admin.patch(SETTINGS, { lamp: { brightness: 1 } })
  assert.equal((await other.get(SETTINGS)).body.values.lamp.brightness, 5)
  await other.patch(SETTINGS, { lamp: { brightness: 2 } })
  assert.equal((await admin.get(SETTINGS)).body.values.lamp.brightness, 1)
})

test('a secret is written and never shown: masked in answers, sealed in the database', async () => {
  const key = 'sk_lamp_0123456789_wxyz'
  const { body, text } = await admin.patch(SETTINGS, { lamp: { key } })
  assert.equal(body.values.lamp.key, '••••wxyz')
  assert.ok(!text.includes(key))
  assert.ok(!(await admin.get(SETTINGS)).text.includes(key))
  const { rows } = await app.deps.database.execute(
    'select values::text as text from tenants.settings',
  )
  assert.ok(rows.length > 0)
  for (const row of rows) assert.ok(!String(row.text).includes(key))
  const { database, secrets } = app.deps
  const place = { tenantId: app.tenantId, section: 'lamp', field: 'key' }
  const values = await settingsOf(database.of(app.tenantId), app.tenantId, lampSettings)
  assert.equal(openSetting(secrets, place, values.key), key)
  assert.throws(() => openSetting(secrets, { ...place, tenantId }, values.key))
  await admin.patch(SETTINGS, { lamp: { brightness: 3 } })
  assert.equal((await admin.get(SETTINGS)).body.values.lamp.key, '••••wxyz')
  assert.equal(
    (await admin.patch(SETTINGS, { lamp: { key: 'short' } })).body.values.lamp.key,
    '••••',
  )
  assert.equal((await admin.patch(SETTINGS, { lamp: { key: null } })).body.values.lamp.key, null)
})

const REFUSED = [
  ['a section nobody has', { nonsense: {} }, 'nonsense'],
  ['a field nobody has', { lamp: { colour: 'red' } }, 'lamp.colour'],
  ['a value of another kind', { lamp: { brightness: '5' } }, null],
  ['a value out of its range', { lamp: { brightness: 11 } }, 'lamp.brightness'],
  ['a list that is too long', { lamp: { rooms: ['a', 'b', 'c', 'd'] } }, 'lamp.rooms'],
  ['a section that is null', { lamp: null }, 'lamp'],
  ['what is inherited', { lamp: JSON.parse('{"__proto__":{"polluted":1}}') }, null],
] as const

for (const [what, change, path] of REFUSED) {
  test(`${what} is refused, and nothing of the change is written`, async () => {
    const before = await contents(app)
    const answer = await admin.patch(SETTINGS, { store: { maxUnitsPerOrder: 7 }, ...change })
    assert.equal(answer.status, 400, answer.text)
    if (path) assert.equal(answer.body.details[0].path, path)
    assert.deepEqual(await contents(app), before)
  })
}

test('a change without fields changes nothing', async () => {
  const before = await contents(app)
  for (const change of [undefined, {}, { lamp: {} }]) {
    assert.equal((await admin.patch(SETTINGS, change)).status, 200)
  }
  assert.deepEqual(await contents(app), before)
})

test('reading takes one permission, changing another', async () => {
  const reader = await person(app, { permissions: ['settings:read'] })
  const clerk = await person(app, { permissions: ['store:*'] })
  assert.equal((await reader.get(SETTINGS)).status, 200)
  assert.equal((await reader.patch(SETTINGS, {})).status, 403)
  assert.equal((await clerk.get(SETTINGS)).status, 403)
})

test('a change is in the audit log', async () => {
  await admin.patch(SETTINGS, { lamp: { brightness: 4 } })
  const { body } = await admin.get('/v1/admin/audit-logs')
  const [newest] = body.data
  assert.deepEqual([newest.method, newest.route], ['PATCH', SETTINGS])
})

test('the version of the settings is the same in every language, and another after each change', async () => {
  const tagIn = async (language: string) => {
    const { headers } = await admin.get(SETTINGS, { headers: { 'accept-language': language } })
    return headers.etag ?? ''
  }
  const tag = await tagIn('fr')
  assert.equal(await tagIn('en'), tag)
  const change = (brightness: number) =>
    admin.request(
      'PATCH',
      SETTINGS,
      { lamp: { brightness } },
      { headers: { 'if-match': tag, 'accept-language': 'en' } },
    )
  const first = await change(7)
  assert.equal(first.status, 200, first.text)
  assert.equal(await tagIn('fr'), first.headers.etag)
  const second = await change(8)
  assert.deepEqual([second.status, second.body.code], [412, 'changed_meanwhile'])
})

const OWN = new Set(['lamp'])

for (const language of ['en', 'fr']) {
  test(`every setting is described with its limits, in ${language}`, async () => {
    const headers = { 'accept-language': language }
    const { body } = await admin.get(SETTINGS, { headers })
    const { fields } = body
    const declared = app.deps.areas.flatMap((area) => area.settings ?? [])
    const paths = declared.flatMap(({ name, schema }) =>
      Object.keys(schema.properties).map((field) => `${name}.${field}`),
    )
    assert.deepEqual(
      fields.map(({ path }: { path: string }) => path),
      paths,
    )
    const texts = settingsTexts(language)
    for (const { path, section, label, sectionLabel, description } of fields) {
      if (OWN.has(section)) continue
      assert.equal(label, texts.labels[path], path)
      assert.equal(sectionLabel, texts.groups[section], path)
      assert.ok(description, path)
      if (language !== 'en') assert.equal(description, texts.descriptions[path], path)
    }
    const known = [...Object.keys(texts.labels), ...Object.keys(texts.descriptions)]
    assert.deepEqual(
      known.filter((path) => !paths.includes(path)),
      [],
    )
    const days = fields.find(({ path }: { path: string }) => path === 'billing.paymentDays')
    const { kind, unit, minimum, maximum } = days
    assert.deepEqual(
      { kind, unit, minimum, maximum },
      {
        ...{ kind: 'number', unit: 'days', minimum: 0, maximum: 365 },
      },
    )
  })
}
