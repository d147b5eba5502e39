import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const shop = await gameShop({ config: { port, publicUrl: origin } })
const games = await shop.catalog.category({ name: 'Minecraft', slug: 'minecraft' })
await shop.server({ name: 'Small', slug: 'small', categoryId: games.id })

const DECLINED = '4000000000000002'
const GOOD = '4242424242424242'

/** From a product to the provider's page, by the names of the fields: in any language. */
async function toPayment(page: Page, email: string): Promise<void> {
  await page.goto(`${origin}/minecraft/small`)
  await page.locator('input[name=name]').fill('Castle')
  await page.locator('form[action="/cart/items"] button').click()
  await page.locator('a[href="/checkout"]').click()
  const fields = {
    ...{ name: 'Ada', email, password: 'a harbour of quiet words' },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris' },
  }
  for (const [name, value] of Object.entries(fields)) {
    await page.locator(`input[name=${name}]`).fill(value)
  }
  await page.locator('select[name=country]').selectOption('FR')
  await page.locator('input[name=immediateStart]').check()
  await page.locator('.summary button.full').click()
  await page.waitForURL((url) => url.origin === new URL(shop.provider.url).origin)
}

async function pay(page: Page, card: string): Promise<void> {
  await page.locator('select[name=card]').selectOption(card)
  await page.getByRole('button', { name: /pay/i }).first().click()
}

async function sawServer(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith('/orders/'), { timeout: 60_000 })
  await page.locator('.address').waitFor({ timeout: 60_000 })
}

test('a phone in French buys a server', { skip }, () =>
  inBrowser(async (browser) => {
    const look = { locale: 'fr-FR', viewport: { width: 390, height: 844 } }
    const { page, faults } = await openPage(browser, look)
    const beganMs = performance.now()
    await toPayment(page, 'phone@example.org')
    await pay(page, GOOD)
    await sawServer(page)
    const tookMs = Math.round(performance.now() - beganMs)
    process.stdout.write(`from the product to the address: ${tookMs} ms\n`)
    assert.match(await page.locator('h1').innerText(), /Castle/)
    assert.deepEqual(faults, [])
  }),
)

test('after a declined card, the server is bought with another card', { skip }, () =>
  inBrowser(async (browser) => {
    const { page } = await openPage(browser, { locale: 'en-GB' })
    await toPayment(page, 'declined@example.org')
    await pay(page, DECLINED)
    await page
      .getByText(/declined/i)
      .first()
      .waitFor()
    await pay(page, GOOD)
    await sawServer(page)
    const { data } = (await shop.admin.get('/v1/admin/users?search=declined@example.org')).body
    const invoices = await shop.admin.get(`/v1/admin/invoices?userId=${data[0].id}`)
    assert.deepEqual(
      invoices.body.data.map(({ status }: { status: string }) => status),
      ['paid'],
    )
  }),
)
