import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { sharedBrowser, withoutBrowser as skip } from '#test/browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'

// CI has a browser; without one, all other tests run.
const PASSWORD = 'a harbour of quiet words'

const port = await freePort()
const shop = await gameShop({ config: { port, publicUrl: `http://localhost:${port}` } })
const origin = `http://localhost:${port}`
const category = await shop.catalog.category({
  name: 'Minecraft',
  slug: 'minecraft',
  description: 'Blocks.',
})
const small = await shop.server({
  name: 'Minecraft 2 GB',
  slug: 'minecraft-2',
  categoryId: category.id,
})
await shop.catalog.plan(small.product.id, { name: 'Yearly', interval: 'year', priceCents: 10_000 })

async function inBrowser(
  options: object,
  work: (page: Page, context: BrowserContext, faults: string[]) => Promise<void>,
) {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  try {
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await work(page, context, faults)
    assert.deepEqual(faults, [], 'the console stays empty')
  } finally {
    await context.close()
  }
}

/** From the front page to the address of the running server, as a newcomer. */
async function buyAsGuest(page: Page, email: string): Promise<void> {
  await page.goto(origin)
  await page
    .getByRole('link', { name: /Minecraft/ })
    .first()
    .click()
  await page.getByLabel('Name of your server').fill('Castle')
  await page.getByRole('button', { name: 'Checkout' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Street and number').fill('1 Harbour Road')
  await page.getByLabel('Postcode').fill('75001')
  await page.getByLabel('City').fill('Paris')
  await page.getByLabel('Country').selectOption('FR')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: /^Pay/ }).last().click()
}

for (const javaScriptEnabled of [true, false]) {
  test(`a newcomer buys a server ${javaScriptEnabled ? 'with' : 'without'} scripts, and sees its address`, {
    skip,
  }, async () => {
    await inBrowser({ javaScriptEnabled }, async (page) => {
      await buyAsGuest(page, `guest-${javaScriptEnabled}@example.org`)
      await page.waitForURL((url) => url.origin === new URL(shop.provider.url).origin)
      await page.getByRole('button', { name: /pay/i }).first().click()
      await page.waitForURL((url) => url.pathname.startsWith('/orders/'), { timeout: 60_000 })
      await page.getByRole('heading', { name: 'Castle is ready' }).waitFor({ timeout: 60_000 })
      assert.match(await page.locator('.address').innerText(), /:\d+$/)
    })
  })
}
