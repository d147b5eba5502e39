import fs from 'node:fs'
import path from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { ROOT } from '#platform/root.ts'

/** The shell is Chromium without its own windows: the same pages for a third of the processor time (decision 251). */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const PROGRAM =
  process.env.CHROMIUM ?? PROGRAMS.find((it) => fs.existsSync(it)) ?? '/usr/bin/chromium'

/** Why browser tests are skipped here, or false. CI always has a browser. */
export const withoutBrowser = whyWithout()

function whyWithout(): string | false {
  if (process.env.WITHOUT_BROWSER) return 'WITHOUT_BROWSER is set'
  return fs.existsSync(PROGRAM) || process.env.CI ? false : `no browser at ${PROGRAM}`
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] })
}

let shared: Promise<Browser> | undefined

/**
 * The browser that the tests of a thread share: starting one takes longer than most of them. It ends with the
 * thread. Each test opens contexts of its own in it, which share neither cookies nor storage, and closes them.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= startBrowser().then((browser) => {
    browser.once('disconnected', () => {
      shared = undefined
    })
    return browser
  })
  return shared
}

/** Runs work in a browser, and closes the contexts that it has opened. */
export async function inBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await sharedBrowser()
  const others = new Set(browser.contexts())
  try {
    return await work(browser)
  } finally {
    const opened = browser.contexts().filter((context) => !others.has(context))
    await Promise.all(opened.map((context) => context.close()))
  }
}

export type OpenPage = {
  readonly page: Page
  /** Errors of the console and violations of the Content Security Policy. */
  readonly faults: string[]
}

/** A page of its own, which keeps what its console says is wrong. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  isKnown: (address: string) => boolean = () => false,
): Promise<OpenPage> {
  // Without it, colours are read while they change.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !isKnown(message.location().url)) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  return { page, faults }
}

const axe = fs.readFileSync(path.join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The violations that axe finds on a page. */
export async function violationsOf(page: Page): Promise<string[]> {
  const loaded = await page.evaluate('typeof axe === "object"')
  if (!loaded) await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`,
  )) as { violations: { id: string; nodes: { target: string[] }[] }[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((it) => it.target).join(', ')}`)
}

/** The horizontal overflow of a page, in pixels. */
export async function sidewaysOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
}

/** Pseudo-localises a page: every text is 40% longer, with accents. */
export async function lengthenTexts(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) {
      const { parentElement } = walker.currentNode
      if (parentElement && !parentElement.closest('script, style, noscript, .address, svg')) texts.push(walker.currentNode)
    }
    for (const text of texts) {
      text.data = text.data.replace(/[A-Za-zÀ-ÿ]{2,}/g, (word) => word.replace(/e/g, 'ë').replace(/a/g, 'å') + 'ô'.repeat(Math.ceil(word.length * 0.4)))
    }
  })()`)
}
