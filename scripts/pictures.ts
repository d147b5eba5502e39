import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'

/**
 * Takes the screenshots of the README from a running demo: `node scripts/pictures.ts [data/demo]`. They are
 * PNG files of a small window, so that the repository stays small.
 */
const root = path.join(import.meta.dirname, '..')
const dataDir = process.argv[2] ?? path.join(root, 'data/demo')
const { baseUrl, customer } = JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as {
  baseUrl: string
  customer: { email: string; password: string }
}
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
  await take('shop-order', '/minecraft/minecraft-paper', { viewport: wide, colorScheme: 'dark' })
  await take('shop-phone', '/', { viewport: { width: 390, height: 844 }, locale: 'fr-FR' })
  await take('customer-servers', '/home', { viewport: wide, signedIn: true })
} finally {
  await browser.close()
}

type Look = {
  readonly viewport: { width: number; height: number }
  readonly colorScheme?: 'light' | 'dark'
  readonly locale?: string
  readonly signedIn?: boolean
}

async function take(name: string, address: string, { signedIn, ...look }: Look): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', ...look, reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (signedIn) {
    await page.goto(`${baseUrl}/sign-in`)
    await page.locator('input[name=email]').fill(customer.email)
    await page.locator('input[name=password]').fill(customer.password)
    await page.locator('form[action="/sign-in"] button:not([type=button])').click()
    await page.waitForURL('**/home*')
  }
  await page.goto(baseUrl + address)
  await page.locator('h1').first().waitFor()
  // The application keeps a stream open, so that its network is never idle.
  if (signedIn) await page.locator('main a[href^="/servers/"]').first().waitFor()
  else await page.waitForLoadState('networkidle')
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  await context.close()
}
