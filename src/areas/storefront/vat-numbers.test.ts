import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startVies } from '#sandbox/vies/server.ts'
import { PASSWORD } from '#test/accounts.ts'
import { inBrowser, openPage, withoutBrowser as skip, violationsOf } from '#test/browser.ts'
import { formBrowser, hiddenField } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'

const vies = await startVies()
after(() => vies.close())
const port = await freePort()
const origin = `http://localhost:${port}`
const shop = await gameShop({
  config: { port, publicUrl: origin, viesUrl: vies.url, privateHosts: [`vies=${vies.host}`] },
})
const { app, admin } = shop
const { plan } = await shop.server({ name: 'Small', slug: 'small' })

const GOOD = 'DE136695976'
const UNKNOWN = 'DE811907980'
const AWAY = 'DE129273398'
vies.say(UNKNOWN, 'invalid')
vies.say(AWAY, 'MS_UNAVAILABLE')

const quoted = async (more: object) => {
  const items = [{ planId: plan.id }]
  const { body } = await app.post('/v1/store/quote', { items, country: 'DE', ...more })
  return body
}
const facts = ({ vat, taxes, totalCents }: Awaited<ReturnType<typeof quoted>>) => [
  vat?.status ?? null,
  taxes[0].category,
  totalCents,
]

test('a quote for a company in another country is under reverse charge, and asks the register once', async () => {
  assert.deepEqual(facts(await quoted({})), [null, 'S', 1190])
  const asked = vies.questions.length
  for (const vatNumber of [GOOD, 'de 136 695 976']) {
    const quote = await quoted({ vatNumber })
    assert.deepEqual(facts(quote), ['valid', 'AE', 1000])
    assert.equal(quote.vat.number, GOOD)
  }
  assert.equal(vies.questions.length, asked + 1)
})

test('a number that the register does not know, or that is malformed, changes no tax and says so', async () => {
  assert.deepEqual(facts(await quoted({ vatNumber: UNKNOWN })), ['invalid', 'S', 1190])
  const malformed = await quoted({ vatNumber: 'DE12' })
  assert.deepEqual(facts(malformed), ['malformed', 'S', 1190])
  assert.match(malformed.vat.message, /right form/)
  assert.equal((await quoted({ vatNumber: 'FR40303265045' })).vat.status, 'malformed')
})

test('while the register is away, a quote says so and is taxed as the order will be', async () => {
  assert.deepEqual(facts(await quoted({ vatNumber: AWAY })), ['unavailable', 'AE', 1000])
  const set = (requireVies: boolean) => admin.patch('/v1/admin/settings', { tax: { requireVies } })
  assert.equal((await set(true)).status, 200)
  assert.deepEqual(facts(await quoted({ vatNumber: AWAY })), ['unavailable', 'S', 1190])
  assert.deepEqual(facts(await quoted({ vatNumber: GOOD })), ['valid', 'AE', 1000])
  await admin.patch('/v1/admin/settings', { tax: { requireVies: false } })
})

test('a postcode counts: the Canary Islands are outside of the VAT of the Union', async () => {
  const there = await quoted({ country: 'ES', postcode: '35001' })
  assert.deepEqual(facts(there), [null, 'O', 1000])
})

test('a customer prices the cart for another address, and nothing of it is kept', async () => {
  const customer = await shop.customer()
  await customer.post('/v1/cart/items', { planId: plan.id })
  const { status, body } = await customer.post('/v1/cart/quote', { country: 'DE', vatNumber: GOOD })
  assert.deepEqual([status, ...facts({ ...body.cart, vat: body.vat })], [200, 'valid', 'AE', 1000])
  assert.equal((await customer.get('/v1/cart')).body.totalCents, 1200)
  assert.equal((await customer.get('/v1/users/me')).body.vatNumber, null)
})

const form = {
  ...{ name: 'Ada', password: PASSWORD, country: 'DE' },
  ...{ line1: '1 Harbour Road', postcode: '10115', city: 'Berlin', company: 'Ada GmbH' },
  immediateStart: '1',
}

test('a company sees the price without VAT before its account is opened, and pays it', async () => {
  await admin.patch('/v1/admin/settings', { tax: { requireVies: true } })
  const guest = formBrowser(app)
  await guest.submit('/cart/items', { product: 'small', plan: plan.id, name: '' })
  const first = await guest.open('/checkout?lang=en')
  const method = /name="method" value="([^"]+)"/.exec(first.text)?.[1] ?? ''
  const email = 'company@example.org'
  const typed = { ...form, email, method, vatNumber: GOOD }
  const intent = hiddenField(first.text, 'intent')
  const seen = /name="seen" value="([^"]*)"/.exec(first.text)?.[1] ?? ''
  const changed = await guest.submit('/checkout', { ...typed, intent, seen })
  assert.equal(changed.status, 409)
  assert.match(changed.text, /The total has changed/)
  assert.match(changed.text, /Confirmed in the EU register/)
  assert.match(changed.text, /Reverse charge/)
  const people = await admin.get(`/v1/admin/users?search=${email}`)
  assert.deepEqual(people.body.data, [], 'no account was opened')
  const paid = await guest.submit('/checkout', {
    ...typed,
    intent: hiddenField(changed.text, 'intent'),
    seen: /name="seen" value="([^"]*)"/.exec(changed.text)?.[1] ?? '',
  })
  assert.equal(paid.status, 200, 'the provider follows: the account is taxed as its owner was told')
  const { data } = (await admin.get(`/v1/admin/users?search=${email}`)).body
  const [invoice] = (await admin.get(`/v1/admin/invoices?userId=${data[0].id}`)).body.data
  assert.equal(invoice.totalCents, 1000)
  assert.equal((await admin.get(`/v1/admin/users/${data[0].id}`)).body.vatStatus, 'valid')
  await admin.patch('/v1/admin/settings', { tax: { requireVies: false } })
})

test('the checkout checks address and VAT number while they are typed', { skip }, () =>
  inBrowser(async (browser) => {
    const { page, faults } = await openPage(browser, { locale: 'en-GB' })
    await page.goto(`${origin}/p/small`)
    await page.locator('button[value=checkout]').click()
    await page.waitForURL('**/checkout')
    await page.locator('#password').fill(PASSWORD)
    await page.locator('#country').selectOption('DE')
    await page.locator('.paynow', { hasText: '€11.90' }).waitFor()
    await page.locator('#vatNumber').fill(GOOD)
    await page.locator('#company').focus()
    await page.locator('#vatNumber-hint', { hasText: 'Confirmed in the EU register.' }).waitFor()
    await page.locator('.paynow', { hasText: '€10.00' }).waitFor()
    await page.locator('#sums', { hasText: 'Reverse charge' }).waitFor()
    assert.match(await page.locator('#say').innerText(), /Confirmed.*€10\.00/)
    await page.locator('#vatNumber').fill(UNKNOWN)
    await page.locator('#company').focus()
    await page.locator('#vatNumber-error', { hasText: 'does not know this number' }).waitFor()
    await page.locator('.paynow', { hasText: '€11.90' }).waitFor()
    assert.equal(await page.locator('#vatNumber').getAttribute('aria-invalid'), 'true')
    await page.locator('#city').fill('Berlin')
    await page.locator('#company').focus()
    await page.locator('#city').fill('')
    await page.locator('#company').focus()
    await page.locator('#city-error', { hasText: 'Enter the city.' }).waitFor()
    assert.equal(await page.locator('#password').inputValue(), PASSWORD, 'what was typed stays')
    assert.equal(await page.locator('#line1-error').count(), 0, 'what was not touched is not told')
    assert.deepEqual(await violationsOf(page), [])
    assert.deepEqual(faults, [])
  }),
)
