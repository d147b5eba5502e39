import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '#test/client.ts'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { app, admin } = shop
const games = await shop.catalog.category({ name: 'Minecraft', slug: 'minecraft' })
const { product } = await shop.server({ name: 'Small', slug: 'small', categoryId: games.id })

const german = { name: 'Klein', description: 'Für Freunde', searchTitle: 'Kleiner Server' }
const changed = await admin.patch(`/v1/admin/products/${product.id}`, {
  translations: { de: german },
  badge: 'popular',
})
assert.equal(changed.status, 200, changed.text)
await admin.patch(`/v1/admin/categories/${games.id}`, {
  translations: { de: { name: 'Minecraft-Server', searchDescription: 'Server mieten' } },
})

const read = async (path: string, language?: string) => {
  const headers = language === undefined ? {} : { 'accept-language': language }
  const answer = await fetch(app.url + path, { headers })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

test('a product is answered in the language of its reader, else as it was written first', async () => {
  const { body } = await read('/v1/store/products/small', 'de-AT, en;q=0.5')
  const { name, description, searchTitle, searchDescription, badge } = body
  assert.deepEqual(
    { name, description, searchTitle, searchDescription, badge },
    { ...german, searchDescription: null, badge: 'popular' },
  )
  assert.equal((await read('/v1/store/products/small', 'fr')).body.name, 'Small')
  assert.equal((await read('/v1/store/products/small')).body.name, 'Small')
  const [listed] = (await read('/v1/store/products', 'de')).body.data
  assert.equal(listed.name, 'Klein')
})

test('a category is found by its id and its slug, and a hidden one is not', async () => {
  for (const key of [games.id, 'minecraft']) {
    const { body } = await read(`/v1/store/categories/${key}`, 'de')
    assert.deepEqual([body.name, body.searchDescription], ['Minecraft-Server', 'Server mieten'])
    assert.equal(body.translations, undefined)
  }
  assert.equal((await app.get('/v1/store/categories/minecraft')).body.name, 'Minecraft')
  const hidden = await shop.catalog.category({ name: 'Hidden', slug: 'hidden', hidden: true })
  for (const key of [hidden.id, 'hidden', 'nothing']) {
    assert.equal((await app.get(`/v1/store/categories/${key}`)).status, 404)
  }
})

test('staff read and change all languages, and unknown ones are refused', async () => {
  const path = `/v1/admin/products/${product.id}`
  assert.deepEqual((await admin.get(path)).body.translations, { de: german })
  for (const translations of [{ tlh: german }, { de: { price: '1' } }]) {
    assert.equal((await admin.patch(path, { translations })).status, 400)
  }
  assert.equal((await admin.patch(path, { badge: 'loud' })).status, 400)
  assert.deepEqual((await admin.get(path)).body.translations, { de: german })
})

test('the shop shows texts, badge, title and description for search engines in the language of the page', async () => {
  const visitor = formBrowser(app)
  const page = await visitor.open('/minecraft/small?lang=de')
  assert.match(page.text, /<title>Kleiner Server/)
  assert.match(page.text, /<h1>Klein<\/h1><p class="lead">Für Freunde/)
  assert.match(page.text, /class="badge">Beliebt/)
  const category = await visitor.open('/minecraft?lang=de')
  assert.match(category.text, /<h1>Minecraft-Server<\/h1>/)
  assert.match(category.text, /<meta name="description" content="Server mieten">/)
  const english = await visitor.open('/minecraft/small?lang=en')
  assert.match(english.text, /<h1>Small<\/h1>/)
})
