import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '#test/client.ts'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'

const monthly = { interval: 'month', currency: 'EUR' }
const shop = await gameShop()
const { app, admin, eggId, nodeId } = shop
const { product, plan } = await shop.catalog.offer(
  {},
  {
    provisioning: {
      ...{ eggId, nodeIds: [nodeId] },
      limits: { memoryMb: 2048, diskMb: 10_240, cpuPercent: 100 },
    },
  },
)
const { body: group } = await admin.post('/v1/admin/option-groups', {
  ...{ name: 'Size', productIds: [product.id] },
})
for (const option of [
  {
    ...{ key: 'memory', kind: 'quantity', name: 'Memory', unit: 'GB', max: 32, display: 'slider' },
    effect: { kind: 'resource', amounts: { memoryMb: 1024 } },
    prices: [{ tier: 0, ...monthly, priceCents: 150 }],
  },
  {
    ...{ key: 'backups', kind: 'select', name: 'Backups' },
    values: [
      { key: 'none', label: 'None', default: true },
      { key: 'daily', label: 'Daily' },
    ],
    prices: [
      { value: 'none', ...monthly, priceCents: 0 },
      { value: 'daily', ...monthly, priceCents: 200 },
    ],
  },
  {
    ...{ key: 'ip', kind: 'toggle', name: 'Dedicated IP' },
    values: [
      { key: 'off', label: 'No' },
      { key: 'on', label: 'Yes' },
    ],
    prices: [{ value: 'on', ...monthly, priceCents: 300, feeCents: 500 }],
  },
  {
    ...{ key: 'motto', kind: 'text', name: 'Motto', maxLength: 20, pattern: '[a-z ]+' },
    prices: [{ ...monthly, priceCents: 0 }],
  },
]) {
  const made: Answer = await admin.post('/v1/admin/options', { ...option, groupId: group.id })
  assert.equal(made.status, 201, made.text)
}
const form = { product: product.slug, plan: plan.id, name: '', quantity: '1' }

test('a page asks for each option in the control that fits it, with its price', async () => {
  const { text } = await formBrowser(app).open(`/p/${product.slug}?lang=en`)
  assert.match(text, /<legend>Memory<\/legend>.*\+€1\.80 a month \/ GB/s)
  assert.match(text, /<option value="daily"[^>]*>Daily \+€2\.40 a month<\/option>/)
  assert.match(text, /name="option\.switch\.ip"[^>]*value="on"/)
  assert.match(text, /name="option\.motto"[^>]*maxlength="20"/)
})

test('without a script a visitor chooses options, has them in the cart, and changes them', async () => {
  const guest = formBrowser(app)
  const chosen = {
    ...{ 'option.number.memory': '4', 'option.backups': 'daily', 'option.switch.ip': 'on' },
    'option.motto': 'hello there',
  }
  const added = await guest.submit('/cart/items', { ...form, ...chosen })
  assert.deepEqual([added.status, added.location], [303, '/cart'])
  const cart = await guest.open('/cart')
  assert.match(
    cart.text,
    /Monthly, Memory 4 GB, Backups Daily, Dedicated IP Yes, Motto hello there/,
  )
  // 1000 + 600 + 200 + 300 + 500, and 20 %.
  assert.match(cart.text, /€31\.20/)
  const again = await guest.open('/cart/items/0')
  assert.match(again.text, /name="option\.number\.memory"[^>]*value="4"/)
  assert.match(again.text, /<option value="daily"[^>]* selected>/)
  assert.match(again.text, /data-show="total">€31\.20/)
  const changed = { ...form, item: '0', 'option.number.memory': '2', 'option.backups': 'none' }
  assert.equal((await guest.submit('/cart/items', changed)).status, 303)
  assert.match((await guest.open('/cart')).text, /€15\.60/)
})

test('the summary shows the size of the server with the options that are chosen', async () => {
  const guest = formBrowser(app)
  const memoryOf = async (path: string) => {
    const { text } = await guest.open(path)
    return /data-size="memoryMb"[^>]*><b>([^<]*)<\/b>/.exec(text)?.[1]
  }
  assert.equal(await memoryOf(`/p/${product.slug}?lang=en`), '2 GB')
  assert.equal(
    (await guest.submit('/cart/items', { ...form, 'option.number.memory': '6' })).status,
    303,
  )
  assert.equal(await memoryOf('/cart/items/0'), '8 GB')
})

test('what is wrong with an option is said at its field, and what was typed stays', async () => {
  const wrong = { ...form, 'option.number.memory': '33', 'option.motto': 'NO' }
  const { status, text } = await formBrowser(app).submit('/cart/items', wrong)
  assert.equal(status, 422)
  assert.match(text, /<a href="#option\.memory">/)
  assert.match(text, /id="option\.motto"[^>]*aria-invalid="true"[^>]*value="NO"/)
})
