import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const shop = await gameShop()
const { app } = shop
const { plan } = await shop.server({ name: 'Small', slug: 'small' })

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
}

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
