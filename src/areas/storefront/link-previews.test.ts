import assert from 'node:assert/strict'
import { test } from 'node:test'
import { billingShop } from '#test/billing-shop.ts'
import { provisioningIn } from '#test/eggs.ts'
import { formBrowser } from '#test/form-browser.ts'
import { helpOf } from '#test/help.ts'
import { pngOf } from '#test/images.ts'
import { shopOf } from '#test/shop.ts'

const shop = await billingShop()
const { app, admin } = shop
const origin = app.deps.config.publicUrl
const catalog = shopOf(admin, await provisioningIn(app))
const castles = await catalog.category({ name: 'Castles', slug: 'castles' })
const wanted = { slug: 'small', categoryId: castles.id, description: 'For four players' }
const { product } = await catalog.offer({}, { name: 'Small castle', ...wanted })

/** The card that a page gives to link previews, by the names of its properties. */
async function cardOf(path: string): Promise<Record<string, string>> {
  const { status, text } = await formBrowser(app).open(path)
  assert.equal(status, 200, text)
  const metas = text.matchAll(
    /<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">/g,
  )
  return Object.fromEntries([...metas].map(([, name = '', content = '']) => [name, content]))
}

test('the pages of the shop have a title, a sentence and the logo for link previews', async () => {
  const help = helpOf(admin)
  const { id: categoryId } = await help.category('Connecting', { names: { en: 'Connecting' } })
  const article = {
    title: 'How to connect',
    slug: 'how',
    summary: 'Address and port.',
    text: 'Go.',
  }
  await help.published(categoryId, [article])
  const { status } = await admin.put('/v1/admin/shop/logo', {
    image: pngOf({ width: 64, height: 64 }).toString('base64'),
  })
  assert.equal(status, 200)
  const lead = (await cardOf('/'))['og:description']
  for (const [path, title, description] of [
    ['/', 'Moorage', lead],
    ['/castles', 'Castles', lead],
    ['/castles/small', 'Small castle', 'For four players'],
    ['/help/how', 'How to connect', 'Address and port.'],
  ] as const) {
    const card = await cardOf(path)
    assert.equal(card['og:title'], title)
    assert.ok(description)
    assert.equal(card['og:description'], description, path)
    assert.equal(card['twitter:card'], 'summary', path)
    assert.ok(card['og:image']?.startsWith(`${origin}/v1/brand/logo?sha256=`), card['og:image'])
  }
})

test('the picture of a product is large in its link preview, under an absolute address', async () => {
  const image = pngOf({ width: 1200, height: 630 }).toString('base64')
  const set = await admin.put(`/v1/admin/products/${product.id}/image`, { image })
  assert.equal(set.status, 200, set.text)
  const card = await cardOf('/castles/small')
  assert.equal(card['twitter:card'], 'summary_large_image')
  assert.deepEqual([card['og:image:width'], card['og:image:height']], ['1200', '630'])
  const address = card['og:image']?.replaceAll('&amp;', '&') ?? ''
  assert.ok(address.startsWith(`${origin}/`), address)
  const answer = await fetch(address)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
})
