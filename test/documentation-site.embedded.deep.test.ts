import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { after, test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { testApp } from '#test/app.ts'
import { sidewaysOf, startBrowser, violationsOf } from '#test/browser.ts'

/** The documentation in a browser, as an installation serves it. */
const ROOT = path.join(import.meta.dirname, '..')
const built = spawnSync(process.execPath, ['scripts/documentation.js'], { cwd: ROOT })
const app = await testApp(null)
const browser = await startBrowser()
after(() => browser.close())

async function open(url: string, how: BrowserContextOptions = { colorScheme: 'light' }) {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...how })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(app.url)) foreign.push(request.url())
  })
  await page.goto(`${app.url}${url}`, { waitUntil: 'networkidle' })
  return { page, complaints, foreign }
}

test('the documentation is built from the pages', () => {
  assert.equal(built.status, 0, String(built.stderr))
})

test('a reader searches, follows a result and the next page, and changes to dark', async () => {
  const { page, complaints, foreign } = await open('/docs/')
  await page.locator('.VPNavBarSearch button').click()
  await page.locator('.VPLocalSearchBox input').fill('stripe webhook')
  const result = page.locator('.VPLocalSearchBox .result').first()
  await result.waitFor()
  await result.click()
  await page.waitForURL(/\/docs\/[a-z-]+/)
  assert.match(await page.title(), /\| Moorage$/)
  await page.locator('.pager-link.next').click()
  await page.locator('h1').first().waitFor()
  await page.locator('.VPSwitchAppearance').first().click()
  await page.locator('html.dark').waitFor()
  assert.deepEqual({ complaints, foreign }, { complaints: [], foreign: [] })
  await page.close()
})

test('a page that does not exist says so in the look of the site', async () => {
  const { page } = await open('/docs/no-such-page')
  await page.locator('.NotFound').waitFor()
  await page.close()
})

/** Pages with code of each kind, wide tables, lists and addresses. */
const KINDS = [
  '',
  'first-shop',
  'settings',
  'webhooks',
  'reverse-proxy',
  'decisions/0211-components',
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages can be read by everybody, on a phone and a desk, ${colorScheme}`, async () => {
    for (const width of [390, 1440]) {
      for (const kind of KINDS) {
        const how = { colorScheme, viewport: { width, height: 900 } }
        const { page, complaints } = await open(`/docs/${kind}`, how)
        const found = { violations: await violationsOf(page), sideways: await sidewaysOf(page) }
        assert.deepEqual(
          { ...found, complaints },
          { violations: [], sideways: 0, complaints: [] },
          `${kind} ${width}`,
        )
        await page.close()
      }
    }
  })
}
