import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const shop = await gameShop()
const { app } = shop
const { plan } = await shop.server({ name: 'Small', slug: 'small' })

await shop.admin.post('/v1/admin/coupons', {
  ...{ code: 'HALF', type: 'percent', percentBasisPoints: 5000 },
})

const item = { product: 'small', plan: plan.id, name: '' }
const wrong = { 'env.SERVER_JARFILE': 'no jar', 'env.MINECRAFT_VERSION': '1.21.1' }

async function customerBrowser() {
  const customer = await shop.customer()
  await givePassword(app, customer.userId)
  const browser = formBrowser(app)
  await browser.submit('/sign-in', { email: customer.email, password: PASSWORD, next: '' })
  return browser
}

for (const [who, browserOf] of [
  ['a visitor', async () => formBrowser(app)],
  ['a customer', customerBrowser],
] as const) {
  test(`a value that the game refuses is refused at its field, and ${who} changes the item in the cart`, async () => {
    const browser = await browserOf()
    const refused = await browser.submit('/cart/items', { ...item, ...wrong, quantity: '2' })
    assert.equal(refused.status, 422)
    assert.match(
      refused.text,
      /id="env.SERVER_JARFILE"[^>]*aria-describedby="env.SERVER_JARFILE-hint"[^>]*aria-invalid="true"/,
    )
    assert.match(refused.text, /id="env.SERVER_JARFILE-hint">Server Jar File /)
    assert.match(refused.text, /value="1\.21\.1"/, 'what was typed stays')
    assert.match(refused.text, /name="quantity" value="2"/)
    const right = { ...item, 'env.SERVER_JARFILE': 'own.jar', quantity: '2' }
    assert.equal((await browser.submit('/cart/items', right)).location, '/cart')
    const cart = await browser.open('/cart')
    assert.match(cart.text, /× 2/)
    const change = /href="(\/cart\/items\/[^"]+)"/.exec(cart.text)?.[1] ?? ''
    const form = await browser.open(change)
    assert.match(form.text, /value="own\.jar"/)
    assert.match(form.text, /Save changes/)
    const id = change.split('/').at(-1) ?? ''
    const changed = { ...right, item: id, name: 'Castle', quantity: '1' }
    assert.equal((await browser.submit('/cart/items', changed)).location, '/cart')
    const once = await browser.open('/cart')
    assert.match(once.text, /<h2>Castle<\/h2>/)
    assert.doesNotMatch(once.text, /× 2/)
    await browser.submit('/cart/items/quantity', { id, quantity: '3' })
    const three = await browser.open('/cart')
    assert.match(three.text, /× 3/)
    assert.equal(three.text.match(/<article class="item">/g)?.length, 1)
  })

  test(`${who} goes from a product to the checkout, back, and on again with one item`, async () => {
    const browser = await browserOf()
    const named = { ...item, name: 'Castle', 'env.SERVER_JARFILE': 'own.jar', quantity: '1' }
    const direct = { ...named, to: 'checkout' }
    const itemsIn = async () =>
      (await browser.open('/cart')).text.match(/<article class="item">/g)?.length
    assert.equal((await browser.submit('/cart/items', direct)).location, '/checkout')
    assert.equal((await browser.submit('/cart/items', direct)).location, '/checkout')
    assert.equal(await itemsIn(), 1)
    // Another name is another server, and a cart is added to as often as its button is pressed.
    await browser.submit('/cart/items', { ...direct, name: '' })
    await browser.submit('/cart/items', { ...direct, name: '' })
    assert.equal(await itemsIn(), 2)
    await browser.submit('/cart/items', named)
    assert.equal(await itemsIn(), 3)
  })

  test(`${who} applies and removes a coupon at the checkout, with everything else that was typed`, async () => {
    const browser = await browserOf()
    await browser.submit('/cart/items', item)
    const typed = { line1: '1 Harbour Road', city: 'Paris', country: 'FR' }
    const change = (more: object) => browser.submit('/checkout/coupons', { ...typed, ...more })
    const wrongCode = await change({ code: 'nothing', password: 'a harbour of quiet words' })
    assert.equal(wrongCode.status, 422)
    assert.match(wrongCode.text, /id="code-error">There is no coupon( NOTHING| with this code)\./)
    assert.match(wrongCode.text, /name="code" value="NOTHING"/)
    assert.match(wrongCode.text, /value="1 Harbour Road"/)
    assert.doesNotMatch(wrongCode.text, /quiet words/)
    const applied = await change({ code: ' half ' })
    assert.equal(applied.status, 200)
    assert.match(applied.text, /id="seen" name="seen" value="600 EUR"/)
    assert.match(applied.text, /value="1 Harbour Road"/)
    const removed = await change({ remove: 'HALF' })
    assert.match(removed.text, /id="seen" name="seen" value="1200 EUR"/)
    assert.match((await browser.open('/checkout')).text, /value="1200 EUR"/)
    // A code that is in the field when the order is sent is applied first, and nothing is ordered yet.
    const ordered = await browser.submit('/checkout', { ...typed, code: 'HALF', seen: '1200 EUR' })
    assert.equal(ordered.status, 200)
    assert.match(ordered.text, /value="600 EUR"/)
    assert.equal((await shop.admin.get('/v1/admin/orders')).body.data.length, 0)
  })
}

test('a coupon at the checkout of an empty cart leads to the cart', async () => {
  const browser = formBrowser(app)
  assert.equal((await browser.submit('/checkout/coupons', { code: 'HALF' })).location, '/cart')
  assert.equal((await browser.open('/checkout/coupons')).location, '/checkout')
})

test('what the cart holds and cannot be ordered is said there, and the checkout leads back to it', async () => {
  const { body: eggs } = await shop.admin.get('/v1/admin/eggs?limit=100')
  const rust = eggs.data.find((it: { name: string }) => it.name.startsWith('Rust'))
  const provisioning = {
    ...{ eggId: rust.id, nodeIds: [shop.nodeId] },
    limits: { memoryMb: 1024, diskMb: 1024 },
  }
  const { plan: other } = await shop.catalog.offer({}, { slug: 'rust', provisioning })
  const customer = await shop.customer()
  await givePassword(app, customer.userId)
  await customer.post('/v1/cart/items', { planId: other.id })
  const browser = formBrowser(app)
  await browser.submit('/sign-in', { email: customer.email, password: PASSWORD, next: '' })
  const { text } = await browser.open('/cart')
  assert.match(text, /class="gone">RCON Password/i)
  assert.doesNotMatch(text, /href="\/checkout"|[Ii]tems\.0/)
  assert.equal((await browser.open('/checkout')).location, '/cart')
})

test('the product page says what is due today, net and VAT', async () => {
  const { text } = await formBrowser(app).open('/p/small')
  assert.match(text, /data-show="net">€10\.00/)
  assert.match(text, /data-show="tax">€2\.00/)
  assert.match(text, /class="total"><dt>Total today<\/dt><dd data-show="total">€12\.00/)
})
