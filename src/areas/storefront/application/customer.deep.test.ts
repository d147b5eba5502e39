import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { assertSoundPage, screenShop, signIn, whole } from '#test/screens.ts'

const shop = await screenShop()
const { origin, owner, admin } = shop
const [service] = (await owner.get('/v1/services?status=active')).body.data

type Look = { locale: string; width: number; colorScheme?: 'light' | 'dark' }

/** Shows a signed-in customer's screens; the console has to stay empty. */
async function asCustomer(look: Look, work: (page: Page) => Promise<void>): Promise<void> {
  await inBrowser(async (browser) => {
    const { locale, width, colorScheme = 'light' } = look
    const viewport = { width, height: 844 }
    const { page, faults } = await openPage(browser, { locale, viewport, colorScheme })
    await signIn(page, origin, owner.email)
    await work(page)
    assert.deepEqual(faults, [], 'the console stays empty')
  })
}

/** Opens a screen, waits for a text of it, and answers what it says. */
async function open(page: Page, path: string, awaited: string | RegExp): Promise<string> {
  await page.goto(origin + path)
  await whole(page)
  await page.getByText(awaited).first().waitFor()
  await assertSoundPage(page, path)
  return (await page.locator('main').innerText()).replaceAll('\u00a0', ' ')
}

test('a consumer sees what they pay, with VAT, wherever a server has a price', { skip }, () =>
  asCustomer({ locale: 'en-GB', width: 1440 }, async (page) => {
    for (const path of ['/home', '/servers', `/servers/${service.id}`]) {
      const text = await open(page, path, 'incl. VAT')
      assert.match(text, /€12\.00/, path)
      assert.doesNotMatch(text, /€10\.00/, path)
    }
    const plan = await open(page, `/servers/${service.id}/plan`, 'incl. VAT')
    assert.match(plan, /€12\.00\s+per month, incl\. VAT/)
    await page.getByRole('button', { name: 'Change size' }).click()
    await page.locator('.choice').first().waitFor()
    assert.match(await page.locator('.choice').first().innerText(), /€30\.00\s+incl\. VAT/)
  }),
)

test(
  'the history of an account is told in sentences with amounts',
  {
    skip,
  },
  () =>
    asCustomer({ locale: 'fr-FR', width: 390, colorScheme: 'dark' }, async (page) => {
      const text = await open(page, '/account/data', 'Paiement reçu')
      assert.match(text, /Paiement reçu 12,00 €/)
      assert.doesNotMatch(text, /\/v1\/|audit\.|billing\./)
    }),
)

test(
  'what is always sent has no switch, and a change can be undone',
  {
    skip,
  },
  () =>
    asCustomer({ locale: 'en-GB', width: 390 }, async (page) => {
      const text = await open(page, '/account/messages', 'An invoice was sent')
      assert.match(text, /An invoice was sent\s+Always on\s+Always on/)
      assert.doesNotMatch(text, /Discord|Something needs attention/)
      assert.equal(await page.locator('input[role=switch]:disabled').count(), 0)
      const mail = page.getByLabel('Credit was added: E-mail')
      const wasOn = await mail.isChecked()
      await mail.click({ force: true })
      const undo = page.getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      const undone = page.waitForResponse(
        (it) => it.url().endsWith('/preferences') && it.request().method() !== 'GET',
      )
      await undo.click()
      assert.equal((await undone).status(), 200)
      const saved = (await owner.get('/v1/notifications/preferences')).body.data
      const found = saved.find(({ kind }: { kind: string }) => kind === 'credit_added')
      assert.equal(found.email.enabled, wasOn)
    }),
)

test('the history of credit says in words what changed it', { skip }, async () => {
  const gift = { amountCents: 250, reason: 'Sorry for the delay' }
  const given = await admin.post(`/v1/admin/users/${owner.userId}/credits`, gift)
  assert.equal(given.status, 201, given.text)
  await asCustomer({ locale: 'de-DE', width: 390 }, async (page) => {
    const text = await open(page, '/payment', 'Kulanzguthaben')
    assert.match(text, /Kulanzguthaben\s+Sorry for the delay/)
    assert.doesNotMatch(text, /goodwill|[a-z]_[a-z]/)
  })
})

test('a server says where it stands, its ports and how its files are reached', { skip }, () =>
  asCustomer({ locale: 'en-GB', width: 390 }, async (page) => {
    const text = await open(page, `/servers/${service.id}`, 'The password is that of the panel')
    assert.match(text, /sftp:\/\/[\s\S]*The password is that of the panel/)
    assert.match(text, /Address and port\s+\S+:\d+/)
  }),
)

test(
  'choosing a language changes that of the account, and a link with one does not',
  {
    skip,
  },
  () =>
    asCustomer({ locale: 'fr-FR', width: 1440 }, async (page) => {
      const locale = async () => (await owner.get('/v1/users/me')).body.locale
      const text = await open(page, '/home', 'dans une autre langue')
      assert.equal(await locale(), 'en', 'a link changes nothing')
      assert.match(text, /dans une autre langue : English/)
      await page.getByRole('button', { name: 'Utiliser partout : Français' }).click()
      await page.getByText('dans une autre langue').waitFor({ state: 'detached' })
      await page.waitForURL('**/home?lang=fr')
      assert.equal(await locale(), 'fr')
      await page.context().clearCookies({ name: 'moorage-lang' })
      await page.goto(`${origin}/account/messages`)
      await page.getByText('Une facture a été envoyée').waitFor()
      assert.equal((await owner.patch('/v1/users/me', { locale: 'de' })).status, 200)
      await page.goto(`${origin}/home`)
      assert.equal(await page.locator('html').getAttribute('lang'), 'de', 'without a choice')
      assert.equal((await owner.patch('/v1/users/me', { locale: 'en' })).status, 200)
    }),
)

test(
  'who does not take part in the affiliate programme is invited, and nothing fails',
  {
    skip,
  },
  () =>
    asCustomer({ locale: 'en-GB', width: 1440 }, async (page) => {
      await open(page, '/invite-friends', /Take part|The programme is closed/)
      assert.equal((await owner.get('/v1/users/me/summary')).body.affiliate, false)
    }),
)

test('the palette lists every page, acts on servers, and shows the keys', { skip }, () =>
  asCustomer({ locale: 'en-GB', width: 390 }, async (page) => {
    await open(page, '/servers', 'incl. VAT')
    await page.keyboard.press('?')
    const entry = (name: string) => page.locator('.spot-item', { hasText: name })
    for (const name of ['Payment', 'Orders', 'Invite friends', 'Next or previous row']) {
      await page.locator('.spot').getByText(name, { exact: true }).first().waitFor()
    }
    await page.locator('.spot-search').fill('restart four')
    await entry('Restart Four gigabytes').first().click()
    await page.getByText('Restarting').waitFor()
  }),
)

/** Screens of the customer area that read the most. */
const BUSY = ['/home', '/account', `/servers/${service.id}`, `/servers/${service.id}/plan`]
const MOST_CALLS = 8

test(
  `a screen opens with at most ${MOST_CALLS} answers of the API, by its page and by a link`,
  { skip },
  () =>
    asCustomer({ locale: 'en-GB', width: 1440 }, async (page) => {
      const calls = new Set<string>()
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (pathname.startsWith('/v1/')) calls.add(`${request.method()} ${pathname}${search}`)
      })
      const assertFew = async (screen: string) => {
        await whole(page)
        await page.waitForLoadState('load')
        assert.ok(calls.size <= MOST_CALLS, `${screen}: ${[...calls].join(', ')}`)
        calls.clear()
      }
      for (const screen of BUSY) {
        await page.goto(origin + screen)
        await assertFew(screen)
      }
      await page.goto(`${origin}/home`)
      await assertFew('/home')
      await page.locator(`main a[href="/servers/${service.id}"]`).first().click()
      await page.getByRole('link', { name: 'Start-up' }).waitFor()
      await assertFew(`/servers/${service.id} by a link`)
    }),
)
