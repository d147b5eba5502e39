import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { setupLink } from '#rbac'
import { startProvider } from '#sandbox/provider/server.ts'
import { PASSWORD } from '#test/accounts.ts'
import { testApp } from '#test/app.ts'
import { withoutBrowser as skip, startBrowser } from '#test/browser.ts'
import { mailServer } from '#test/mail-server.ts'
import { freePort } from '#test/processes.ts'
import { sandboxPanel } from '#test/sandbox-panel.ts'

// CI has a browser; without one, all other tests run.
const MOST_INPUTS = 60

const provider = await startProvider({ retryPlanMs: [50, 200, 500, 1000, 2000] })
after(() => provider.close())
const panel = await sandboxPanel(
  { after },
  { installSeconds: 0.05, rateLimits: { application: 60_000 } },
)
const mails = await mailServer({ after })
const mailPort = new URL(mails.url).port
const port = await freePort()
const origin = `http://localhost:${port}`
const app = await testApp(null, {
  sells: false,
  config: {
    ...{ port, publicUrl: origin, sandboxProviderUrl: provider.url },
    privateHosts: [`127.0.0.1:${panel.port}`, `mail=127.0.0.1:${mailPort}`],
  },
})
const { token: panelKey } = (await panel.post('keys', {})) as { token: string }
const link = (await setupLink(app.deps)) ?? ''

/** Counts what a host has to enter or choose; buttons and links are not inputs. */
function host(page: Page) {
  let inputs = 0
  return {
    count: () => inputs,
    async fill(label: string | RegExp, text: string) {
      inputs += 1
      await page.getByLabel(label).first().fill(text)
    },
    async pick(label: string, option: string) {
      inputs += 1
      const field = page.getByRole('combobox', { name: label })
      await field.click()
      await field.fill(option)
      await page.getByRole('option', { name: option, exact: true }).click()
    },
    async select(label: string, option: string) {
      inputs += 1
      await page.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: option, exact: true }).click()
    },
    async choose(name: string | RegExp) {
      inputs += 1
      await page.getByRole('radio', { name }).check()
    },
    press: (name: string | RegExp) => page.getByRole('button', { name }).first().click(),
    // The side bar has links of the same names.
    next: (name: string | RegExp) =>
      page.locator('main').getByRole('link', { name }).first().click(),
    /** Waits for a text. Without it, the error tells what the page says instead. */
    async said(text: string | RegExp) {
      try {
        await page.getByText(text).first().waitFor({ timeout: 15_000 })
      } catch (error) {
        throw new Error(`${error}\n${await page.locator('main').innerText()}`)
      }
    },
  }
}

test('an empty installation becomes a shop that sells through the first-run pages, and a server is bought in it', {
  skip,
}, async () => {
  const browser = await startBrowser()
  const startMs = performance.now()
  try {
    const inputs = await setUp(browser)
    const setUpMs = performance.now() - startMs
    await buy(browser)
    assert.ok(inputs < MOST_INPUTS, `${inputs} inputs`)
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    process.stdout.write(
      `first run: ${inputs} inputs in ${seconds(setUpMs)} s; bought after ${seconds(performance.now() - startMs)} s\n`,
    )
  } finally {
    await browser.close()
  }
})

async function setUp(browser: Browser): Promise<number> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (it) => it.type() === 'error' && faults.push(it.text()))
  const it = host(page)
  await page.goto(link)
  await it.fill('Name', 'Ada Lovelace')
  await it.fill('Email', 'ada@example.org')
  await it.fill('Password', PASSWORD)
  await it.press('Create the account')
  await page.waitForURL(`${origin}/admin`)
  await page.goto(`${origin}/admin/first-run`)
  await it.next('Start: Your company and taxes')

  await it.pick('Country', 'France')
  await it.fill('Legal name', 'Ada Hosting SAS')
  await it.fill('Street and number', '1 rue de la Paix')
  await it.fill('Postcode', '69001')
  await it.fill('City', 'Lyon')
  await it.fill('SIREN or SIRET', '303265045')
  await it.choose(/Yes, registered for VAT/)
  await it.fill(/^VAT number/, 'FR40303265045')
  await it.press('Save')
  await it.said('Company saved')
  await it.press('Import the rates of the EU')
  await it.said('27 countries')

  await it.next('Next: Your brand')
  await it.fill('Name of the shop', 'Ada Hosting')
  await it.fill(/^Brand colour/, '#d7263d')
  await it.press('Save')
  await it.said('Brand saved')

  await it.next('Next: E-mail')
  await it.fill('Host name', '127.0.0.1')
  await it.select('Encryption', 'None, without a user name')
  await it.fill('Port', mailPort)
  await it.press('Save and test')
  await it.said('The mail server accepted the test mail')
  assert.deepEqual(mails.received[0]?.to, ['ada@example.org'])

  await it.next('Next: Payments')
  await it.choose(/^Sandbox/)
  await it.fill(/^Secret key/, provider.secretKey)
  await it.press('Save and test')
  await it.said('The account is known')
  await it.said('Test mode')

  await it.next('Next: Panel and games')
  await it.fill(/^Address of the panel/, panel.url)
  await it.fill(/^Application key/, panelKey)
  await it.press('Connect and test')
  await it.said(/^\d+ locations?: /)
  await it.press('Sync games')
  await it.said(/^\d+ games?$/)

  await it.next('Next: First product')
  await it.pick('Game', 'Paper')
  await it.choose(/^Small/)
  await it.press('Add to the shop')
  await it.said('Your first product is in the shop')

  await page.goto(`${origin}/admin/first-run`)
  await it.said('Your shop is ready to sell')
  assert.deepEqual(faults, [], 'the console stays empty')
  await context.close()
  return it.count()
}

async function buy(browser: Browser): Promise<void> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${origin}/minecraft`)
  await page.getByRole('button', { name: /checkout/i }).click()
  await page.locator('input[name=name]').fill('Grace Hopper')
  await page.locator('input[name=email]').fill('grace@example.org')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('input[name=line1]').fill('2 rue du Port')
  await page.locator('input[name=postcode]').fill('13001')
  await page.locator('input[name=city]').fill('Marseille')
  await page.locator('input[name=immediateStart]').check()
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.waitForURL((url) => url.origin === new URL(provider.url).origin)
  await page.getByRole('button', { name: /pay/i }).first().click()
  await page.waitForURL(/\/orders\//, { timeout: 30_000 })
  const ready = page.getByRole('heading', { name: 'Minecraft 4 GB is ready' })
  await app.eventually('the server of the buyer runs', async () => (await ready.count()) > 0)
  const servers = await fetch(`${panel.url}/_sandbox/servers`, {
    headers: { authorization: `Bearer ${panel.controlToken}` },
  })
  const { servers: made } = (await servers.json()) as { servers: unknown[] }
  assert.equal(made.length, 1)
  await context.close()
}
