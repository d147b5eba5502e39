import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#test/accounts.ts'
import { formBrowser, hiddenField } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { addLocation, offerIn } from '#test/locations.ts'

const SIZE = 2048
/** Two servers have room in the first location, ten in the second. */
const shop = await gameShop({
  panel: { nodes: 2, locations: 2, memory: 10 * SIZE, disk: 1_000_000 },
})
const { app, admin, catalog, eggId, nodeId } = shop
const place = (remoteId: string) => [{ nodeId, remoteId }]
const fra = await addLocation(admin, 'Frankfurt', place('1'), { slug: 'fra' })
const sgp = await addLocation(admin, 'Singapore', place('2'), { slug: 'sgp', country: 'SG' })
const where = { catalog, eggId, nodeIds: [nodeId] }
const large = await offerIn(where, [fra], { memoryMb: 8 * SIZE })
await shop.order(await shop.customer(), large.plan.id)
const { product, plan } = await offerIn(where, [fra, sgp])
const form = { product: product.slug, plan: plan.id, name: '' }

test('V28: before anybody signs in, a page shows name, country and room of each location, and no counts', async () => {
  const { text } = await formBrowser(app).open(`/p/${product.slug}?lang=en`)
  const choices = text.match(
    /<label class="opt"><input type="radio" name="locationId".*?<\/label>/g,
  )
  assert.equal(choices?.length, 2)
  assert.match(choices?.[0] ?? '', /class="cc"[^>]*>DE<.*<b>Frankfurt<\/b>.*Few places left/)
  assert.match(choices?.[1] ?? '', /class="cc"[^>]*>SG<.*<b>Singapore<\/b>.*Available/)
  for (const choice of choices ?? []) assert.doesNotMatch(choice.replace(/value="[^"]*"/, ''), /\d/)
})

test('the location and its room are said in the language of the page', async () => {
  const { text } = await formBrowser(app).open(`/p/${product.slug}?lang=de`)
  assert.match(text, /<legend>Standort<\/legend>/)
  assert.match(text, /Nur noch wenige Plätze/)
})

test('a visitor who chooses no location gets the form again, and one who does has it in the cart', async () => {
  const guest = formBrowser(app)
  const refused = await guest.submit('/cart/items', form)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Choose a location for your server\./)
  const added = await guest.submit('/cart/items', { ...form, locationId: sgp.id })
  assert.deepEqual([added.status, added.location], [303, '/cart'])
  assert.match((await guest.open('/cart')).text, /<p>Monthly, Singapore<\/p>/)
})

test('a checkout for which there is no room any more names the locations that have some', async () => {
  const guest = formBrowser(app)
  await guest.submit('/cart/items', { ...form, locationId: fra.id })
  const { text } = await guest.open('/checkout')
  assert.match(text, /Monthly, Frankfurt/)
  const rest = await shop.customer()
  const item = { planId: plan.id, quantity: 2, locationId: fra.id }
  assert.equal((await rest.post('/v1/cart/items', item)).status, 201)
  const taken = await rest.post('/v1/billing/checkout', {
    ...{ immediateStart: true, gatewayId: shop.gatewayId },
  })
  assert.equal(taken.status, 201, taken.text)
  assert.match((await guest.open('/cart')).text, /There is no room in Frankfurt at the moment\./)
  const refused = await guest.submit('/checkout', {
    ...{ name: 'Ada', email: 'late@example.org', password: PASSWORD, country: 'FR' },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris', company: '', vatNumber: '' },
    method: /name="method" value="([^"]+)"/.exec(text)?.[1] ?? '',
    ...{ intent: hiddenField(text, 'intent'), seen: hiddenField(text, 'seen') },
    immediateStart: '1',
  })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /There is room in: Singapore\./)
  const { text: shown } = await formBrowser(app).open(`/p/${product.slug}?lang=en`)
  assert.match(shown, new RegExp(`value="${fra.id}" required disabled`))
})

test('a page says with tax what a location costs more, and works it out for what is chosen', async () => {
  const far = await addLocation(admin, 'Sydney', place('2'), { slug: 'syd', country: 'AU' })
  const prices = [{ interval: 'month', currency: 'EUR', priceCents: 200, feeCents: 50 }]
  await admin.put(`/v1/admin/locations/${far.id}/prices`, { prices })
  const sold = await offerIn(where, [sgp, far])
  const guest = formBrowser(app)
  const { text } = await guest.open(`/p/${sold.product.slug}?lang=en`)
  assert.match(text, /<b>Sydney<\/b><small>Australia, \+€2\.40 a month · [^<]*€0\.60/)
  assert.doesNotMatch(text, /<b>Singapore<\/b><small>[^<]*\+/)
  // Without a script the page sums up once something is known to be chosen.
  const typed = { ...form, product: sold.product.slug, plan: sold.plan.id, quantity: '2' }
  const again = await guest.submit('/cart/items', { ...typed, plan: 'no-plan', locationId: far.id })
  assert.equal(again.status, 422)
  await guest.submit('/cart/items', { ...typed, locationId: far.id })
  assert.match((await guest.open('/cart')).text, /€30\.00/)
})
