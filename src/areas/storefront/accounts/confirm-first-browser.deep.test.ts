import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { areas } from '#app/areas.ts'
import { inBrowser, openPage, withoutBrowser as skip, violationsOf } from '#test/browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { hearLinks } from '#test/links.ts'
import { freePort } from '#test/processes.ts'
import { keepSettings } from '#test/settings.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const links = hearLinks()
const shop = await gameShop({
  areas: [...areas, links.area],
  config: { port, publicUrl: origin },
})
const games = await shop.catalog.category({ name: 'Minecraft', slug: 'minecraft' })
await shop.server({ name: 'Small', slug: 'small', categoryId: games.id })
await keepSettings(shop.app, 'registration', { confirmBeforeSession: true })

const PASSWORD = 'a harbour of quiet words'
const BUTTON = ':is(.summary button.full, .paybar button):visible'
const SIZES = [
  { width: 1440, height: 900, locale: 'en', scheme: 'light' },
  { width: 390, height: 844, locale: 'fr', scheme: 'dark' },
] as const

async function assertAccessible(page: Page, what: string): Promise<void> {
  assert.deepEqual(await violationsOf(page), [], what)
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(wide) <= 0, `${what} is not wider than the screen`)
  const folder = process.env.PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${what}.png`, fullPage: true })
}

for (const { width, height, locale, scheme } of SIZES) {
  test(`a guest confirms the address in the middle of a checkout and pays once (${width} px, ${locale}, ${scheme})`, {
    skip,
  }, async () => {
    const email = `guest-${locale}@example.org`
    await inBrowser(async (browser) => {
      const { page, faults } = await openPage(browser, {
        ...{ viewport: { width, height }, locale, colorScheme: scheme },
      })
      await page.goto(`${origin}/minecraft/small`)
      await page.locator('input[name=name]').fill('Castle')
      await page.locator('.addcart').click()
      await page.locator('a[href="/checkout"]').waitFor()
      await page.goto(`${origin}/checkout`)
      const fields = { name: 'Ada', email, password: PASSWORD, line1: '1 Harbour Road' }
      for (const [name, value] of Object.entries({ ...fields, postcode: '75001', city: 'Paris' })) {
        await page.locator(`input[name=${name}]`).fill(value)
      }
      await page.locator('select[name=country]').selectOption('FR')
      await page.locator('input[name=immediateStart]').check()
      await assertAccessible(page, `checkout-${locale}`)
      await page.locator(BUTTON).click()
      await page.locator('a[href="/verify/resend"]').waitFor()
      await assertAccessible(page, `sent-${locale}`)
      await page.goto(`${origin}/verify/resend`)
      await assertAccessible(page, `resend-${locale}`)
      await page.goto(`${origin}/sign-in`)
      await page.locator('input[name=email]').fill(email)
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.locator('form[action="/sign-in"] button').click()
      await page.locator('a[href="/verify/resend"]').waitFor()
      await assertAccessible(page, `refused-${locale}`)
      const token = await links.newest(shop.app, 'verify', email)
      await page.goto(`${origin}/verify/${token}`)
      await page.locator('input[name=password]').fill(PASSWORD)
      await assertAccessible(page, `verify-${locale}`)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/checkout')
      assert.equal(await page.locator('input[name=line1]').inputValue(), '1 Harbour Road')
      await page.locator(BUTTON).click()
      await page.waitForURL((url) => url.origin === new URL(shop.provider.url).origin)
      const known = faults.filter((it) => !it.includes('401'))
      assert.deepEqual(known, [])
    })
    const { data } = (await shop.admin.get(`/v1/admin/users?search=${email}`)).body
    const orders = (await shop.admin.get(`/v1/admin/orders?userId=${data[0].id}`)).body.data
    assert.equal(orders.length, 1)
  })
}
