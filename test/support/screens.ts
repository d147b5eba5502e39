import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { payTokenOf } from '#notifications'
import { until } from './app.ts'
import { sidewaysOf, violationsOf } from './browser.ts'
import { type GameShop, type GameShopOptions, gameShop } from './game-shop.ts'
import type { Person } from './people.ts'
import { freePort } from './processes.ts'
import { givePassword, PASSWORD } from './relying-party.ts'

export type ScreenShop = GameShop & {
  readonly origin: string
  readonly owner: Person
  /** Public pages. */
  readonly pages: readonly string[]
  /** Order pages and screens of the customer area, for the customer. */
  readonly screens: readonly string[]
  /** The pages after a payment, for the customer: of an order whose server is set up, and of one that is not paid. */
  readonly afterPayment: readonly string[]
  /** What puts a server into the cart of a visitor, as the form of its page. */
  readonly item: Readonly<Record<string, string>>
}

/** A shop that has something to show on every page, and a customer with a history. */
export async function screenShop(options: GameShopOptions = {}): Promise<ScreenShop> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const shop = await gameShop({
    ...options,
    config: { port, publicUrl: origin, ...options.config },
  })
  const { admin, app, catalog } = shop
  const games = await catalog.category({
    name: 'Minecraft',
    slug: 'minecraft',
    description: 'Blocks.',
  })
  const { product: larger } = await shop.server(
    { name: 'Eight gigabytes', slug: 'eight', categoryId: games.id },
    { priceCents: 2500 },
  )
  const { plan, product } = await shop.server({
    ...{ name: 'Four gigabytes', slug: 'four', categoryId: games.id },
    upgradeTargetIds: [larger.id],
  })
  await shop.server({ name: 'By its link', slug: 'by-link', hidden: true })
  await shop.server({ name: 'Gone', slug: 'gone', categoryId: games.id, stock: 0 })
  for (const kind of ['terms', 'privacy']) {
    const text =
      '# Price\n\n- one\n- two\n\n# Term\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n## More\n\n# End'
    await admin.post('/v1/admin/legal-texts', { kind, texts: { en: text, fr: text } })
  }
  const said = { title: 'A new harbour', body: 'Soon.' }
  const texts = { en: said, fr: { title: 'Un nouveau port', body: 'Bientôt.' } }
  await admin.post('/v1/admin/announcements', { texts, public: true })
  const titles = { en: 'Slow network' }
  const failure = { kind: 'incident', impact: 'minor', titles, productIds: [product.id] }
  const { body: incident } = await admin.post('/v1/admin/incidents', failure)
  const update = { texts: { en: 'We look for the cause.', fr: 'Nous cherchons la cause.' } }
  await admin.post(`/v1/admin/incidents/${incident.id}/publish`, update)

  const owner = await shop.customer()
  await givePassword(app, owner.userId)
  const how = { immediateStart: true, gatewayId: shop.gatewayId, acceptedTermsVersion: 1 }
  await owner.post('/v1/cart/items', { planId: plan.id })
  const { body: placed } = await owner.post('/v1/billing/checkout', how)
  assert.ok(placed.payment, JSON.stringify(placed))
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(owner, 'active')
  const [paid] = (await owner.get('/v1/billing/invoices')).body.data
  const correction = { amountCents: 120, reason: 'Goodwill' }
  await admin.post(`/v1/admin/invoices/${paid.id}/credit-note`, correction)
  const [note] = (await owner.get('/v1/billing/credit-notes')).body.data
  const question = { subject: 'Lag', body: 'My server lags.', serviceId: service.id }
  const { body: ticket } = await owner.post('/v1/tickets', question)
  await owner.post('/v1/cart/items', { planId: plan.id })
  const { body: unpaid } = await owner.post('/v1/billing/checkout', how)
  await until('the notices', async () => {
    return (await owner.get('/v1/notifications')).body.data.length > 0
  })
  const payPath = (invoiceId: string) => `/pay/${payTokenOf(app.deps.secrets, invoiceId)}`
  return {
    ...{ ...shop, origin, owner },
    item: { product: 'four', plan: plan.id, name: '' },
    afterPayment: [
      ...[`/orders/${placed.order.id}`, `/orders/${unpaid.order.id}`],
      `/checkout/return/${unpaid.payment.id}`,
    ],
    pages: [
      ...['/', '/minecraft', '/minecraft/four', '/minecraft/gone', '/p/by-link'],
      ...['/compare/minecraft', '/cart', '/country', '/news', '/terms', '/privacy', '/legal'],
      ...['/withdraw', '/sign-in', '/register', '/forgot', '/reset/token', '/verify/token'],
      ...['/status', `/status/${incident.id}`],
      ...['/i/nobody', '/no-such-page', payPath(unpaid.invoice.id), payPath(paid.id)],
    ],
    screens: [
      ...['/home', '/servers', `/servers/${service.id}`, `/servers/${service.id}/activity`],
      ...[`/servers/${service.id}/startup`, `/servers/${service.id}/people`],
      ...[`/servers/${service.id}/plan`, '/orders', `/orders/${placed.order.id}`],
      ...[`/orders/${unpaid.order.id}`, '/invoices', `/invoices/${paid.id}`],
      ...[`/invoices/${unpaid.invoice.id}`, '/payment', '/invite-friends', '/notifications'],
      ...[`/credit-notes/${note.id}`, '/tickets', `/tickets/${ticket.id}`],
      ...['/account', '/account/security', '/account/access', '/account/messages', '/account/data'],
    ],
  }
}

/** Signs in on a page with the password of tests. */
export async function signIn(page: Page, origin: string, email: string): Promise<void> {
  // The language of the browser, which without a choice would be that of the account.
  const language = await page.evaluate('navigator.language.slice(0, 2)')
  await page.goto(`${origin}/sign-in?lang=${language}`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form[action="/sign-in"] button:not([type=button])').click()
  await page.waitForURL('**/home*')
}

/** Waits until a page shows its content and no placeholders. */
export async function whole(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skel').first().waitFor({ state: 'detached' })
}

/** Asserts one heading, a title, no horizontal scrolling and no violations found by axe. */
export async function assertSoundPage(page: Page, what: string): Promise<void> {
  assert.equal(await page.locator('h1').count(), 1, `${what}: one h1`)
  assert.notEqual(await page.title(), '', `${what}: a title`)
  assert.equal(await sidewaysOf(page), 0, `${what} scrolls sideways`)
  assert.deepEqual(await violationsOf(page), [], what)
}
