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
const CHALLENGED = '4000000000003220'
const BANK_DEBIT = 'AT611904300234573201'
const DAY_SECONDS = 24 * 3600

const FIELDS = {
  ...{ name: 'Ada', password: 'a harbour of quiet words' },
  ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris' },
}

/** Puts a server into the cart, by the names of the fields: in any language. */
async function fillCart(page: Page): Promise<void> {
  await page.goto(`${origin}/minecraft/small`)
  await page.locator('input[name=name]').fill('Castle')
  await page.locator('.addcart').click()
  await page.locator('a[href="/checkout"]').waitFor()
}

async function fillCheckout(page: Page, email: string): Promise<void> {
  await page.goto(`${origin}/checkout`)
  await fillForm(page, email)
}

async function fillForm(page: Page, email: string): Promise<void> {
  for (const [name, value] of Object.entries({ ...FIELDS, email })) {
    await page.locator(`input[name=${name}]`).fill(value)
  }
  await page.locator('select[name=country]').selectOption('FR')
  await page.locator('input[name=immediateStart]').check()
}

/** The button that pays: in the summary, on a phone in the bar at the bottom. */
const PAY_BUTTON = ':is(.summary button.full, .paybar button)'
const PAY = `${PAY_BUTTON}:visible`
const isProvider = (url: URL) => url.origin === new URL(shop.provider.url).origin

/** From a product to the provider's page. */
async function toPayment(page: Page, email: string): Promise<void> {
  await fillCart(page)
  await fillCheckout(page, email)
  await page.locator(PAY).click()
  await page.waitForURL(isProvider)
}

async function pay(page: Page, card: string): Promise<void> {
  await page.locator('select[name=card]').selectOption(card)
  await page.getByRole('button', { name: /pay/i }).first().click()
}

async function sawServer(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith('/orders/'), { timeout: 60_000 })
  await page.locator('.address').waitFor({ timeout: 60_000 })
}

/** There is one paid invoice and one server, and the provider was paid once. */
async function boughtOnce(email: string): Promise<void> {
  const { data } = (await shop.admin.get(`/v1/admin/users?search=${email}`)).body
  const ofUser = async (what: string) =>
    (await shop.admin.get(`/v1/admin/${what}?userId=${data[0].id}`)).body.data
  const [invoices, services] = [await ofUser('invoices'), await ofUser('services')]
  const statuses = (rows: { status: string }[]) => rows.map(({ status }) => status)
  assert.deepEqual([statuses(invoices), statuses(services)], [['paid'], ['active']])
  const intents = await shop.sdk.paymentIntents.list({ limit: 100 })
  const charged = intents.data.filter(
    ({ status, metadata }) => status === 'succeeded' && metadata.invoice_id === invoices[0].id,
  )
  assert.equal(charged.length, 1)
}

/** Moves the focus with the keyboard until it is on what a selector names. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  assert.fail(`No key press leads to ${selector}`)
}

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, `[name=${name}]`)
  await page.keyboard.type(text)
}

test(
  'a phone in French buys a server on five screens, from the front page to its address',
  { skip },
  () =>
    inBrowser(async (browser) => {
      const look = { locale: 'fr-FR', viewport: { width: 390, height: 844 } }
      const { page, faults } = await openPage(browser, look)
      const seen = new Set<string>()
      page.on('framenavigated', (frame) => {
        if (frame !== page.mainFrame()) return
        const { origin: site, pathname } = new URL(frame.url())
        seen.add(`${site}${pathname}`)
      })
      const beganMs = performance.now()
      await page.goto(origin)
      await page.locator('a.game[href="/minecraft"]').click()
      await page.waitForURL('**/minecraft')
      await page.locator('input[name=name]').fill('Castle')
      await page.locator('button[value=checkout]').click()
      await page.waitForURL('**/checkout')
      await fillForm(page, 'phone@example.org')
      await page.locator(PAY).click()
      await page.waitForURL(isProvider)
      await pay(page, GOOD)
      await sawServer(page)
      const tookMs = Math.round(performance.now() - beganMs)
      process.stdout.write(
        `from the front page to the address: ${tookMs} ms, ${seen.size} screens\n`,
      )
      assert.match(await page.locator('h1').innerText(), /Castle/)
      assert.ok(seen.size <= 5, `at most five screens: ${[...seen].join(' ')}`)
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
    await boughtOnce('declined@example.org')
  }),
)

test('a payment that the bank wants confirmed buys a server once it is confirmed', { skip }, () =>
  inBrowser(async (browser) => {
    const { page, faults } = await openPage(browser, { locale: 'en-GB' })
    await toPayment(page, 'challenged@example.org')
    await pay(page, CHALLENGED)
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByRole('button', { name: /^Pay/ }).waitFor()
    await pay(page, CHALLENGED)
    await page.getByRole('button', { name: 'Accept' }).click()
    await sawServer(page)
    await boughtOnce('challenged@example.org')
    assert.deepEqual(faults, [])
  }),
)

test(
  'an order whose payment takes days waits for it, and its page then shows the server',
  {
    skip,
  },
  () =>
    inBrowser(async (browser) => {
      const { page } = await openPage(browser, { locale: 'en-GB' })
      await toPayment(page, 'debit@example.org')
      await pay(page, BANK_DEBIT)
      await page.waitForURL((url) => url.pathname.startsWith('/orders/'))
      await page.getByRole('heading', { name: 'Your order waits for its payment' }).waitFor()
      await shop.control('clock', { advanceSeconds: 4 * DAY_SECONDS })
      await page.locator('.address').waitFor({ timeout: 60_000 })
      await boughtOnce('debit@example.org')
    }),
)

test(
  'the page of a server that is set up says that the connection is lost, and goes on when it is back',
  {
    skip,
  },
  () =>
    inBrowser(async (browser) => {
      const { page } = await openPage(browser, { locale: 'en-GB' })
      await toPayment(page, 'offline@example.org')
      await shop.panel.post('installs', { outcome: 'succeed', seconds: 3600, n: 1 })
      await pay(page, GOOD)
      await page.getByRole('heading', { name: 'Setting up Castle' }).waitFor({ timeout: 60_000 })
      await page.evaluate('window.loadedOnce = true')
      await page.context().setOffline(true)
      await page.getByText('No connection').first().waitFor()
      await page.context().setOffline(false)
      await shop.panel.post('clock', { advanceSeconds: 3600 })
      await sawServer(page)
      assert.equal(await page.getByText('No connection').first().isVisible(), false)
      assert.equal(await page.evaluate('window.loadedOnce'), true, 'the page was not loaded anew')
    }),
)

test('a server is bought with the keyboard alone', { skip }, () =>
  inBrowser(async (browser) => {
    const { page } = await openPage(browser, { locale: 'en-GB' })
    const enter = async (selector: string) => {
      await tabTo(page, selector)
      await page.keyboard.press('Enter')
    }
    await page.goto(origin)
    await enter('a[href="/minecraft"].game')
    await page.waitForURL('**/minecraft')
    await typeInto(page, 'name', 'Castle')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/checkout')
    await typeInto(page, 'name', FIELDS.name)
    await typeInto(page, 'email', 'keyboard@example.org')
    // Enter in a field pays: what is missing is said, and leads to its field.
    await page.keyboard.press('Enter')
    await page.locator('#errors:focus').waitFor()
    await enter('#errors a[href="#password"]')
    assert.equal(await page.evaluate('document.activeElement.id'), 'password')
    await page.keyboard.type(FIELDS.password)
    await typeInto(page, 'line1', FIELDS.line1)
    await typeInto(page, 'postcode', FIELDS.postcode)
    await typeInto(page, 'city', FIELDS.city)
    await typeInto(page, 'country', 'France')
    await tabTo(page, '[name=immediateStart]')
    await page.keyboard.press('Space')
    await enter(PAY_BUTTON)
    await page.waitForURL(isProvider)
    await enter('button[value=pay]')
    await sawServer(page)
    await tabTo(page, '[data-copy]')
    await boughtOnce('keyboard@example.org')
  }),
)

test(
  'a cart that is paid in two tabs is bought once, and the second tab says where the order is',
  {
    skip,
  },
  () =>
    inBrowser(async (browser) => {
      const email = 'two-tabs@example.org'
      const { page } = await openPage(browser, { locale: 'en-GB' })
      await fillCart(page)
      await fillCheckout(page, email)
      const second = await page.context().newPage()
      await fillCheckout(second, email)
      await page.locator(PAY).click()
      await page.waitForURL(isProvider)
      await second.locator(PAY).click()
      await second.getByRole('link', { name: 'Your orders' }).waitFor()
      await pay(page, GOOD)
      await sawServer(page)
      await boughtOnce(email)
    }),
)

test('a coupon is applied and removed at the checkout, and what was typed stays', { skip }, () =>
  inBrowser(async (browser) => {
    await shop.admin.post('/v1/admin/coupons', {
      ...{ code: 'AUTUMN', type: 'percent', percentBasisPoints: 1000 },
    })
    const { page, faults } = await openPage(browser, { locale: 'en-GB' }, (address) =>
      address.endsWith('/checkout/coupons'),
    )
    await fillCart(page)
    await fillCheckout(page, 'coupon@example.org')
    const total = page.locator('#sums .total dd')
    assert.equal(await total.innerText(), '€12.00')
    await page.locator('#promo summary').click()
    await page.locator('#code').fill('winter')
    await page.locator('#code').press('Enter')
    await page.getByText('There is no coupon WINTER.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), 'code')
    await page.locator('#code').fill('autumn')
    await page.locator('#code').press('Enter')
    const applied = page.getByRole('button', { name: 'Remove AUTUMN' })
    await applied.waitFor()
    assert.equal(await total.innerText(), '€10.80')
    await applied.click()
    await applied.waitFor({ state: 'detached' })
    assert.equal(await total.innerText(), '€12.00')
    // A code that was typed and not applied is applied before anything is ordered.
    await page.locator('#promo summary').click()
    await page.locator('#code').fill('AUTUMN')
    await page.locator(PAY).click()
    await applied.waitFor()
    assert.equal(await page.locator('input[name=email]').inputValue(), 'coupon@example.org')
    await page.locator('input[name=password]').fill(FIELDS.password)
    await page.locator(PAY).click()
    await page.waitForURL(isProvider)
    await pay(page, GOOD)
    await sawServer(page)
    await boughtOnce('coupon@example.org')
    const { data } = (await shop.admin.get('/v1/admin/users?search=coupon@example.org')).body
    const invoices = (await shop.admin.get(`/v1/admin/invoices?userId=${data[0].id}`)).body.data
    assert.equal(invoices[0].totalCents, 1080)
    assert.deepEqual(faults, [])
  }),
)

test('two tabs that pay a cart at the same moment buy it once', { skip }, () =>
  inBrowser(async (browser) => {
    const { page } = await openPage(browser, { locale: 'en-GB' })
    const email = 'same-moment@example.org'
    await toPayment(page, email)
    await pay(page, GOOD)
    await sawServer(page)
    const { data } = (await shop.admin.get(`/v1/admin/users?search=${email}`)).body
    const tabs = [page, await page.context().newPage()]
    await fillCart(page)
    for (const tab of tabs) {
      await tab.goto(`${origin}/checkout`)
      await tab.locator('input[name=immediateStart]').check()
    }
    await Promise.all(tabs.map((tab) => tab.locator(PAY).click()))
    // One leads to the provider, the other says where the order is.
    await Promise.any(tabs.map((tab) => tab.waitForURL(isProvider)))
    await Promise.any(tabs.map((tab) => tab.getByRole('link', { name: 'Your orders' }).waitFor()))
    const invoices = await shop.admin.get(`/v1/admin/invoices?userId=${data[0].id}`)
    assert.equal(invoices.body.data.length, 2)
  }),
)

test(
  'a field that has the focus is not behind the bars at the top and at the bottom',
  { skip },
  () =>
    inBrowser(async (browser) => {
      const { page } = await openPage(browser, { viewport: { width: 390, height: 500 } })
      await page.goto(`${origin}/minecraft`)
      const covered: string[] = []
      for (const key of ['Tab', 'Shift+Tab']) {
        for (let presses = 0; presses < 30; presses++) {
          await page.keyboard.press(key)
          const hidden = await page.evaluate(`(() => {
          const at = document.activeElement
          if (!at.matches('.config :is(a, input, select)')) return null
          const { top, bottom } = at.getBoundingClientRect()
          const [head, go] = ['header', '.go'].map((it) => document.querySelector(it).getBoundingClientRect())
          return top < head.bottom || bottom > go.top ? at.outerHTML : null
        })()`)
          if (hidden) covered.push(`${key}: ${hidden}`)
        }
      }
      assert.deepEqual(covered, [])
    }),
)
