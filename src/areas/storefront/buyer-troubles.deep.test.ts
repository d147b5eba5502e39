import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  inBrowser,
  type OpenPage,
  openPage,
  withoutBrowser as skip,
  violationsOf,
} from '#test/browser.ts'
import { checkOut } from '#test/checkout.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
/** Twelve servers of 2048 MiB have room. */
const shop = await gameShop({
  config: { port, publicUrl: origin },
  panel: { nodes: 1, locations: 1, memory: 12 * 2048, disk: 1_000_000 },
})
const games = await shop.catalog.category({ name: 'Minecraft', slug: 'minecraft' })
const { plan } = await shop.server({ name: 'Small', slug: 'small', categoryId: games.id })
await shop.admin.patch('/v1/admin/shop', { seller: { email: 'help@host.example' } })

const DECLINED = '4000000000000002'
/** Can be saved, and is declined from then on. */
const DECLINED_LATER = '4000000000000341'
const GOOD = '4242424242424242'
const PAY = ':is(.summary button.full, .paybar button):visible'
const FIELDS = {
  ...{ name: 'Ada', password: 'a harbour of quiet words' },
  ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris' },
}
const isProvider = (url: URL) => url.origin === new URL(shop.provider.url).origin

const isRefusal = (address: string) => new URL(address).pathname.startsWith('/checkout')

/** A page of its own; what a browser says of a refused form is known. */
const shopper = (browser: Parameters<typeof openPage>[0], more: object = {}): Promise<OpenPage> =>
  openPage(browser, { locale: 'en-GB', ...more }, isRefusal)

async function fillCart(page: Page): Promise<void> {
  await page.goto(`${origin}/minecraft/small`)
  await page.locator('input[name=name]').fill('Castle')
  await page.locator('.addcart').click()
  await page.locator('a[href="/checkout"]').waitFor()
}

async function fillCheckout(page: Page, email: string): Promise<void> {
  await page.goto(`${origin}/checkout`)
  for (const [name, value] of Object.entries({ ...FIELDS, email })) {
    await page.locator(`input[name=${name}]`).fill(value)
  }
  await page.locator('select[name=country]').selectOption('FR')
  await page.locator('input[name=immediateStart]').check()
}

async function toPayment(page: Page, email: string): Promise<void> {
  await fillCart(page)
  await fillCheckout(page, email)
  await page.locator(PAY).click()
  await page.waitForURL(isProvider)
}

async function pay(page: Page, card: string): Promise<void> {
  await page.locator('select[name=card]').selectOption(card)
  await page.getByRole('button', { name: /^Pay/ }).click()
}

/** The page of the order, once it shows the server's address. */
async function sawServer(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith('/orders/'), { timeout: 60_000 })
  await page.locator('.address').waitFor({ timeout: 60_000 })
}

/** Somebody with a password and a card that is declined when it is charged. */
async function withBadCard() {
  const customer = await shop.customer()
  await givePassword(shop.app, customer.userId)
  const { body } = await customer.post('/v1/billing/setup-intent', {
    returnUrl: `${origin}/payment`,
  })
  await shop.complete(body.url, { card: DECLINED_LATER })
  await shop.app.eventually('the card is saved', async () => {
    const { body: methods } = await customer.get('/v1/billing/payment-methods')
    return methods.data.length === 1
  })
  return customer
}

test(
  'a saved card that is declined leads to a page that says so, and on to a second try',
  { skip },
  () =>
    inBrowser(async (browser) => {
      const { email } = await withBadCard()
      const { page, faults } = await shopper(browser)
      await page.goto(`${origin}/sign-in`)
      await page.locator('input[name=email]').fill(email)
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.locator('form[action="/sign-in"] button:visible').first().click()
      await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
      await fillCart(page)
      await page.goto(`${origin}/checkout`)
      for (const name of ['line1', 'postcode', 'city'] as const) {
        await page.locator(`input[name=${name}]`).fill(FIELDS[name])
      }
      await page.locator('input[name=immediateStart]').check()
      assert.match(await page.locator('input[name=method]:checked').inputValue(), /^method:/)
      await page.locator(PAY).click()
      await page.getByRole('heading', { name: 'The payment did not go through' }).waitFor()
      assert.match(new URL(page.url()).pathname, /^\/checkout\/return\/[\w-]+$/)
      assert.match(await page.locator('main').innerText(), /declined/i)
      assert.match(await page.locator('main').innerText(), /Nothing was charged/)
      assert.match(await page.locator('input[name=method]:checked').inputValue(), /^gateway:/)
      assert.deepEqual(await violationsOf(page), [])
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.waitForURL(isProvider)
      await pay(page, GOOD)
      await sawServer(page)
      assert.deepEqual(faults, [])
    }),
)

test(
  'without scripts, a buyer whose card is declined comes back, and pays with another one',
  { skip },
  () =>
    inBrowser(async (browser) => {
      const { page } = await shopper(browser, { javaScriptEnabled: false })
      await toPayment(page, 'no-scripts@example.org')
      await pay(page, DECLINED)
      await page
        .getByText(/declined/i)
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('heading', { name: 'Your order is not paid yet' }).waitFor()
      assert.match(await page.locator('main').innerText(), /nothing was charged/)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.waitForURL(isProvider)
      await pay(page, GOOD)
      await sawServer(page)
    }),
)

test(
  'a server that could not be installed: the page after the payment says what happened, and what is next',
  { skip },
  () =>
    inBrowser(async (browser) => {
      await shop.panel.post('installs', { outcome: 'fail' })
      const { page, faults } = await shopper(browser, { viewport: { width: 390, height: 844 } })
      await toPayment(page, 'not-installed@example.org')
      await pay(page, GOOD)
      await page
        .getByRole('heading', { name: 'Castle is not ready yet' })
        .waitFor({ timeout: 60_000 })
      const said = await page.locator('main').innerText()
      assert.match(said, /The game could not be installed\./)
      assert.match(said, /What happens now/)
      assert.match(said, /you do not need to order or pay again/)
      const write = page.getByRole('link', { name: 'Write to us' })
      assert.equal(await write.getAttribute('href'), 'mailto:help@host.example')
      assert.deepEqual(await violationsOf(page), [])
      await shop.panel.post('installs', { outcome: 'succeed' })
      await page.getByRole('link', { name: 'Open my server' }).click()
      await page.waitForURL(/\/servers\//)
      assert.deepEqual(faults, [])
    }),
)

test(
  'a node that is full says so on the product, in the cart and at the checkout, before any account',
  { skip },
  () =>
    inBrowser(async (browser) => {
      const { page, faults } = await shopper(browser)
      await fillCart(page)
      await page.getByText('Available', { exact: true }).waitFor()
      await fillCheckout(page, 'full@example.org')
      const others = await shop.customer()
      const left = 12 - (await shop.servers()).length
      await others.post('/v1/cart/items', { planId: plan.id, quantity: left })
      assert.equal((await checkOut(others, { gatewayId: shop.gatewayId })).status, 201)
      await page.locator(PAY).click()
      const alert = page.getByRole('alert')
      await alert.getByText('There is no room for this server at the moment.').waitFor()
      assert.equal(await page.locator('input[name=email]').inputValue(), 'full@example.org')
      assert.deepEqual(await violationsOf(page), [])
      await alert.getByRole('link', { name: 'Change the cart' }).click()
      await page.getByText('There is no room for this server at the moment.').waitFor()
      assert.equal(await page.locator('a[href="/checkout"]').count(), 0)
      assert.deepEqual(await violationsOf(page), [])
      await page.getByRole('link', { name: 'See other sizes' }).click()
      await page.waitForURL('**/minecraft/small')
      await page.getByText('There is no room for this server at the moment.').waitFor()
      assert.deepEqual(await violationsOf(page), [])
      const people = await shop.admin.get('/v1/admin/users?search=full@example.org')
      assert.deepEqual(people.body.data, [])
      assert.deepEqual(faults, [])
    }),
)
