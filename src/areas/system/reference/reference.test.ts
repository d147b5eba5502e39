import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { ROOT } from '#platform/root.ts'
import { testApp } from '#test/app.ts'
import { withoutBrowser as skip, startBrowser } from '#test/browser.ts'
import { apiKey, person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'

// CI has a browser; without one, all other tests run.

const port = await freePort()
const origin = `http://localhost:${port}`
const app = await testApp(null, { config: { port, publicUrl: origin } })

type Operation = {
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>
  'x-codeSamples'?: { source: string }[]
}

test('only the document with examples has examples', async () => {
  const { text } = await app.get('/v1/openapi.json')
  assert.doesNotMatch(text, /x-codeSamples/)
  const { body } = await app.get('/v1/openapi.json?examples=true')
  const login: Operation = body.paths['/v1/auth/login'].post
  assert.ok(login.requestBody?.content['application/json']?.example)
  assert.ok(login.responses[200]?.content?.['application/json']?.example)
  assert.match(login['x-codeSamples']?.[0]?.source ?? '', /shop\.POST\('\/v1\/auth\/login', \{/)
  const paid = body.webhooks['invoice.paid'].post.requestBody.content['application/json']
  assert.equal(paid.example.type, 'invoice.paid')
  assert.equal((await app.get('/v1/openapi.json?examples=1x')).status, 400)
})

const made = fs.existsSync(path.join(ROOT, 'docs/.reference/reference.js'))

test('the program is sent as it was compressed when it was built, and once to each browser', {
  skip: !made && 'the reference is not built',
}, async () => {
  const url = '/v1/docs/reference.js'
  const plain = fs.readFileSync(path.join(ROOT, 'docs/.reference/reference.js'))
  for (const [accepted, encoding, undo] of [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', null, (it: Buffer) => it],
  ] as const) {
    const headers = { 'accept-encoding': accepted }
    const { body, answer } = await bytesOf(`${origin}${url}`, headers)
    assert.equal(answer.headers['content-encoding'] ?? null, encoding)
    assert.equal(Number(answer.headers['content-length']), body.length)
    assert.ok(undo(body).equals(plain), accepted)
    const { etag = '' } = answer.headers
    for (const sent of [etag, etag.replace(/"$/, '--gzip"')]) {
      const again = await bytesOf(`${origin}${url}`, { ...headers, 'if-none-match': sent })
      assert.deepEqual([again.answer.statusCode, again.body.length], [304, 0])
    }
    const head = await app.request('HEAD', url, undefined, { headers })
    assert.deepEqual([head.status, head.headers.etag, head.text], [200, etag, ''])
  }
})

async function bytesOf(url: string, headers: Record<string, string>) {
  const [answer] = (await once(http.get(url, { headers }), 'response')) as [IncomingMessage]
  return { answer, body: await buffer(answer) }
}

/** A desktop in the light, a phone in the dark. */
const WIDTHS = { light: 1440, dark: 390 } as const

async function inReference(colorScheme: 'light' | 'dark', work: (page: Page) => Promise<void>) {
  const browser = await startBrowser()
  try {
    const viewport = { width: WIDTHS[colorScheme], height: 900 }
    const page = await browser.newPage({ colorScheme, viewport })
    const faults: string[] = []
    const elsewhere: string[] = []
    page.on('console', (it) => void (it.type() === 'error' && faults.push(it.text())))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) elsewhere.push(url)
    })
    const startMs = performance.now()
    await page.goto(`${origin}/v1/docs`, { waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Moorage', level: 1 }).waitFor()
    const readMs = Math.round(performance.now() - startMs)
    await page.locator('#reference h1').first().waitFor()
    const openMs = Math.round(performance.now() - startMs)
    await work(page)
    process.stdout.write(
      `The reference could be read after ${readMs} ms, and used after ${openMs} ms.\n`,
    )
    assert.deepEqual([faults, elsewhere], [[], []], 'the console stays empty, and no host is asked')
  } finally {
    await browser.close()
  }
}

for (const scheme of ['light', 'dark'] as const) {
  test(`the reference opens from our own files only, with guide and operations, ${scheme}, ${WIDTHS[scheme]} px`, {
    skip,
  }, async () => {
    await inReference(scheme, async (page) => {
      await page.getByRole('heading', { name: 'Idempotency' }).first().waitFor()
      const text = await page.locator('#reference').innerText()
      // A phone shows the guide first; the list of the operations is in its menu.
      const listed = scheme === 'light' ? ['Auth & Users', 'Services'] : []
      for (const part of ['Authentication', 'Webhooks', ...listed]) {
        assert.ok(text.includes(part), part)
      }
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      const [, red = ''] = /rgba?\((\d+)/.exec(String(background)) ?? []
      assert.equal(Number(red) > 128, scheme === 'light', String(background))
      const width = await page.evaluate('document.documentElement.scrollWidth')
      assert.ok(Number(width) <= WIDTHS[scheme], `the page is ${width} px wide`)
    })
  })
}

test('every operation can be read before the program of the reference has started', {
  skip,
}, async () => {
  const browser = await startBrowser()
  try {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${origin}/v1/docs`)
    const calls = await page.locator('dt').allInnerTexts()
    const { body } = await app.get('/v1/openapi.json')
    const paths: object[] = Object.values(body.paths)
    assert.equal(calls.length, paths.flatMap((it) => Object.keys(it)).length)
    assert.ok(calls.includes('GET /v1/users/me'))
  } finally {
    await browser.close()
  }
})

test('a request is sent from the reference with the key of its reader', { skip }, async () => {
  const { key } = await apiKey(app, await person(app), { permission: 'read' })
  await inReference('light', async (page) => {
    await page.getByPlaceholder('Token').first().fill(key)
    await page
      .getByRole('link', { name: /^My profile/ })
      .first()
      .click()
    await page.getByRole('button', { name: '(get /v1/users/me)' }).first().click()
    const sent = page.waitForResponse((it) => new URL(it.url()).pathname === '/v1/users/me')
    await page.getByRole('button', { name: /^send/i }).first().click()
    assert.equal((await sent).status(), 200)
  })
})
