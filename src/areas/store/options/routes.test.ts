import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { json, transact } from '#platform/database/index.ts'
import { testApp } from '#test/app.ts'
import { panelEgg } from '#test/eggs.ts'
import { otherTenant, person } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*', 'nodes:*'] })
const { eggId, nodeId } = await panelEgg(app)
const limits = { memoryMb: 2048, diskMb: 10_240, cpuPercent: 100 }
const provisioning = { eggId, nodeIds: [nodeId], limits }
const shop = shopOf(admin, provisioning)
const [groups, options] = ['/v1/admin/option-groups', '/v1/admin/options']

/** The egg of the products, with these variables. */
async function variables(...named: { env: string; rules: string[]; editable?: boolean }[]) {
  const rows = named.map(({ env, rules, editable = true }, sort) => ({
    ...{ env, name: env, description: '', default: '20', rules, viewable: true, editable, sort },
  }))
  await transact(app.deps.database.of(app.tenantId), (tx) =>
    tx
      .updateTable('panel.eggs')
      .set({ variables: json(rows) })
      .where('tenantId', '=', app.tenantId)
      .where('id', '=', eggId)
      .execute(),
  )
}

async function groupOf(...productIds: string[]) {
  const made = await admin.post(groups, { name: 'Upgrades', productIds })
  assert.equal(made.status, 201, made.text)
  return made.body
}

const monthly = { interval: 'month', currency: 'EUR' }
const memory = (groupId: string) => ({
  ...{ groupId, key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB', max: 32 },
  effect: { kind: 'resource', amounts: { memoryMb: 1024 } },
  prices: [{ tier: 0, ...monthly, priceCents: 150 }],
})
const backups = (groupId: string) => ({
  ...{ groupId, key: 'backups', kind: 'select', name: 'Backups' },
  values: [
    { key: 'none', label: 'None', default: true },
    { key: 'daily', label: 'Daily', stock: 5 },
    { key: 'hourly', label: 'Hourly' },
  ],
  prices: [
    { value: 'none', ...monthly, priceCents: 0 },
    { value: 'daily', ...monthly, priceCents: 200 },
    { value: 'hourly', ...monthly, priceCents: 500, feeCents: 100 },
  ],
})

async function optionIn(groupId: string, more: object = {}) {
  const made = await admin.post(options, { ...memory(groupId), ...more })
  assert.equal(made.status, 201, made.text)
  return made.body
}

test('a group is created, changed, archived and restored with its products', async () => {
  const [first, second] = [await shop.product(), await shop.product()]
  const group = await groupOf(first.id)
  assert.deepEqual([group.productIds, group.options, group.archivedAt], [[first.id], [], null])
  const url = `${groups}/${group.id}`
  const change = { name: 'Extras', position: 3, productIds: [first.id, second.id] }
  const changed = await admin.patch(url, change)
  assert.equal(changed.status, 200, changed.text)
  const { body } = await admin.get(url)
  assert.deepEqual(body, { ...group, ...change })
  assert.ok((await admin.get(groups)).body.data.some((it: { id: string }) => it.id === group.id))
  assert.deepEqual((await admin.delete(url)).body, { id: group.id, deleted: true })
  assert.equal((await admin.delete(url)).status, 404)
  assert.equal((await admin.get(url)).status, 404)
  const archived = (await admin.get(`${groups}?archived=true`)).body.data
  assert.deepEqual([archived[0].id, archived[0].productIds.length], [group.id, 2])
  assert.deepEqual((await admin.post(`${url}/restore`)).body, body)
  const unknown = await admin.patch(url, { productIds: [newId()] })
  assert.deepEqual([unknown.status, unknown.body.details[0].path], [400, 'productIds'])
})

test('a slider is created with one tier, and a change of its tiers replaces its prices', async () => {
  const group = await groupOf()
  const made = await optionIn(group.id)
  const { tiers, prices, priceMode, display, step, warnings } = made
  assert.deepEqual(
    [tiers, priceMode, display, step, warnings],
    [[{ upTo: null }], 'per_unit', 'slider', 1, []],
  )
  const price = { interval: 'month', intervalCount: 1, currency: 'EUR', priceMicros: null }
  assert.deepEqual(prices, [{ value: null, tier: 0, ...price, priceCents: 150, feeCents: 0 }])
  const changed = await admin.patch(`${options}/${made.id}`, {
    ...{ priceMode: 'volume', tiers: [{ upTo: 8 }, { upTo: null }] },
    prices: [
      { tier: 0, ...monthly, priceCents: 150 },
      { tier: 1, ...monthly, priceCents: 100 },
    ],
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.body.warnings, ['tier_cliff'])
  assert.deepEqual((await admin.get(`${options}/${made.id}`)).body, changed.body)
  assert.deepEqual(
    changed.body.prices.map((it: { tier: number; priceCents: number }) => [it.tier, it.priceCents]),
    [
      [0, 150],
      [1, 100],
    ],
  )
})

test('an archived option leaves its group, and is offered again as it was once it is restored', async () => {
  const group = await groupOf()
  const { body: made } = await admin.post(options, backups(group.id))
  await admin.delete(`${options}/${made.id}`)
  assert.equal((await admin.get(`${options}/${made.id}`)).status, 404)
  const restored = await admin.post(`${options}/${made.id}/restore`)
  assert.deepEqual([restored.status, restored.body], [200, made])
  assert.deepEqual((await admin.get(`${options}/${made.id}`)).body, made)
})

test('an option and its values have texts by language, and the form of the shop has those of its reader', async () => {
  const { product } = await shop.offer({}, { name: 'Translated', slug: 'translated' })
  const group = await groupOf(product.id)
  const german = { name: 'Sicherungen', description: 'Kopien', values: { daily: 'Täglich' } }
  const { body: made } = await admin.post(options, {
    ...{ ...backups(group.id), translations: { de: german } },
  })
  assert.deepEqual(made.translations, { de: german })
  const inLanguage = async (language: string) => {
    const answer = await fetch(`${app.url}/v1/store/products/translated`, {
      headers: { 'accept-language': language },
    })
    const [option] = ((await answer.json()) as { orderForm: { options: (typeof made)[] } })
      .orderForm.options
    const labels = option.values.map(({ label }: { label: string }) => label)
    assert.equal(option.translations, undefined)
    return [option.name, option.description, ...labels]
  }
  assert.deepEqual(await inLanguage('de-CH'), [
    ...['Sicherungen', 'Kopien', 'None', 'Täglich', 'Hourly'],
  ])
  assert.deepEqual(await inLanguage('fr'), ['Backups', null, 'None', 'Daily', 'Hourly'])
  const url = `${options}/${made.id}`
  for (const translations of [
    { tlh: german },
    { de: { values: { 'A!': 'x' } } },
    { de: { key: 'x' } },
  ]) {
    const refused = await admin.patch(url, { translations })
    assert.equal(refused.status, 400, JSON.stringify(translations))
  }
  assert.deepEqual((await admin.patch(url, { name: 'Copies' })).body.translations, { de: german })
  assert.deepEqual((await admin.patch(url, { translations: {} })).body.translations, {})
})

test('an option is not restored into an archived group', async () => {
  const group = await groupOf()
  const { body: made } = await admin.post(options, backups(group.id))
  await admin.delete(`${options}/${made.id}`)
  await admin.delete(`${groups}/${group.id}`)
  const refused = await admin.post(`${options}/${made.id}/restore`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'], refused.text)
  const archived = (await admin.get(`${options}?archived=true&groupId=${group.id}`)).body.data
  assert.deepEqual([archived.length, archived[0].id], [1, made.id])
  await admin.post(`${groups}/${group.id}/restore`)
  assert.equal((await admin.post(`${options}/${made.id}/restore`)).status, 200)
})

test('a value that is left out is archived with its price, and listed again it is the same value', async () => {
  const group = await groupOf()
  const { body: made } = await admin.post(options, backups(group.id))
  const url = `${options}/${made.id}`
  const [none, daily, hourly] = made.values
  const without = await admin.patch(url, { values: backups('').values.slice(0, 2) })
  assert.equal(without.status, 200, without.text)
  const archived = without.body.values.at(-1)
  assert.deepEqual([archived.id, archived.key], [hourly.id, 'hourly'])
  assert.ok(archived.archivedAt)
  assert.equal(without.body.prices.length, 3)
  const again = await admin.patch(url, {
    values: [
      { key: 'hourly', label: 'Each hour' },
      { key: 'daily', label: 'Daily' },
    ],
  })
  assert.deepEqual(
    again.body.values.map((it: Record<string, unknown>) => [
      ...[it.id, it.label, it.stock, it.archivedAt === null],
    ]),
    [
      [hourly.id, 'Each hour', null, true],
      [daily.id, 'Daily', 5, true],
      [none.id, 'None', null, false],
    ],
  )
})

test('a toggle is on and off, and only on has a price', async () => {
  const group = await groupOf()
  const ip = {
    ...{ groupId: group.id, key: 'ip', kind: 'toggle', name: 'Own address' },
    values: [{ key: 'on', label: 'Yes', stock: 20 }],
    prices: [{ value: 'on', ...monthly, priceCents: 300, feeCents: 500 }],
  }
  const made = await admin.post(options, ip)
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(
    made.body.values.map((it: { key: string }) => it.key),
    ['on', 'off'],
  )
  const off = { prices: [{ value: 'off', ...monthly, priceCents: 0 }] }
  const refused = await admin.patch(`${options}/${made.body.id}`, off)
  assert.deepEqual([refused.status, refused.body.code], [422, 'option_invalid'])
})

const INVALID: [string, object, string, string][] = [
  ['a maximum below the minimum', { min: 40 }, 'option_invalid', 'max'],
  ['a maximum that no step reaches', { step: 5 }, 'option_invalid', 'max'],
  ['a required quantity', { required: true }, 'option_invalid', 'required'],
  ['two tiers per unit', { tiers: [{ upTo: 1 }, { upTo: null }] }, 'option_invalid', 'tiers'],
  [
    'tiers that do not ascend',
    { priceMode: 'graduated', tiers: [{ upTo: 9 }, { upTo: 9 }, { upTo: null }], prices: [] },
    'option_invalid',
    'tiers.1.upTo',
  ],
  [
    'a cycle with a price for one of two tiers',
    { priceMode: 'graduated', tiers: [{ upTo: 9 }, { upTo: null }] },
    'option_invalid',
    'prices',
  ],
  ['values of a quantity', { values: [{ key: 'on', label: 'On' }] }, 'option_invalid', 'values'],
  [
    'a price of a value',
    { prices: [{ value: 'on', ...monthly, priceCents: 1 }] },
    'option_invalid',
    'prices.0',
  ],
  [
    'more than a line may cost',
    { prices: [{ tier: 0, ...monthly, priceCents: 4_000_000 }] },
    'option_invalid',
    'prices',
  ],
  ['a pattern of a quantity', { pattern: 'a' }, 'option_invalid', 'pattern'],
]
for (const [what, more, code, path] of INVALID) {
  test(`${what} is refused at ${path}`, async () => {
    const group = await groupOf()
    const { status, body } = await admin.post(options, { ...memory(group.id), ...more })
    assert.deepEqual([status, body.code, body.details[0].path], [422, code, path])
    assert.deepEqual((await admin.get(`${options}?groupId=${group.id}`)).body.data, [])
  })
}

test('two prices of one tier, cycle and currency are refused, and so is an unknown currency', async () => {
  const group = await groupOf()
  const row = { tier: 0, ...monthly, priceCents: 150 }
  const twice = await admin.post(options, { ...memory(group.id), prices: [row, row] })
  assert.deepEqual([twice.status, twice.body.code], [422, 'price_twice'])
  const currency = { ...row, currency: 'XXQ' }
  const unknown = await admin.post(options, { ...memory(group.id), prices: [currency] })
  assert.deepEqual([unknown.status, unknown.body.details[0].path], [422, 'prices.0.currency'])
})

test('a text needs an expression that can be read', async () => {
  const group = await groupOf()
  const tag = { groupId: group.id, key: 'tag', kind: 'text', name: 'Tag', maxLength: 8 }
  const bad = await admin.post(options, { ...tag, pattern: '[' })
  assert.deepEqual([bad.status, bad.body.details[0].path], [422, 'pattern'])
  const prices = [{ ...monthly, priceCents: 0 }]
  const made = await admin.post(options, { ...tag, pattern: '[A-Z]+', prices })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(made.body.prices[0].tier, null)
})

test('a key stands once in a group, and once in a product', async () => {
  const { product } = await shop.offer()
  const [first, second] = [await groupOf(product.id), await groupOf()]
  await optionIn(first.id)
  const again = await admin.post(options, memory(first.id))
  assert.deepEqual([again.status, again.body.code], [409, 'option_key_taken'])
  const other = await optionIn(second.id)
  const linked = await admin.patch(`${groups}/${second.id}`, { productIds: [product.id] })
  assert.deepEqual([linked.status, linked.body.code], [409, 'option_twice'])
  assert.deepEqual((await admin.get(`${groups}/${second.id}`)).body.productIds, [])
  await admin.delete(`${options}/${other.id}`)
  const free = await admin.patch(`${groups}/${second.id}`, { productIds: [product.id] })
  assert.equal(free.status, 200, free.text)
  const restored = await admin.post(`${options}/${other.id}/restore`)
  assert.deepEqual([restored.status, restored.body.code], [409, 'option_twice'])
  const added = await admin.post(options, memory(second.id))
  assert.deepEqual([added.status, added.body.code], [409, 'option_twice'])
})

test('a product is not restored with a key that its groups came to have twice', async () => {
  const { product } = await shop.offer()
  const [first, second] = [await groupOf(product.id), await groupOf(product.id)]
  await optionIn(first.id)
  const url = `/v1/admin/products/${product.id}`
  await admin.delete(url)
  const twice = await optionIn(second.id)
  const refused = await admin.post(`${url}/restore`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'option_twice'], refused.text)
  const archived = (await admin.get('/v1/admin/products?archived=true&limit=100')).body.data
  assert.ok(
    archived.some(({ id }: { id: string }) => id === product.id),
    'it stays archived',
  )
  await admin.delete(`${options}/${twice.id}`)
  const restored = await admin.post(`${url}/restore`)
  assert.deepEqual([restored.status, restored.body.archivedAt], [200, null], restored.text)
})

test('more memory cannot be added to a product whose memory has no limit', async () => {
  const made = { ...provisioning, limits: { ...limits, memoryMb: 0 } }
  const { product } = await shop.offer({}, { provisioning: made, name: 'Unlimited' })
  const group = await groupOf(product.id)
  const refused = await admin.post(options, memory(group.id))
  assert.deepEqual([refused.status, refused.body.code], [422, 'effect_on_unlimited'])
  assert.equal(refused.body.details[0].path, 'options.memory.1')
  const elsewhere = await groupOf()
  await optionIn(elsewhere.id)
  const linked = await admin.patch(`${groups}/${elsewhere.id}`, { productIds: [product.id] })
  assert.deepEqual([linked.status, linked.body.code], [422, 'effect_on_unlimited'])
})

test('X18: a slider whose steps the egg refuses is not saved, and names 90 and 100', async () => {
  await variables({ env: 'MAX_PLAYERS', rules: ['required', 'integer', 'between:1,80'] })
  const { product } = await shop.offer()
  const group = await groupOf(product.id)
  const slots = {
    ...{ key: 'slots', name: 'Slots', min: 10, max: 100, step: 10 },
    effect: { kind: 'variable', env: 'MAX_PLAYERS', template: '{quantity}' },
  }
  const refused = await admin.post(options, { ...memory(group.id), ...slots })
  assert.deepEqual([refused.status, refused.body.code], [422, 'environment_invalid'])
  assert.deepEqual(
    refused.body.details.map((it: { path: string; code: string }) => [it.path, it.code]),
    [
      ['options.slots.90', 'environment_invalid'],
      ['options.slots.100', 'environment_invalid'],
    ],
  )
  assert.equal((await admin.post(options, { ...memory(group.id), ...slots, max: 80 })).status, 201)
})

test('V9: an egg that changes takes a value off sale, and the product names it', async () => {
  await variables({ env: 'MODE', rules: ['in:easy,hard'] })
  const { product } = await shop.offer()
  const group = await groupOf(product.id)
  const mode = {
    ...{ groupId: group.id, key: 'mode', kind: 'select', name: 'Mode' },
    effect: { kind: 'variable', env: 'MODE', template: '{value}' },
    values: [
      { key: 'easy', label: 'Easy', default: true },
      { key: 'hard', label: 'Hard' },
    ],
    prices: ['easy', 'hard'].map((value) => ({ value, ...monthly, priceCents: 0 })),
  }
  const made = await admin.post(options, mode)
  assert.equal(made.status, 201, made.text)
  const shown = async () => {
    const { body } = await app.get(`/v1/store/products/${product.id}`)
    return body.orderForm.options[0].values.map((it: { key: string }) => it.key)
  }
  assert.deepEqual(await shown(), ['easy', 'hard'])
  await variables({ env: 'MODE', rules: ['in:easy'] })
  assert.deepEqual(await shown(), ['easy'])
  const { body } = await admin.get(`/v1/admin/products/${product.id}`)
  assert.deepEqual(
    body.provisioningFaults.map((it: { path: string }) => it.path),
    ['options.mode.hard'],
  )
  assert.equal(body.sellable, true)
})

test('what an option requires is in its group, and leads in no circle', async () => {
  const group = await groupOf()
  const needing = (key: string, other: string) => ({
    ...{ groupId: group.id, key, kind: 'select', name: key },
    values: [{ key: 'yes', label: 'Yes', requires: [{ key: other, values: ['yes'] }] }],
  })
  const unknown = await admin.post(options, needing('a', 'b'))
  assert.deepEqual([unknown.status, unknown.body.details[0].code], [422, 'requirement_unknown'])
  const plain = { ...needing('b', 'a'), values: [{ key: 'yes', label: 'Yes' }] }
  const b = await admin.post(options, plain)
  assert.equal((await admin.post(options, needing('a', 'b'))).status, 201)
  const { values } = needing('b', 'a')
  const circle = await admin.patch(`${options}/${b.body.id}`, { values })
  assert.deepEqual([circle.status, circle.body.details[0].code], [422, 'requirement_circle'])
  assert.equal((await admin.delete(`${options}/${b.body.id}`)).status, 422)
})

test('two options of a product cannot set one variable', async () => {
  await variables({ env: 'MODE', rules: [] })
  const { product } = await shop.offer()
  const group = await groupOf(product.id)
  const effect = { kind: 'variable', env: 'MODE', template: 'x' }
  await optionIn(group.id, { effect })
  const again = await admin.post(options, { ...memory(group.id), key: 'other', effect })
  assert.deepEqual([again.status, again.body.details[0].code], [422, 'variable_twice'])
})

test('a group is arranged as a whole', async () => {
  const group = await groupOf()
  const ids = []
  for (const key of ['a', 'b', 'c']) ids.push((await optionIn(group.id, { key })).id)
  const url = `${groups}/${group.id}`
  const optionIds = [ids[2], ids[0], ids[1]]
  const arranged = await admin.patch(url, { optionIds })
  assert.deepEqual(arranged.body.optionIds, optionIds)
  assert.equal((await admin.patch(url, { optionIds: ids.slice(1) })).status, 400)
  assert.equal((await admin.patch(url, { optionIds: [newId(), ...ids.slice(1)] })).status, 400)
  assert.deepEqual((await admin.get(url)).body.optionIds, optionIds)
})

test('an edit of what somebody else changed meanwhile is refused with 412', async () => {
  const group = await groupOf()
  const option = await optionIn(group.id)
  const url = `${options}/${option.id}`
  const { headers } = await admin.get(url)
  const edit = { headers: { 'if-match': String(headers.etag) } }
  assert.equal((await admin.patch(url, { name: 'RAM' }, edit)).status, 200)
  assert.equal((await admin.patch(url, { name: 'Memory' }, edit)).status, 412)
})

test('another shop and staff without the permission see and change none of them', async () => {
  const group = await groupOf()
  const option = await optionIn(group.id)
  const tenantId = await otherTenant(app, 'options.test')
  const stranger = await person(app, { tenantId, permissions: ['store:*'] })
  for (const url of [`${groups}/${group.id}`, `${options}/${option.id}`]) {
    assert.equal((await stranger.get(url)).status, 404)
    assert.equal((await stranger.patch(url, { name: 'Theirs' })).status, 404)
    assert.equal((await stranger.delete(url)).status, 404)
    assert.equal((await stranger.post(`${url}/restore`)).status, 404)
  }
  assert.equal((await stranger.post(options, memory(group.id))).status, 400)
  const product = await shop.product()
  const theirs = await stranger.post(groups, { name: 'Theirs', productIds: [product.id] })
  assert.equal(theirs.status, 400)
  assert.deepEqual((await stranger.get(groups)).body.data, [])
  assert.deepEqual((await stranger.get(options)).body.data, [])
  const reader = await person(app, { permissions: ['store:read'] })
  assert.equal((await reader.get(options)).status, 200)
  assert.equal((await reader.post(options, memory(group.id))).status, 403)
  assert.equal((await reader.patch(`${groups}/${group.id}`, { name: 'X' })).status, 403)
})
