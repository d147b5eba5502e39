import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pageAssets } from '#platform/pages/assets.ts'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { assertSoundPage, screenShop } from '#test/screens.ts'

const shop = await screenShop()
const { origin, pages } = shop
/** Browsers say so of every page that is not there. */
const isMissing = (address: string) =>
  /\/(?:i\/nobody|no-such-page)$/.test(new URL(address).pathname)
const KB = 1000

for (const look of [
  { locale: 'fr-FR', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { locale: 'en-GB', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
] as const) {
  const name = `${look.locale}, ${look.colorScheme}, ${look.viewport.width} pixels`

  test(`every page of the shop is accessible and fits (${name})`, { skip }, () =>
    inBrowser(async (browser) => {
      const { page, faults } = await openPage(browser, look, isMissing)
      for (const path of pages) {
        await page.goto(origin + path)
        await assertSoundPage(page, path)
      }
      assert.deepEqual(faults, [], 'the console stays empty')
    }),
  )
}

test('a page of the shop has at most 20 kB with styles and scripts, and at most 8 kB of scripts', async () => {
  const { storeStyle, pathStyle, storeScript, pathScript, passkeyScript } = pageAssets()
  const weightOf = (asset: typeof storeStyle) => asset.compressed?.gzip.length ?? 0
  const scripts = [storeScript, pathScript, passkeyScript].map(weightOf)
  assert.ok(scripts.reduce((sum, it) => sum + it) < 8 * KB, `${scripts} bytes of script`)
  for (const path of pages) {
    const answer = await fetch(origin + path)
    const html = await answer.text()
    const assets = [storeStyle, pathStyle, storeScript, pathScript, passkeyScript]
    const loaded = assets.filter(({ url }) => html.includes(url))
    const bytes = gzipSync(html).length + loaded.reduce((sum, it) => sum + weightOf(it), 0)
    assert.ok(bytes < 20 * KB, `${path}: ${bytes} bytes`)
  }
})
