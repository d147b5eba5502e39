import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'

const shop = await gameShop()
const { app } = shop
const games = await shop.catalog.category({ name: 'Palworld', slug: 'palworld' })
await shop.server({ name: 'Été', slug: 'summer', categoryId: games.id })
await shop.server({ name: 'Winter', slug: 'winter', description: 'For <b>snow</b>' })
const browser = formBrowser(app)

test('a page that does not exist has a field that searches the shop, and works without scripts', async () => {
  const { status, text } = await browser.open('/no-such-game')
  assert.equal(status, 404)
  assert.match(text, /<form [^>]*role="search" method="get" action="\/">.*name="q"/)
})

test('a search finds names, descriptions and games, whatever their case and accents', async () => {
  for (const words of ['ETE', 'palworld été', 'pal']) {
    const { text } = await browser.open(`/?q=${encodeURIComponent(words)}`)
    assert.match(text, /class="game" href="\/palworld\/summer"/, words)
    assert.doesNotMatch(text, /href="\/p\/winter"/, words)
  }
  assert.match((await browser.open('/?q=snow')).text, /class="game" href="\/p\/winter"/)
})

test('a search without results says so and leads on, and what was typed is escaped', async () => {
  const { text } = await browser.open(`/?q=${encodeURIComponent('<script>')}`)
  assert.match(text, /Nothing in the shop has “&lt;script&gt;”/)
  assert.match(text, /value="&lt;script&gt;"/)
  assert.match(text, /href="\/#games">/)
})
