import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'

/**
 * Takes the screenshots of the README from a running demo: `node scripts/pictures.ts [data/demo]`. They are
 * PNG files of a small window, so that the repository stays small.
 */
const root = path.join(import.meta.dirname, '..')
const dataDir = process.argv[2] ?? path.join(root, 'data/demo')
type Login = { readonly email: string; readonly password: string }
const { baseUrl, customer, admin } = JSON.parse(
  readFileSync(path.join(dataDir, 'demo.json'), 'utf8'),
) as { baseUrl: string; customer: Login; admin: Login }
const folder = path.join(root, 'docs/pictures')
mkdirSync(folder, { recursive: true })

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const wide = { width: 1120, height: 700 }
  await take('shop-home', '/', { viewport: { width: 1120, height: 1080 } })
  await take('shop-game', '/minecraft', { viewport: wide })
  await take('shop-order', '/minecraft/minecraft-your-size', {
    ...{ viewport: { width: 1120, height: 1000 }, colorScheme: 'dark' },
    prepare: chooseOptions,
  })
  await take('shop-phone', '/', { viewport: { width: 390, height: 844 }, locale: 'fr-FR' })
  await take('customer-servers', '/home', {
    ...{ viewport: wide, as: customer, awaited: 'main >> text=Memory' },
  })
  await take('administration', '/admin', {
    ...{ viewport: { width: 1120, height: 900 }, as: admin, awaited: 'main [role=slider]' },
  })
} finally {
  await browser.close()
}

type Look = {
  readonly viewport: { width: number; height: number }
  readonly colorScheme?: 'light' | 'dark'
  readonly locale?: string
  readonly as?: Login
  /** What the screen shows when it is complete: the application keeps a stream open, so that its network is never idle. */
  readonly awaited?: string
  /** What is done on the page before its picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** Six more gigabytes, more backups, in the location with a surcharge; the choices are in view. */
async function chooseOptions(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /Frankfurt/ }).check()
  await page.locator('[data-slider]').fill('6')
  await page.getByRole('checkbox', { name: '7 in all' }).check()
  await page.evaluate(
    'document.activeElement.blur(); document.querySelector("fieldset").scrollIntoView()',
  )
}

async function take(
  name: string,
  address: string,
  { as: person, awaited, prepare, ...look }: Look,
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', ...look, reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (person) {
    await page.goto(`${baseUrl}/sign-in`)
    await page.locator('input[name=email]').fill(person.email)
    await page.locator('input[name=password]').fill(person.password)
    await page.locator('form[action="/sign-in"] button:not([type=button])').click()
    await page.waitForURL(/\/(?:home|admin)/)
  }
  await page.goto(baseUrl + address)
  await page.locator('h1').first().waitFor()
  if (awaited) {
    await page.locator(awaited).first().waitFor()
    await page.locator('.skel').first().waitFor({ state: 'detached' })
  } else {
    await page.waitForLoadState('networkidle')
  }
  await prepare?.(page)
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  await context.close()
}
