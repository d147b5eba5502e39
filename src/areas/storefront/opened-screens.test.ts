import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customerRoutes, deskRoutes, hasAddress } from '#test/desk-screens.ts'
import { screenShop } from '#test/screens.ts'

const { app, pages, screens } = await screenShop()

/** Pages that other browser tests open: those of a first run, and of the help, which this shop has none of. */
const IN_OTHER_TESTS: ReadonlySet<string> = new Set([
  ...['/setup', '/verify/resend', '/help', '/help/search', '/help/:slug'],
])

/** Whether one of the walked addresses is one of a route: `:id` or `$id` is one part of it. */
function isWalked(route: string): boolean {
  const pattern = route.replaceAll(/[:$]\w+/g, '[^/]+').replace('*', '.+')
  return [...pages, ...screens].some((it) => new RegExp(`^${pattern}$`).test(it))
}

test('every screen of the customer area is among those that browsers walk', () => {
  const routes = customerRoutes().map(({ path: route }) => route)
  assert.ok(routes.length > 20, `${routes}`)
  assert.deepEqual(
    routes.filter((route) => !isWalked(route)),
    [],
  )
})

test('every screen of the administration is among those that the walk of its permissions opens', () => {
  const routes = deskRoutes()
  assert.ok(routes.length > 50, `${routes.length}`)
  assert.deepEqual(
    routes.filter((it) => !hasAddress(it)),
    [],
  )
})

/** Whether an address shows a page itself: others are files, or lead on to a page. */
async function isPage(route: string): Promise<boolean> {
  const address = app.url + route.replaceAll(/:\w+/g, 'nothing')
  const { status, headers } = await fetch(address, { redirect: 'manual' })
  return status !== 303 && status !== 308 && /html/.test(headers.get('content-type') ?? '')
}

test('every page of the shop is among those that browsers walk', async () => {
  const routes = app.routes
    .filter(({ method, url }) => method === 'GET' && !/^\/(?:v1|admin|docs|app)\b|\*$/.test(url))
    .map(({ url }) => url.replaceAll(/\([^/]*\)/g, ''))
  assert.ok(routes.length > 30, `${routes}`)
  const forgotten: string[] = []
  for (const route of routes) {
    if (isWalked(route) || IN_OTHER_TESTS.has(route)) continue
    if (await isPage(route)) forgotten.push(route)
  }
  assert.deepEqual(forgotten, [])
})
