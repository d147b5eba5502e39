import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  inBrowser,
  lengthenTexts,
  openPage,
  sidewaysOf,
  withoutBrowser as skip,
  violationsOf,
} from '#test/browser.ts'
import { assertSoundPage, screenShop, signIn, whole } from '#test/screens.ts'
import { textsOf } from './texts/index.ts'

/** The gate walks with one brand and in one layout; WALK=1 walks with all of them, which takes minutes. */
const skipFurther = process.env.WALK ? skip : 'WALK=1 walks with every brand and layout'

const shop = await screenShop()
const { origin, owner, admin } = shop

/** Browsers say so of every page that is not there. */
const isKnown = (address: string) => /\/(?:i\/nobody|no-such-page)$/.test(new URL(address).pathname)

const BRANDS = ['#ffd400', '#0b1f4b', '#d7263d']
const LAYOUTS = [
  { locale: 'en-GB', width: 390 },
  { locale: 'fr-FR', width: 1440 },
  { locale: 'fr-FR', width: 390 },
] as const

/** Walks the pages as a visitor and the screens as a customer. */
async function walk(
  look: { locale: string; width: number },
  check: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  await inBrowser(async (browser) => {
    const viewport = { width: look.width, height: 844 }
    const { page, faults } = await openPage(browser, { locale: look.locale, viewport }, isKnown)
    for (const path of shop.pages) {
      await page.goto(origin + path)
      await check(page, path)
    }
    await signIn(page, origin, owner.email)
    for (const path of shop.screens) {
      await page.goto(origin + path)
      await whole(page)
      await check(page, path)
    }
    assert.deepEqual(faults, [], 'the console stays empty')
  })
}

for (const [index, primaryColor] of BRANDS.entries()) {
  test(`every screen is accessible with the brand ${primaryColor}, light and dark`, {
    skip: index === 0 ? skip : skipFurther,
  }, async () => {
    await admin.patch('/v1/admin/shop', { brand: { primaryColor } })
    await walk({ locale: 'en-GB', width: 1440 }, async (page, path) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        // Colours are those of the scheme from the next frame on.
        await page.evaluate(
          'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
        )
        assert.deepEqual(await violationsOf(page), [], `${path}, ${colorScheme}`)
      }
    })
  })
}

/** In pixels: the narrowest phones, tablets upright and lying, and the narrowest window with a side bar. */
const NARROWEST = 320
const OTHER_WIDTHS = [768, 961, 1024]

test('no screen scrolls sideways on a narrow phone, a tablet, and with the least room beside the side bar', {
  skip,
}, async () => {
  const found: string[] = []
  await walk({ locale: 'fr-FR', width: NARROWEST }, async (page, path) => {
    for (const width of [NARROWEST, ...OTHER_WIDTHS]) {
      await page.setViewportSize({ width, height: 844 })
      const over = await sidewaysOf(page)
      if (over !== 0) found.push(`${path} at ${width} pixels: ${over}`)
    }
  })
  assert.deepEqual(found, [])
})

for (const layout of LAYOUTS) {
  test(`every screen fits, ${Object.values(layout).join(', ')}`, { skip: skipFurther }, () =>
    walk(layout, assertSoundPage),
  )
}

/** The English texts of a dictionary that French has other words for. */
function englishOnly(english: object, french: object): string[] {
  return Object.entries(english).flatMap(([key, text]) => {
    const other: unknown = (french as Record<string, unknown>)[key]
    if (typeof text === 'string') return text !== other && text.length > 11 ? [text] : []
    return typeof text === 'object' && text && other ? englishOnly(text, other) : []
  })
}

test('in French no English text is left, and texts that are 40% longer fit every screen, 1440 pixels wide', {
  skip,
}, async () => {
  const foreign = englishOnly(textsOf('en'), textsOf('fr'))
  assert.ok(foreign.length > 50)
  await walk({ locale: 'fr-FR', width: 1440 }, async (page, path) => {
    const shown = await page.locator('body').innerText()
    assert.deepEqual(
      foreign.filter((it) => shown.includes(it)),
      [],
      path,
    )
    await lengthenTexts(page)
    assert.equal(await sidewaysOf(page), 0, path)
  })
})
