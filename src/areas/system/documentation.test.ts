import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { areas } from '#app/areas.ts'
import { testApp } from '#test/app.ts'
import { documentationRoutes } from './documentation.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-site-'))
after(() => fs.rmSync(folder, { recursive: true }))
const site = path.join(folder, 'site')
const others = areas.map((area) =>
  area.name === 'system' ? { ...area, routes: [documentationRoutes(site)] } : area,
)
const app = await testApp(null, { areas: others })
// As a browser revalidates. By itself, `fetch` asks for an answer from no cache.
const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${url}`, {
    headers: { 'cache-control': 'max-age=0', ...headers },
    redirect: 'manual',
  })

function build(): void {
  const files = {
    'index.html': '<title>start</title>',
    '404.html': '<title>missing</title>',
    'mail.html': '<title>mail</title>',
    'decisions/index.html': '<title>decisions</title>',
    'assets/app.Dq2.js': 'export default 1',
    'mail.html.br': brotliCompressSync('<title>mail</title>'),
    'mail.html.gz': gzipSync('<title>mail</title>'),
    'policy.json': `["'sha256-abc='"]`,
    '.hidden.html': 'hidden',
  }
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(site, name)), { recursive: true })
    fs.writeFileSync(path.join(site, name), text)
  }
  fs.writeFileSync(path.join(folder, 'secret.html'), 'secret')
}

test('a site that was not built is a page that says how to build it', async () => {
  const answer = await get('/docs/mail')
  assert.equal(answer.status, 404)
  const text = await answer.text()
  assert.match(text, /npm run docs/)
  assert.match(String(answer.headers.get('content-security-policy')), /default-src 'none'/)
  build()
  assert.equal((await get('/docs/mail')).status, 200, 'built while the service runs')
})

test('a page has an address without an ending, and a folder has its index', async () => {
  build()
  for (const [url, title] of [
    ['/docs/', 'start'],
    ['/docs/mail', 'mail'],
    ['/docs/mail.html', 'mail'],
    ['/docs/decisions/', 'decisions'],
  ] as const) {
    const answer = await get(url)
    assert.equal(answer.status, 200, url)
    assert.equal(await answer.text(), `<title>${title}</title>`)
    const policy = String(answer.headers.get('content-security-policy'))
    assert.match(policy, /script-src 'self' 'sha256-abc='/)
    assert.doesNotMatch(policy, /script-src[^;]*unsafe/)
  }
  const moved = await get('/docs')
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/docs/'])
})

test('files named by their content are cached for a year, pages are compared first', async () => {
  build()
  const script = await get('/docs/assets/app.Dq2.js')
  assert.match(String(script.headers.get('content-type')), /javascript; charset=utf-8$/)
  assert.match(String(script.headers.get('cache-control')), /immutable/)
  const page = await get('/docs/mail', { 'accept-encoding': 'br' })
  assert.equal(page.headers.get('content-encoding'), 'br')
  assert.equal(await page.text(), '<title>mail</title>')
  const older = await get('/docs/mail', { 'accept-encoding': 'gzip' })
  assert.equal(older.headers.get('content-encoding'), 'gzip')
  const without = await get('/docs/', { 'accept-encoding': 'br' })
  assert.equal(
    without.headers.get('content-encoding'),
    null,
    'compressed when it was built, or not',
  )
  const etag = String(page.headers.get('etag'))
  for (const known of [
    etag,
    etag.replace('W/', ''),
    etag.replace(/"$/, '-gzip"'),
    `"x", ${etag}`,
  ]) {
    const headers = { 'accept-encoding': 'br', 'if-none-match': known }
    assert.equal((await get('/docs/mail', headers)).status, 304, known)
  }
  assert.equal((await get('/docs/none', { 'if-none-match': '*' })).status, 404)
})

for (const url of [
  '/docs/none',
  '/docs/../secret',
  '/docs/%2e%2e/secret',
  '/docs/..%2fsecret.html',
]) {
  test(`${url} is not found, and nothing outside the site is served`, async () => {
    build()
    const answer = await get(url)
    assert.equal(answer.status, 404)
    assert.doesNotMatch(await answer.text(), /secret<|^secret$/)
  })
}

test('what is no page and no asset is not served', async () => {
  build()
  for (const url of ['/docs/.hidden', '/docs/policy.json', `/docs/${'a'.repeat(300)}`]) {
    assert.equal((await get(url)).status, 404, url)
  }
  assert.equal((await get('/docs/assets/none.js')).status, 404)
})
