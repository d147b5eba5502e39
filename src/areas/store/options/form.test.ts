import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { provisioningIn } from '#test/eggs.ts'
import { person } from '#test/people.ts'
import { type Made, shopOf } from '#test/shop.ts'

const app = await testApp(null)
const admin = await person(app, { permissions: ['store:*'] })
const shop = shopOf(admin, await provisioningIn(app))
const monthly = { interval: 'month', currency: 'EUR' }

async function create(path: string, body: object): Promise<Made> {
  const { status, body: made } = await admin.post(`/v1/admin/${path}`, body)
  assert.equal(status, 201, JSON.stringify(made))
  return made
}

/** A product with a group of options, of which each is given as its fields. */
async function productWith(plan: object, ...options: object[]) {
  const { product } = await shop.offer(plan)
  const group = await create('option-groups', { name: 'Upgrades', productIds: [product.id] })
  const made: Made[] = []
  for (const option of options) {
    made.push(await create('options', { groupId: group.id, name: 'Option', ...option }))
  }
  return { product, group, options: made }
}

async function formOf(product: Made, query = '') {
  const { status, body } = await app.get(`/v1/store/products/${product.id}${query}`)
  assert.equal(status, 200)
  return body.orderForm.options
}

const slider = (key: string, more: object = {}) => ({
  ...{ key, kind: 'quantity', unit: 'GB', max: 32 },
  prices: [{ tier: 0, ...monthly, priceCents: 150, feeCents: 1000 }],
  ...more,
})

const NO_AMOUNTS = {
  ...{ memoryMb: 0, diskMb: 0, cpuPercent: 0, swapMb: 0 },
  ...{ databases: 0, backups: 0, allocations: 0, subdomains: 0 },
}

test('a form says what each choice adds to the server, and nothing else of its effect', async () => {
  const effect = { kind: 'resource', amounts: { memoryMb: 1024 } }
  const backups = { kind: 'resource', amounts: { backups: 2 } }
  const price = { value: 'on', ...monthly, priceCents: 0 }
  const { product } = await productWith({}, slider('memory', { effect }), {
    ...{ key: 'extra', kind: 'toggle', effect: backups },
    values: [
      { key: 'off', label: 'No' },
      { key: 'on', label: 'Yes' },
    ],
    prices: [price],
  })
  const [memory, extra] = await formOf(product)
  assert.deepEqual(memory.amounts, { ...NO_AMOUNTS, memoryMb: 1024 })
  const amounts = extra.values.map((it: { amounts: object }) => it.amounts)
  assert.deepEqual(amounts, [NO_AMOUNTS, { ...NO_AMOUNTS, backups: 2 }])
  assert.equal('effect' in memory, false)
})

test('a form asks for a slider with its price and the tax on it', async () => {
  const { product } = await productWith({}, slider('memory', { name: 'Memory' }))
  assert.deepEqual(await formOf(product), [
    {
      ...{ key: 'memory', kind: 'quantity', name: 'Memory', description: null, required: false },
      ...{ trial: true, unit: 'GB', min: 0, max: 32, step: 1, display: 'slider' },
      ...{ priceMode: 'per_unit', maxLength: null, pattern: null, values: [] },
      amounts: NO_AMOUNTS,
      tiers: [{ upTo: null }],
      prices: [
        {
          ...{ value: null, tier: 0, interval: 'month', intervalCount: 1, currency: 'EUR' },
          ...{ priceCents: 150, feeCents: 1000, priceMicros: null },
          ...{ totalCents: 180, feeTotalCents: 1200 },
        },
      ],
    },
  ])
  const [abroad] = await formOf(product, '?country=DE')
  assert.deepEqual([abroad.prices[0].totalCents, abroad.prices[0].feeTotalCents], [179, 1190])
})

test('V5: prices are those of the plans that are shown, and an option without one is not asked for', async () => {
  const dollars = { prices: [{ currency: 'USD', priceCents: 1200 }] }
  const both = slider('both', {
    prices: [
      { tier: 0, ...monthly, priceCents: 150 },
      { tier: 0, ...monthly, currency: 'USD', priceCents: 170 },
      { tier: 0, interval: 'year', currency: 'EUR', priceCents: 1500 },
    ],
  })
  const { product } = await productWith(dollars, both, slider('euros'))
  const pricesIn = async (query: string) =>
    (await formOf(product, query)).map((it: Made) => [
      it.key,
      ...it.prices.map((price: Made) => price.priceCents),
    ])
  assert.deepEqual(await pricesIn(''), [
    ['both', 150],
    ['euros', 150],
  ])
  assert.deepEqual(await pricesIn('?currency=USD'), [['both', 170]])
})

test('hidden and archived options, archived values and values without stock to sell are told apart', async () => {
  const select = {
    ...{ key: 'backups', kind: 'select' },
    values: [
      { key: 'none', label: 'None', default: true },
      { key: 'daily', label: 'Daily', stock: 0 },
      { key: 'hourly', label: 'Hourly' },
    ],
    prices: ['none', 'daily', 'hourly'].map((value) => ({ value, ...monthly, priceCents: 0 })),
  }
  const { product, options } = await productWith(
    {},
    slider('staff', { hidden: true }),
    slider('old'),
    select,
  )
  const [, old, backups] = options
  await admin.delete(`/v1/admin/options/${old.id}`)
  const values = select.values.slice(0, 2)
  await admin.patch(`/v1/admin/options/${backups.id}`, { values })
  const form = await formOf(product)
  assert.deepEqual(
    form.map((it: Made) => it.key),
    ['backups'],
  )
  assert.deepEqual(
    form[0].values.map((it: Made) => [it.key, it.default, it.available]),
    [
      ['none', true, true],
      ['daily', false, false],
    ],
  )
  assert.equal(form[0].prices.length, 2)
  assert.doesNotMatch(JSON.stringify(form), /stock|effect/)
})

test('options stand by group, then by their place in it', async () => {
  const { product, group, options } = await productWith({}, slider('a'), slider('b'))
  const first = await create('option-groups', {
    ...{ name: 'First', position: -1, productIds: [product.id] },
  })
  await create('options', { groupId: first.id, name: 'C', ...slider('c') })
  const optionIds = [options[1].id, options[0].id]
  await admin.patch(`/v1/admin/option-groups/${group.id}`, { optionIds })
  const keys = async () => (await formOf(product)).map((it: Made) => it.key)
  assert.deepEqual(await keys(), ['c', 'b', 'a'])
  await admin.delete(`/v1/admin/option-groups/${first.id}`)
  assert.deepEqual(await keys(), ['b', 'a'])
})

test('40 options cost no more statements than one', async () => {
  const { product, group } = await productWith({}, slider('first'))
  const count = async () => {
    let statements = 0
    const { pool } = app.deps.database
    const connect = pool.connect.bind(pool)
    const counted = async () => {
      statements += 1
      return connect()
    }
    Object.assign(pool, { connect: counted })
    const form = await formOf(product)
    Object.assign(pool, { connect })
    return { statements, options: form.length }
  }
  const few = await count()
  for (let n = 1; n < 40; n += 1) {
    await create('options', { groupId: group.id, name: 'Option', ...slider(`option_${n}`) })
  }
  const many = await count()
  assert.deepEqual([few.options, many.options], [1, 40])
  // Jobs in the background may ask something meanwhile; a statement per option would be 39 more.
  assert.ok(many.statements - few.statements < 9, `${few.statements}, then ${many.statements}`)
})

test('a product takes 50 options and no more', async () => {
  const { product, group } = await productWith({})
  for (let n = 0; n < 50; n += 1) {
    await create('options', { groupId: group.id, name: 'Option', ...slider(`option_${n}`) })
  }
  const more = { groupId: group.id, name: 'Option', ...slider('more') }
  const { status, body } = await admin.post('/v1/admin/options', more)
  assert.deepEqual([status, body.details[0].code], [422, 'too_many_options'])
  assert.equal((await formOf(product)).length, 50)
})
