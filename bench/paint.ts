import { startBrowser } from '#test/browser.ts'
import { median } from './ground.ts'

export type Paint = { readonly path: string; readonly largestPaintMs: number }

const ROUNDS = 5
const SLOWED = 4
/** The width of a phone. */
const VIEWPORT = { width: 390, height: 844 }
const SETTLED = `new Promise((resolve) => {
  let last = 0
  new PerformanceObserver((list) => { for (const it of list.getEntries()) last = it.startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => resolve(last), 3000)
})`

/**
 * The largest contentful paint of each page in ms, the median of five: on a phone's screen with an empty
 * cache, at a quarter of the processor's speed. With a session's refresh token, as its owner.
 */
export async function largestPaints(
  url: string,
  paths: readonly string[],
  refreshToken?: string,
): Promise<Paint[]> {
  const browser = await startBrowser()
  try {
    const context = await browser.newContext({ viewport: VIEWPORT, isMobile: true })
    if (refreshToken) await context.addCookies([{ name: 'moorage', value: refreshToken, url }])
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
    const paints: Paint[] = []
    for (const path of paths) {
      const rounds: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        await session.send('Network.clearBrowserCache')
        await page.goto(url + path, { waitUntil: 'load' })
        rounds.push(Number(await page.evaluate(SETTLED)))
      }
      paints.push({ path, largestPaintMs: Math.round(median(rounds)) })
    }
    return paints
  } finally {
    await browser.close()
  }
}
