import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gameShop } from '#test/game-shop.ts'
import { apiKey } from '#test/people.ts'
import { buyServer } from './buy.ts'

const shop = await gameShop()

test('the example buys a server: its customer pays, and players can join', async () => {
  await shop.server({ name: 'Castle', slug: 'castle' })
  const customer = await shop.buyer({ country: 'FR' })
  const { key } = await apiKey(shop.app, customer, { permission: 'read-write' })
  const pages: string[] = []
  const pay = (page: string) => {
    pages.push(page)
    void shop.complete(page)
  }
  const address = await buyServer({ url: shop.app.url, key, product: 'castle', pay })
  assert.match(address, /^[\w.-]+:\d+$/)
  assert.equal(pages.length, 1)
  assert.equal((await shop.servers()).length, 1)
})

test('the example has at most 40 lines', () => {
  const text = fs.readFileSync(path.join(import.meta.dirname, 'buy.ts'), 'utf8')
  assert.ok(text.trimEnd().split('\n').length <= 40)
})
