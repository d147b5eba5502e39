import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { until } from '#test/app.ts'
import { inBrowser, sidewaysOf, withoutBrowser as skip, violationsOf } from '#test/browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

// CI has a browser; without one, all other tests run.

const port = await freePort()
const origin = `http://localhost:${port}`
const shop = await gameShop({ config: { port, publicUrl: origin } })
const { admin, nodeId, eggId } = shop
const { product } = await shop.server({ name: 'Four gigabytes', slug: 'four' })
await admin.post('/v1/admin/categories', { name: 'Minecraft' })
await admin.post('/v1/admin/tax-rates/import-eu')
await admin.post('/v1/admin/coupons', {
  code: 'HARBOUR',
  type: 'percent',
  percentBasisPoints: 2000,
})
const { body: group } = await admin.post('/v1/admin/option-groups', {
  ...{ name: 'Upgrades', productIds: [product.id] },
})
const { body: option } = await admin.post('/v1/admin/options', {
  ...{ groupId: group.id, key: 'backups', kind: 'select', name: 'Backups' },
  values: [{ key: 'daily', label: 'Daily', stock: 5 }],
  prices: [{ value: 'daily', interval: 'month', currency: 'EUR', priceCents: 200 }],
})
const { body: archived } = await admin.post('/v1/admin/option-groups', { name: 'Former' })
await admin.delete(`/v1/admin/option-groups/${archived.id}`)
await admin.post('/v1/admin/locations', { name: 'Paris', country: 'FR' })
const { body: ticket } = await (await shop.customer()).post('/v1/tickets', {
  ...{ subject: 'Lag', body: 'It lags.' },
})
assert.ok(option.id && ticket.id)
const titles = { en: 'Network failure' }
const { body: incident } = await admin.post('/v1/admin/incidents', {
  ...{ kind: 'incident', impact: 'major', titles, nodeIds: [nodeId], productIds: [product.id] },
})
const texts = { en: 'We look for the cause.' }
const ongoing = await admin.post(`/v1/admin/incidents/${incident.id}/publish`, { texts })
assert.equal(ongoing.status, 200, ongoing.text)
await givePassword(shop.app, admin.userId)

/** Every screen of the catalogue, coupons, taxes, gateways, panels and settings. */
const SCREENS: readonly string[] = [
  '/admin/first-run',
  '/admin/first-run/seller',
  '/admin/first-run/brand',
  '/admin/first-run/mail',
  '/admin/first-run/payments',
  '/admin/first-run/panel',
  '/admin/first-run/product',
  '/admin/products',
  '/admin/products/new',
  `/admin/products/${product.id}`,
  '/admin/products?view=archived',
  '/admin/options',
  '/admin/coupons',
  '/admin/tax-rates',
  '/admin/gateways',
  '/admin/panels',
  `/admin/panels/${nodeId}`,
  '/admin/locations',
  '/admin/tickets',
  `/admin/tickets/${ticket.id}`,
  '/admin/departments',
  '/admin/incidents',
  `/admin/incidents/${incident.id}`,
  '/admin/eggs',
  `/admin/eggs/${eggId}`,
  '/admin/differences',
  '/admin/tasks',
  '/admin/settings',
  '/admin/settings/company',
  '/admin/brand',
  '/admin/legal',
  '/admin/legal?view=withdraw',
  '/admin/imports',
  '/admin/roles',
  '/admin/system',
  '/admin/audit',
  '/admin/integrations',
  '/admin/mails',
  '/admin/mails/server',
  '/admin/mails/texts',
  '/admin/mails/texts/payment_reminder',
  '/admin/announcements',
  '/admin/tenants',
]

/** What each page waits for; the stream of live events never ends. */
const pending = new WeakMap<Page, Set<string>>()

function watchRequests(page: Page): void {
  const open = new Set<string>()
  pending.set(page, open)
  page.on('request', (it) => it.url().includes('/stream') || open.add(it.url()))
  page.on('requestfinished', (it) => open.delete(it.url()))
  page.on('requestfailed', (it) => open.delete(it.url()))
}

type Look = { locale: 'en' | 'fr'; colorScheme: 'light' | 'dark'; width: number }

async function signedIn(browser: Browser, email: string, { locale, colorScheme, width }: Look) {
  const context = await browser.newContext({
    ...{ locale, colorScheme, viewport: { width, height: 900 } },
    // Without it, colours are read while they change.
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  watchRequests(page)
  const faults: string[] = []
  page.on('console', (it) => it.type() === 'error' && faults.push(`${page.url()}: ${it.text()}`))
  page.on('pageerror', ({ message }) => faults.push(`${page.url()}: ${message}`))
  page.on('response', (it) => {
    if (it.status() === 403) faults.push(`${page.url()}: 403 from ${it.url()}`)
  })
  await page.goto(`${origin}/sign-in?lang=${locale}&next=%2Fadmin`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form[action="/sign-in"] button:not([type=button])').click()
  await page.waitForURL('**/admin*')
  return { page, faults, context }
}

async function settled(page: Page, screen: string): Promise<void> {
  await page.goto(origin + screen)
  await page.locator('main h1').waitFor()
  await page.locator('.skel').first().waitFor({ state: 'detached' })
  await until(`${screen} has read what it shows`, () => !pending.get(page)?.size)
}

/** The folder for screenshots. */
const PICTURES = process.env.PICTURES

const LOOKS: readonly Look[] = [
  { locale: 'en', colorScheme: 'light', width: 1440 },
  { locale: 'fr', colorScheme: 'dark', width: 390 },
]

/** Besides: a tablet, and the narrowest window with a side bar. */
const OTHER_WIDTHS = [768, 961]

/** Each look takes minutes of a browser; these are walked by hand, with WALK=1. */
const FURTHER_LOOKS: readonly Look[] = [
  { locale: 'fr', colorScheme: 'light', width: 1440 },
  { locale: 'en', colorScheme: 'dark', width: 390 },
]

for (const look of process.env.WALK ? [...LOOKS, ...FURTHER_LOOKS] : LOOKS) {
  test(`every screen of the desk is accessible and fits, ${Object.values(look).join(', ')}`, {
    skip,
  }, async () => {
    await inBrowser(async (browser) => {
      const { page, faults } = await signedIn(browser, admin.email, look)
      const found: string[] = []
      for (const screen of SCREENS) {
        await settled(page, screen)
        if (PICTURES) {
          const name = `${screen.replaceAll('/', '-').slice(1)}-${Object.values(look).join('-')}.png`
          await page.screenshot({ path: path.join(PICTURES, name), fullPage: true })
        }
        if ((await page.locator('h1').count()) !== 1) found.push(`${screen}: not one h1`)
        if (!/ · /.test(await page.title())) found.push(`${screen}: no title`)
        for (const it of await violationsOf(page)) found.push(`${screen}: ${it}`)
        for (const width of [look.width, ...OTHER_WIDTHS]) {
          await page.setViewportSize({ width, height: 900 })
          const over = await sidewaysOf(page)
          if (over !== 0) found.push(`${screen} scrolls sideways by ${over} at ${width} pixels`)
        }
        await page.setViewportSize({ width: look.width, height: 900 })
      }
      assert.deepEqual(found, [])
      assert.deepEqual(faults, [], 'the console stays empty and the policy is kept')
    })
  })
}
