import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pageAssets } from '#platform/pages/assets.ts'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { formBrowser } from '#test/form-browser.ts'
import { PASSWORD } from '#test/relying-party.ts'
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

const { storeStyle, pathStyle, storeScript, pathScript, passkeyScript } = pageAssets()
const SCRIPTS = [storeScript, pathScript, passkeyScript]
const weightOf = (asset: typeof storeStyle) => asset.compressed?.gzip.length ?? 0

/** The size of a page with the styles and scripts that it names, compressed with gzip. */
function weighPage(html: string): number {
  const loaded = [storeStyle, pathStyle, ...SCRIPTS].filter(({ url }) => html.includes(url))
  return gzipSync(html).length + loaded.reduce((sum, it) => sum + weightOf(it), 0)
}

test('a page of the shop has at most 20 kB with styles and scripts, and at most 8 kB of scripts', async () => {
  const scripts = SCRIPTS.map(weightOf)
  assert.ok(scripts.reduce((sum, it) => sum + it) < 8 * KB, `${scripts} bytes of script`)
  for (const path of pages) {
    const answer = await fetch(origin + path)
    const bytes = weighPage(await answer.text())
    assert.ok(bytes < 20 * KB, `${path}: ${bytes} bytes`)
  }
})

test('the pages from a filled cart to the server have at most 20 kB with styles and scripts', async () => {
  const guest = formBrowser({ url: origin })
  await guest.submit('/cart/items', { ...shop.item })
  const customer = formBrowser({ url: origin })
  const { status } = await customer.submit('/sign-in', {
    ...{ email: shop.owner.email, password: PASSWORD, next: '/cart' },
  })
  assert.equal(status, 303)
  await customer.submit('/cart/items', { ...shop.item })
  const opened = [
    ...['/cart', '/checkout'].flatMap((path) => [
      { person: guest, path },
      { person: customer, path },
    ]),
    ...shop.afterPayment.map((path) => ({ person: customer, path })),
  ]
  for (const { person, path } of opened) {
    const page = await person.open(path)
    assert.equal(page.status, 200, `${path} is shown`)
    const bytes = weighPage(page.text)
    assert.ok(bytes < 20 * KB, `${path}: ${bytes} bytes`)
  }
})
