import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { gameShop } from '#test/game-shop.ts'
import { chunk, jpegOf, pngOf, WEBP } from '#test/images.ts'
import { otherTenant, person } from '#test/people.ts'

const shop = await gameShop()
const { admin, app } = shop
const { product } = await shop.server({ name: 'With a picture', slug: 'pictured' })
const { body: category } = await admin.post('/v1/admin/categories', { name: 'Pictured' })
const path = `/v1/admin/products/${product.id}/image`
const base64 = (bytes: Buffer) => bytes.toString('base64')

async function served(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + url, { headers })
  const { status } = response
  return { status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('an uploaded picture stands in every answer about its product, and is served to everybody', async () => {
  const wanted = { image: base64(pngOf({ width: 20, height: 10, color: 6 })), alt: 'A red block' }
  const { status, body: image, text } = await admin.put(path, wanted)
  assert.equal(status, 200, text)
  assert.deepEqual({ ...image, url: '' }, { url: '', width: 20, height: 10, alt: 'A red block' })
  const answers = [
    (await admin.get(`/v1/admin/products/${product.id}`)).body,
    (await admin.get('/v1/admin/products?limit=100')).body.data.find(
      ({ id }: { id: string }) => id === product.id,
    ),
    (await app.get('/v1/store/products/pictured')).body,
    (await app.get('/v1/store/products')).body.data[0],
  ]
  for (const answer of answers) assert.deepEqual(answer.image, image)
  const { headers, ...file } = await served(image.url)
  assert.equal(file.status, 200)
  assert.deepEqual(file.bytes, pngOf({ width: 20, height: 10, color: 6 }))
  assert.equal(headers.get('content-type'), 'image/png')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const same = await served(image.url, { 'if-none-match': headers.get('etag') ?? '' })
  assert.deepEqual([same.status, same.bytes.length], [304, 0])
})

test('another picture has another address, and the one before is gone', async () => {
  const { body: before } = await admin.put(path, { image: base64(pngOf()) })
  const { body: after } = await admin.put(path, { image: base64(WEBP.lossy), alt: null })
  assert.notEqual(after.url, before.url)
  assert.equal((await served(before.url)).status, 404)
  const { status, headers } = await app.get(after.url)
  assert.deepEqual([status, headers['content-type']], [200, 'image/webp'])
})

test('the alternative text changes without another upload', async () => {
  const { body: image } = await admin.put(path, { image: base64(jpegOf()) })
  const { body: described } = await admin.put(path, { alt: 'A map' })
  assert.deepEqual(described, { ...image, alt: 'A map' })
  const { body: replaced } = await admin.put(path, { image: base64(jpegOf()) })
  assert.equal(replaced.alt, 'A map', 'and stays with another picture')
})

test('a picture that was removed is gone from its product and its address', async () => {
  const { body: image } = await admin.put(path, { image: base64(pngOf()) })
  assert.equal((await admin.delete(path)).status, 200)
  assert.equal((await admin.get(`/v1/admin/products/${product.id}`)).body.image, null)
  assert.equal((await served(image.url)).status, 404)
  assert.equal((await admin.delete(path)).status, 404)
  assert.equal((await admin.put(path, { alt: 'Nothing' })).status, 404)
})

test('a category has a picture in the same way', async () => {
  const own = `/v1/admin/categories/${category.id}`
  const { body: image } = await admin.put(`${own}/image`, { image: base64(pngOf()) })
  const [shown] = (await app.get('/v1/store/categories')).body.data
  assert.deepEqual([shown.id, shown.image], [category.id, image])
  assert.deepEqual((await admin.get(own)).body.image, image)
  assert.equal((await served(image.url)).status, 200)
  assert.equal((await admin.delete(`${own}/image`)).status, 200)
  assert.equal((await admin.get(own)).body.image, null)
})

const BAD: [string, object, number][] = [
  ['an SVG', { image: base64(Buffer.from('<svg onload="alert(1)"/>')) }, 422],
  ['a script that says it is a PNG', { image: base64(Buffer.from('\x89PNG<script>')) }, 422],
  ['a PNG that carries a page after its end', { image: base64(pngWith('<script>')) }, 422],
  ['what is too large by its pixels', { image: base64(pngOf({ width: 2001, height: 1 })) }, 422],
  ['what is no base64', { image: 'not base64!' }, 400],
  ['more than 512 kB', { image: 'A'.repeat(700_000) }, 400],
]

function pngWith(after: string): Buffer {
  return Buffer.concat([pngOf(), Buffer.from(after)])
}

for (const [what, body, expected] of BAD) {
  test(`${what} is refused, and the picture stays as it was`, async () => {
    const { body: image } = await admin.put(path, { image: base64(pngOf()) })
    const refused = await admin.put(path, body)
    assert.equal(refused.status, expected)
    if (expected === 422) assert.equal(refused.body.code, 'image_unusable')
    assert.deepEqual((await admin.get(`/v1/admin/products/${product.id}`)).body.image, image)
  })
}

test('what a file carries beside its picture is not published', async () => {
  const extra = [chunk('tEXt', Buffer.from('Author\0Ada Lovelace'))]
  const { body: image } = await admin.put(path, { image: base64(pngOf({ extra })) })
  const { bytes } = await served(image.url)
  assert.deepEqual(bytes, pngOf())
})

test('a shop shows and changes its own pictures only', async () => {
  const { body: image } = await admin.put(path, { image: base64(pngOf()) })
  const tenantId = await otherTenant(app, 'images.test')
  const theirs = await person(app, { tenantId, permissions: ['store:*'] })
  assert.equal((await theirs.get(image.url)).status, 404)
  assert.equal((await theirs.put(path, { image: base64(pngOf()) })).status, 404)
  assert.equal((await theirs.delete(path)).status, 404)
  const reader = await person(app, { permissions: ['store:read'] })
  assert.equal((await reader.put(path, { image: base64(pngOf()) })).status, 403)
  assert.equal((await admin.put(`/v1/admin/products/${newId()}/image`, {})).status, 404)
})
