import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { LOCALES, languageName, regionOf } from '#lib/languages.ts'
import { problemMessage } from '#lib/problem-messages/index.ts'
import {
  inBrowser,
  openPage,
  sidewaysOf,
  withoutBrowser as skip,
  violationsOf,
} from '#test/browser.ts'
import { screenShop, signIn, whole } from '#test/screens.ts'

const shop = await screenShop()
const { origin, owner } = shop

/** Pages with the longest texts and the narrowest places. English and French are walked by other tests. */
const PATHS = [
  ...['/', '/minecraft', '/minecraft/four', '/compare/minecraft', '/cart', '/country', '/legal'],
  ...['/withdraw', '/sign-in', '/register', '/forgot', '/no-such-page'],
]
const PAYING = ['/checkout', ...shop.pages.filter((path) => path.startsWith('/pay/'))]
const SCREENS = shop.screens.filter((path) => !/^\/servers\/[^/]+\/(?:activity|startup)/.test(path))
const { body: four } = await shop.app.get('/v1/store/products/four')
await owner.post('/v1/cart/items', { planId: four.plans[0].id })
const NEW = LOCALES.filter((it) => it !== 'en' && it !== 'fr')
/** Long words, and letters of another file of the font: these two are checked with axe, too. */
const CHECKED: readonly string[] = ['de', 'pl']

/** Browsers report every page that does not exist, and a refused coupon. */
const isKnown = (address: string) =>
  /\/(?:no-such-page|v1\/affiliation|cart\/coupons)$/.test(new URL(address).pathname)

async function assertFits(page: Page, path: string, locale: string): Promise<void> {
  assert.equal(await page.locator('html').getAttribute('lang'), locale, path)
  assert.equal(await sidewaysOf(page), 0, `${path} scrolls sideways in ${locale}`)
  if (CHECKED.includes(locale)) assert.deepEqual(await violationsOf(page), [], `${path}, ${locale}`)
}

for (const locale of NEW) {
  test(`the shop and the customer area fit a phone in ${languageName(locale)}`, { skip }, () =>
    inBrowser(async (browser) => {
      const look = { locale: regionOf(locale), viewport: { width: 390, height: 844 } }
      const { page, faults } = await openPage(browser, look, isKnown)
      for (const path of PATHS) {
        await page.goto(origin + path)
        await assertFits(page, path, locale)
        await picture(page, `${locale}${path}`)
      }
      await signIn(page, origin, owner.email)
      for (const path of [...PAYING, ...SCREENS]) {
        await page.goto(origin + path)
        await whole(page)
        await assertFits(page, path, locale)
        await picture(page, `${locale}${path}`)
      }
      await page.goto(`${origin}/cart`)
      await page.locator('.promo summary').click()
      await page.locator('.promo input[name=code]').fill('NOTHING')
      await page.locator('.promo button').click()
      const refusal = page.locator('#promo-error')
      assert.equal(await refusal.innerText(), problemMessage('coupon_unknown', locale, ''))
      await assertFits(page, 'a refused coupon', locale)
      assert.deepEqual(faults, [], 'the console stays empty')
    }),
  )
}

/** A picture to look at, if a folder for them is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LANGUAGE_PICTURES
  if (!folder) return
  const file = name.replaceAll(/[^a-z]+/g, '-').slice(0, 60)
  await page.screenshot({ path: `${folder}/${file}.png`, fullPage: true })
}

test('a visitor chooses a language from a list, without script too, and the page remembers it', {
  skip,
}, async () => {
  await inBrowser(async (browser) => {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await openPage(browser, { locale: 'en-GB', javaScriptEnabled })
      await page.goto(`${origin}/minecraft`)
      await page.locator('header .langs summary').click()
      await page.locator('header .langs').getByRole('link', { name: 'Nederlands' }).click()
      assert.equal(await page.locator('html').getAttribute('lang'), 'nl')
      await page.goto(`${origin}/sign-in`)
      assert.equal(await page.locator('html').getAttribute('lang'), 'nl')
      await page.locator('footer .langs summary').click()
      await page.locator('footer .langs').getByRole('link', { name: 'English' }).click()
      assert.equal(await page.locator('html').getAttribute('lang'), 'en')
      await page.context().close()
    }
  })
})

test('a customer chooses a language in the menu of the account, with the keyboard', {
  skip,
}, async () => {
  await inBrowser(async (browser) => {
    const { page, faults } = await openPage(browser, { locale: 'en-GB' }, isKnown)
    await signIn(page, origin, owner.email)
    await whole(page)
    await page.locator('.side-foot button.me').click()
    await page.getByRole('menuitem', { name: 'Language' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Italiano' }).click()
    await page.locator('html[lang=it]').waitFor()
    await whole(page)
    assert.deepEqual(faults, [])
  })
})

test('a phone loads the file with further letters in Polish, and not in Dutch', {
  skip,
}, async () => {
  const fontsIn = async (locale: string) =>
    inBrowser(async (browser) => {
      const { page } = await openPage(browser, { locale })
      const fonts: string[] = []
      page.on('request', (it) => it.url().endsWith('.woff2') && fonts.push(it.url()))
      await page.goto(`${origin}/sign-in`)
      await page.evaluate('document.fonts.ready')
      return fonts.filter((it) => it.includes('geist-ext')).length
    })
  assert.deepEqual([await fontsIn('nl-NL'), await fontsIn('pl-PL')], [0, 1])
})
