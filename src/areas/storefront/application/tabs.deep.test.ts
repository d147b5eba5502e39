import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'
import { givePassword } from '#test/relying-party.ts'
import { signIn } from '#test/screens.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const shop = await gameShop({ config: { port, publicUrl: origin } })

/** Longer than an access token is valid, in ms. */
const ENDED_MS = 16 * 60_000

/** Two tabs of one session of a customer, and the refreshes of its token that they request. */
async function inTabs(
  work: (tabs: readonly [Page, Page], refreshes: readonly string[]) => Promise<void>,
): Promise<void> {
  const customer = await shop.customer()
  await givePassword(shop.app, customer.userId)
  await inBrowser(async (browser) => {
    const { page: first } = await openPage(browser, { locale: 'en-GB' })
    const refreshes: string[] = []
    first.context().on('request', (request) => {
      if (new URL(request.url()).pathname === '/v1/auth/refresh') refreshes.push(request.url())
    })
    await first.context().clock.install()
    await signIn(first, origin, customer.email)
    const second = await first.context().newPage()
    for (const page of [first, second]) {
      await page.goto(`${origin}/home`)
      await page.getByRole('heading', { level: 1, name: /^Hello/ }).waitFor()
    }
    await work([first, second], refreshes)
  })
}

const openInvoices = async (page: Page) => {
  await page.getByRole('navigation').getByRole('link', { name: 'Invoices' }).first().click()
  await page.getByRole('heading', { name: 'No invoices yet' }).waitFor()
}

test('two tabs whose token has ended refresh it once, and both load their screens', { skip }, () =>
  inTabs(async (tabs, refreshes) => {
    // The token is held back until both tabs need it.
    const needed = Promise.withResolvers<void>()
    await tabs[0].context().route('**/v1/auth/refresh', async (route) => {
      await needed.promise
      await route.continue()
    })
    for (const page of tabs) await page.clock.fastForward(ENDED_MS)
    const opened = tabs.map(openInvoices)
    for (const page of tabs) await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    needed.resolve()
    await Promise.all(opened)
    assert.equal(refreshes.length, 1)
    for (const page of tabs) assert.equal(new URL(page.url()).pathname, '/invoices')
  }),
)

test('a tab that wakes up with an ended token loads its screen without a sign-in', { skip }, () =>
  inTabs(async (tabs, refreshes) => {
    const [page] = tabs
    for (const tab of tabs) await tab.evaluate(hide(true))
    await page.clock.fastForward(ENDED_MS)
    assert.deepEqual(refreshes, [], 'hidden tabs refresh nothing')
    const summary = page.waitForResponse('**/v1/users/me/summary')
    await page.evaluate(hide(false))
    assert.equal((await summary).status(), 200)
    await openInvoices(page)
    assert.equal(refreshes.length, 1)
    assert.equal(new URL(page.url()).pathname, '/invoices')
  }),
)

/** A script that hides or shows a tab. */
const hide = (isHidden: boolean) => `(() => {
  Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
  const state = ${JSON.stringify(isHidden)} ? 'hidden' : 'visible'
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
})()`
