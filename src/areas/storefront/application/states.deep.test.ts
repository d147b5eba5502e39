import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { assertSoundPage, screenShop, signIn, whole } from '#test/screens.ts'

const shop = await screenShop()
const { origin, owner } = shop
const [service] = (await owner.get('/v1/services?status=active')).body.data

async function asCustomer(
  look: { locale: string; width: number; colorScheme?: 'light' | 'dark' },
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await inBrowser(async (browser) => {
    const { locale, width, colorScheme = 'light' } = look
    const { page } = await openPage(browser, {
      ...{ locale, colorScheme, viewport: { width, height: 844 } },
    })
    await signIn(page, origin, owner.email)
    await work(page)
  })
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(origin + path)
  await whole(page)
}

async function seen(page: Page, picture: string): Promise<void> {
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${picture}.png` })
  await assertSoundPage(page, picture)
}

test(
  'figures stay, with the time that they are of, while the panel does not answer',
  { skip },
  () =>
    asCustomer({ locale: 'en-GB', width: 1440 }, async (page) => {
      await open(page, `/servers/${service.id}`)
      await page.locator('.graph-card .v', { hasText: '%' }).first().waitFor()
      await shop.panel.fault('GET /api/client/servers/{id}/resources', 'html-502', { n: 1000 })
      await page.getByText(/The figures are as of \d\d:\d\d/).waitFor({ timeout: 60_000 })
      assert.ok((await page.locator('.graph-card').count()) >= 4)
      await seen(page, 'as-of')
    }),
)

test('a new API key is shown whole on a phone, in French and dark', { skip }, () =>
  asCustomer({ locale: 'fr-FR', width: 390, colorScheme: 'dark' }, async (page) => {
    await open(page, '/account/access')
    await page.getByRole('button', { name: 'Nouvelle clé' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('Sauvegardes')
    await dialog.locator('button[type=submit]').click()
    const key = page.locator('.copy.big .cut')
    await key.waitFor()
    const [shown = 0, needed = 0] = (await page.evaluate(
      "(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.querySelector('.copy.big .cut'))",
    )) as number[]
    assert.ok(needed > 0 && needed <= shown, `${needed} of ${shown} pixels`)
    await seen(page, 'api-key')
  }),
)

test('the dialog that turns the authenticator app on says what it turns on', { skip }, () =>
  asCustomer({ locale: 'fr-FR', width: 390 }, async (page) => {
    await open(page, '/account/security')
    await page.getByRole('button', { name: 'Activer', exact: true }).click()
    await page.getByRole('dialog', { name: 'Activer l’application d’authentification' }).waitFor()
    await seen(page, 'totp')
  }),
)
