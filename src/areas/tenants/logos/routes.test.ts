import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { jpegOf, pngOf } from '#test/images.ts'
import { otherTenant, person } from '#test/people.ts'

const app = await testApp(null)
const platform = await person(app, { admin: true })
const path = `/v1/admin/tenants/${app.tenantId}/logo`
const image = pngOf({ width: 200, height: 50 })
const base64 = (bytes: Buffer) => ({ image: bytes.toString('base64') })

async function bytesOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(app.url + url, { headers })
  const { status } = response
  return { status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a logo that was uploaded is served to everybody, byte by byte, and never sniffed', async () => {
  assert.equal((await app.get('/v1/brand/logo')).status, 404)
  const { status, body, text } = await platform.put(path, base64(image))
  assert.equal(status, 200, text)
  for (const url of ['/v1/brand/logo', body.url]) {
    const served = await bytesOf(url)
    assert.equal(served.status, 200)
    assert.deepEqual(served.bytes, image)
    assert.equal(served.headers.get('content-type'), 'image/png')
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff')
    assert.match(served.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  }
  assert.match((await bytesOf(body.url)).headers.get('cache-control') ?? '', /immutable/)
  const current = await bytesOf('/v1/brand/logo')
  assert.equal(current.headers.get('cache-control'), 'public, max-age=300')
  const etag = current.headers.get('etag') ?? ''
  const same = await bytesOf('/v1/brand/logo', { 'if-none-match': `W/${etag}` })
  assert.deepEqual([same.status, same.bytes.length], [304, 0])
})

test('the address of the logo stands in the brand of the shop, in place of one elsewhere', async () => {
  await platform.patch(`/v1/admin/tenants/${app.tenantId}`, {
    brand: { logoUrl: 'https://cdn.example/logo.svg' },
  })
  const { body } = await platform.put(path, base64(image))
  const { brand } = (await app.get('/v1/meta')).body
  assert.equal(brand.logoUrl, `${app.deps.config.publicUrl}${body.url}`)
})

test('another logo takes its place, and the one before keeps its address', async () => {
  const before = (await platform.put(path, base64(image))).body.url
  const next = jpegOf({ width: 60, height: 60 })
  assert.equal((await platform.put(path, base64(next))).status, 200)
  const current = await bytesOf('/v1/brand/logo')
  assert.deepEqual(current.bytes, next)
  assert.equal(current.headers.get('content-type'), 'image/jpeg')
  assert.deepEqual((await bytesOf(before)).bytes, image)
  assert.equal((await platform.put(path, base64(image))).status, 200, 'and back')
})

test('a logo that was taken off is shown no more', async () => {
  const { url } = (await platform.put(path, base64(image))).body
  assert.equal((await platform.delete(path)).status, 200)
  assert.equal((await app.get('/v1/brand/logo')).status, 404)
  assert.equal((await app.get('/v1/meta')).body.brand.logoUrl, 'https://cdn.example/logo.svg')
  assert.equal((await bytesOf(url)).status, 200, 'mails and documents still show it')
  assert.equal((await platform.delete(path)).status, 404)
})

const BAD: [string, unknown, number][] = [
  ['an SVG', base64(Buffer.from('<svg onload="alert(1)"/>')), 422],
  ['a script that says it is a PNG', base64(Buffer.from('\x89PNG<script>')), 422],
  ['what is no base64', { image: 'not base64!' }, 400],
  ['more than 256 kB', { image: 'A'.repeat(360_000) }, 400],
]

for (const [what, body, expected] of BAD) {
  test(`${what} is no logo`, async () => {
    const { status } = await platform.put(path, body as object)
    assert.equal(status, expected)
    assert.equal((await app.get('/v1/brand/logo')).status, 404)
  })
}

test('pages have the icon of the shop, and in the dark scheme its dark logo', async () => {
  const before = (await app.get('/')).text
  assert.match(before, /<link rel="icon" href="\/favicon\.svg">|<link rel="icon" href="https:/)
  assert.doesNotMatch(before, /dark-logo/)
  const all = `/v1/admin/tenants/${app.tenantId}`
  const [light, dark, icon] = await Promise.all(
    (['logo', 'dark-logo', 'favicon'] as const).map(async (kind, at) => {
      const put = await platform.put(`${all}/${kind}`, base64(pngOf({ width: 40 + at })))
      assert.equal(put.status, 200, put.text)
      assert.deepEqual((await platform.get(`${all}/${kind}`)).body, put.body)
      return put.body.url as string
    }),
  )
  const page = (await app.get('/')).text
  assert.ok(page.includes(`<link rel="icon" href="${icon}">`))
  assert.ok(page.includes(`class="logo-image light-logo" src="${light}"`))
  assert.ok(page.includes(`class="logo-image dark-logo" src="${dark}"`))
  const origin = app.deps.config.publicUrl
  const { brand } = (await app.get('/v1/meta')).body
  assert.deepEqual([brand.darkLogoUrl, brand.faviconUrl], [origin + dark, origin + icon])
  const { pictures } = (await platform.get(all)).body
  assert.deepEqual(pictures, { logoUrl: light, darkLogoUrl: dark, faviconUrl: icon })
  for (const kind of ['dark-logo', 'favicon']) {
    assert.equal((await platform.delete(`${all}/${kind}`)).status, 200)
    assert.equal((await platform.delete(`${all}/${kind}`)).status, 404)
  }
  const after = (await app.get('/')).text
  assert.ok(after.includes(`<link rel="icon" href="${light}">`))
  assert.doesNotMatch(after, /dark-logo/)
})

test('a shop shows its own logo only, and its staff changes none', async () => {
  const host = 'logos.test'
  const tenantId = await otherTenant(app, host)
  const { url } = (await platform.put(path, base64(image))).body
  const theirs = await person(app, { tenantId, admin: true })
  assert.equal((await theirs.put(path, base64(image))).status, 404)
  assert.equal((await theirs.put(`/v1/admin/tenants/${tenantId}/logo`, base64(image))).status, 404)
  assert.equal((await theirs.get('/v1/brand/logo')).status, 404)
  assert.equal((await theirs.get(url)).status, 404)
})
