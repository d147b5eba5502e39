import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { commissionPostings, post } from '#ledger'
import { newId } from '#lib/id.ts'
import { cents } from '#lib/money.ts'
import { transact } from '#platform/database/index.ts'
import { affiliate, broughtBy, commissionOf } from './affiliates.ts'
import { until } from './app.ts'
import { sharedBrowser, sidewaysOf, violationsOf } from './browser.ts'
import { gameShop } from './game-shop.ts'
import { type Person, person } from './people.ts'
import { freePort } from './processes.ts'
import { givePassword, PASSWORD } from './relying-party.ts'

export { violationsOf, withoutBrowser as skip } from './browser.ts'

export type Look = { locale: 'en' | 'fr'; colorScheme: 'light' | 'dark'; width: number }
export const WIDE: Look = { locale: 'en', colorScheme: 'light', width: 1440 }
export const NARROW: Look = { locale: 'fr', colorScheme: 'dark', width: 390 }

/** A shop whose owner can sign in, with a customer, a running server and one that could not be set up. */
export async function deskShop() {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const shop = await gameShop({ config: { port, publicUrl: origin } })
  const { admin, app } = shop
  const { product, plan } = await shop.server({ name: 'Eight gigabytes' })
  const ada = await shop.customer()
  const { invoice: first } = await shop.buy(ada, plan.id)
  const active = await shop.serviceBecame(ada, 'active')
  const placed = await shop.order(ada, plan.id)
  await admin.patch(`/v1/admin/products/${product.id}`, { provisioning: null })
  await shop.complete(placed.payment.redirectUrl)
  const [failedId] = placed.order.items[0].serviceIds
  await until(
    'it failed',
    async () => (await admin.get(`/v1/admin/services/${failedId}`)).body.status === 'failed',
  )
  const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent: 100 }
  const provisioning = { eggId: shop.eggId, nodeIds: [shop.nodeId], limits }
  await admin.patch(`/v1/admin/products/${product.id}`, { provisioning })
  await credited(admin, first.id)
  const [payment] = (await admin.get(`/v1/admin/payments?invoiceId=${first.id}`)).body.data
  const unpaid = await shop.order(await shop.customer(), plan.id)
  const marc = await affiliateOf(shop, plan.id)
  const rate = { type: 'percent', percentBasisPoints: 1500 }
  await admin.put(`/v1/admin/commission-rates/${product.id}`, rate)
  await admin.post(`/v1/admin/users/${ada.userId}/notes`, {
    text: 'Pays by transfer.\nCall before noon.',
  })
  const draft = await admin.post('/v1/admin/invoices', {
    userId: ada.userId,
    lines: [{ description: 'Setting up by hand', unitPriceCents: 4200 }],
  })
  assert.equal(draft.status, 201, draft.text)
  const owner = await person(app, { admin: true, email: 'owner@example.org', name: 'Nora Petit' })
  await givePassword(app, owner.userId)
  return {
    ...shop,
    origin,
    ada,
    active,
    failedId,
    placed,
    owner,
    draftId: draft.body.id,
    productId: product.id,
    marc,
    payment,
    unpaid,
  }
}

export type DeskShop = Awaited<ReturnType<typeof deskShop>>

async function credited(admin: Person, invoiceId: string): Promise<void> {
  const { status, text } = await admin.post(`/v1/admin/invoices/${invoiceId}/credit-note`, {
    ...{ amountCents: 120, reason: 'Goodwill' },
  })
  assert.equal(status, 200, text)
}

/** An affiliate with a commission to review, and with 50.00 available. */
async function affiliateOf(shop: Awaited<ReturnType<typeof gameShop>>, planId: string) {
  const marc = await affiliate(shop, { country: 'FR', name: 'Marc Dubois' })
  const brought = await broughtBy(shop, marc, { country: 'FR', name: 'Zoé Martin' })
  // The same home is a reason to review the commission.
  const address = { line1: '1 rue de la Paix', postcode: '69001', city: 'Lyon', country: 'FR' }
  for (const one of [marc, brought]) await one.patch('/v1/users/me', { address })
  const { invoice } = await shop.buy(brought, planId)
  const review = await commissionOf(shop, invoice.id)
  const earned = { affiliateId: marc.id, amountCents: cents(5000) }
  await transact(shop.db, async (tx) => {
    for (const postings of [
      commissionPostings.commissionAccrued(earned),
      commissionPostings.commissionMatured(earned),
    ]) {
      const event = { kind: 'commission', postings }
      const named = { tenantId: shop.tenantId, event, eventId: newId(), key: newId() }
      await post(tx, { ...named, currency: 'EUR' }, shop.app.deps.clock.now())
    }
  })
  return { ...marc, reviewId: review.id as string }
}

/** Every screen of the administration, with content. */
export function screensOf({
  ada,
  active,
  failedId,
  placed,
  draftId,
  marc,
  payment,
  unpaid,
}: DeskShop): string[] {
  return [
    ...['/admin/payments?view=received', '/admin/payments?view=attempts'],
    ...[`/admin/payments/${payment.id}`, '/admin/invoices?view=credit-notes'],
    `/admin/invoices/${unpaid.invoice.id}`,
    ...['/admin/affiliates', `/admin/affiliates/${marc.id}`, '/admin/affiliates?view=rates'],
    ...['/admin/affiliates?view=commissions', '/admin/affiliates?code=nobody'],
    ...['/admin', '/admin/notifications', '/admin/people', `/admin/people/${ada.userId}`],
    ...['/admin/people?q=nobody', '/admin/servers', '/admin/servers?view=all'],
    ...[`/admin/servers/${active.id}`, `/admin/servers/${failedId}`],
    ...['/admin/orders', `/admin/orders/${placed.order.id}`],
    ...['/admin/invoices', `/admin/invoices/${placed.invoice.id}`, `/admin/invoices/${draftId}`],
    ...['/admin/invoices/new', `/admin/invoices/new?userId=${ada.userId}`],
    ...['disputes', 'refunds', 'differences', 'bank', 'statements'].map(
      (view) => `/admin/payments?view=${view}`,
    ),
    ...[
      ...['revenue', 'mrr', 'churn', 'tax', 'oss'],
      ...['receivables', 'deferred', 'balance', 'gaps'],
    ].map((view) => `/admin/reports?view=${view}`),
    '/admin/people/00000000-0000-7000-8000-000000000000',
  ]
}

export async function signIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form[action="/sign-in"] button:not([type=button])').click()
}

type Session = Look & {
  readonly email: string
  /** Statuses of refusals that the test brings about. */
  readonly refused?: readonly number[]
}

/** A signed-in browser, with the errors of its console and the refusals of the API. */
export async function asStaff(
  { origin }: Pick<DeskShop, 'origin'>,
  { email, locale, colorScheme, width, refused = [] }: Session,
  work: (page: Page, refusals: string[]) => Promise<void>,
): Promise<void> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    ...{ locale, colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce' },
  })
  try {
    const page = await context.newPage()
    const faults: string[] = []
    const refusals: string[] = []
    const waiting = new Set<Request>()
    asked.set(page, waiting)
    page.on('request', (it) => it.url().includes('/v1/') && !isLive(it) && waiting.add(it))
    page.on('requestfinished', (it) => waiting.delete(it))
    page.on('requestfailed', (it) => waiting.delete(it))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      // Screens show what these answers mean: the object does not exist, or someone else changed it.
      const isKnown = [404, 412, ...refused].some((status) =>
        message.text().includes(`the server responded with a status of ${status}`),
      )
      if (message.type() === 'error' && !isKnown) {
        faults.push(`${message.text()} ${message.location().url}`)
      }
    })
    page.on('response', (answer) => {
      if ([401, 403].includes(answer.status())) refusals.push(`${page.url()} ${answer.url()}`)
    })
    await openDesk(page, { origin, email, locale })
    await work(page, refusals)
    assert.deepEqual([...new Set(refusals)], [], 'nothing is asked that is refused')
    assert.deepEqual(faults, [], 'the console stays empty')
  } finally {
    await context.close()
  }
}

/** Signs in as a member of staff and waits for the dashboard; whoever was signed in before is forgotten. */
export async function openDesk(
  page: Page,
  { origin, email, locale }: { origin: string; email: string; locale: string },
): Promise<void> {
  // No request of the screen before may be sent without its cookie.
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(`${origin}/sign-in?lang=${locale}`)
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await signIn(page, email)
  await page.waitForURL('**/admin')
  await page.locator('h1').waitFor()
}

/** What each page waits for from the API. */
const asked = new WeakMap<Page, Set<Request>>()
/** Its answer never ends. */
const isLive = (request: Request) => request.url().includes('/notifications/stream')

/** Opens a screen and waits until everything of it is there. */
export async function openScreen(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settled(page)
}

/** Waits until everything of the screen is there. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, main h2').first().waitFor()
  await until('the API has answered', async () => (asked.get(page)?.size ?? 0) === 0)
  await page.locator('.skel').first().waitFor({ state: 'detached' })
}

/**
 * Fails when a page, once everything of it is there, has violations of axe or scrolls sideways. `DESK_PICTURES` names a
 * folder that a picture of it is written to.
 */
export async function assertWellMade(page: Page, picture: string): Promise<void> {
  await settled(page)
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${picture}.png`, fullPage: true })
  assert.deepEqual(await violationsOf(page), [], picture)
  assert.equal(await sidewaysOf(page), 0, picture)
}
