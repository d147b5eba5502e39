import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { areas } from '#app/areas.ts'
import { asStaff, openDesk, openScreen, settled, skip, WIDE } from '#test/desk.ts'
import { addressOf, type DeskRoute, deskRoutes, mayOpen, routeOf } from '#test/desk-screens.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { givePassword } from '#test/relying-party.ts'
import { world } from '#test/world.ts'

/** A shop with one of everything, so that each screen of the administration has something to show. */
const port = await freePort()
const origin = `http://localhost:${port}`
const there = skip ? null : await world({ config: { port, publicUrl: origin } })

const ROUTES = deskRoutes()
const PERMISSIONS = areas.flatMap(({ permissions: own = [] }) => own.map(({ key }) => key))

function shopThere() {
  assert.ok(there)
  return there
}

/** Opens a screen, each of its tabs, and the first object that opens beside its list. */
async function openWhole(page: Page, address: string): Promise<void> {
  await openScreen(page, origin + address)
  const tabs = page.locator('main .tools [role=radiogroup] label')
  for (let at = 1; at < (await tabs.count()); at += 1) {
    await tabs.nth(at).click()
    await settled(page)
  }
  const row = page.locator('main button.rowlink').first()
  if ((await row.count()) === 0) return
  await row.click()
  await page.getByRole('dialog').waitFor()
  await settled(page)
}

/** The links of a screen, without those of its frame. */
async function linksOf(page: Page): Promise<string[]> {
  const script = `[...document.querySelectorAll('main a[href^="/admin"]')].map((it) => it.pathname)`
  return [...new Set((await page.evaluate(script)) as string[])]
}

/** The links of a screen that lead nowhere, or to a screen that the person may not open. */
async function wrongLinks(page: Page, held: ReadonlySet<string>): Promise<string[]> {
  return (await linksOf(page)).flatMap((address) => {
    const route = routeOf(ROUTES, address)
    if (!route) return [`${address} is no screen`]
    return mayOpen(route, held) ? [] : [`${address} needs ${route.permissions.join(' or ')}`]
  })
}

type Walk = {
  /** What this one differs in from the others. */
  readonly name: string
  readonly permissions: readonly string[]
  readonly screens: readonly DeskRoute[]
}

/**
 * Opens the screens of each walk as staff with its permissions only; answers the refused requests and the wrong links.
 * All walks are in one browser, one member of staff after the other, so that it compiles the code only once.
 */
async function faultsOf(walks: readonly Walk[]): Promise<string[]> {
  const { app, objects, admin } = shopThere()
  await givePassword(app, admin.userId)
  const found: string[] = []
  const look = { ...WIDE, email: admin.email, refused: [401, 403, 502] }
  await asStaff({ origin }, look, async (page, refusals) => {
    for (const { name, permissions, screens } of walks) {
      const held = new Set(permissions)
      const clerk = await person(app, { permissions: [...permissions] })
      await givePassword(app, clerk.userId)
      await openDesk(page, { ...look, origin, email: clerk.email })
      for (const route of screens.filter((it) => mayOpen(it, held))) {
        await openWhole(page, addressOf(route, objects))
        const faults = [...refusals.splice(0), ...(await wrongLinks(page, held))]
        found.push(...faults.map((fault) => `${name} on ${route.path}: ${fault}`))
      }
    }
  })
  return found
}

/** A test runs for at most some minutes, so the permissions are walked in several. */
const SLICES = 6

for (let slice = 0; slice < SLICES; slice += 1) {
  const some = PERMISSIONS.filter((_, index) => index % SLICES === slice)

  test(`with one permission alone, no screen is refused anything or links to another: ${some.join(', ')}`, {
    skip,
  }, async () => {
    const walks = some.map((name) => ({
      ...{ name, permissions: [name] },
      screens: ROUTES.filter(
        ({ permissions }) => permissions.length === 0 || permissions.includes(name),
      ),
    }))
    assert.deepEqual(await faultsOf(walks), [])
  })
}

/** The permission that a request of a screen needs; null for one that any member of staff may send. */
function permissionOf(request: Request): string | null {
  const { pathname } = new URL(request.url())
  const matching = shopThere().app.routes.filter((it) => {
    const pattern = it.url.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.+')
    return it.method === request.method() && new RegExp(`^${pattern}$`).test(pathname)
  })
  const route = matching.find(({ url }) => url === pathname) ?? matching[0]
  return route?.config.permission ?? null
}

/** The screens that read something or link somewhere with each permission, when an owner opens them. */
async function readScreens(): Promise<ReadonlyMap<string, ReadonlySet<DeskRoute>>> {
  const { app, admin, objects } = shopThere()
  await givePassword(app, admin.userId)
  const readers = new Map<string, Set<DeskRoute>>()
  await asStaff({ origin }, { ...WIDE, email: admin.email, refused: [502] }, async (page) => {
    const needed = new Set<string>()
    page.on('request', (request) => {
      const permission = request.url().includes('/v1/') ? permissionOf(request) : null
      if (permission) needed.add(permission)
    })
    for (const route of ROUTES) {
      needed.clear()
      await openWhole(page, addressOf(route, objects))
      for (const link of await linksOf(page))
        for (const permission of routeOf(ROUTES, link)?.permissions ?? []) needed.add(permission)
      for (const permission of needed)
        readers.set(permission, (readers.get(permission) ?? new Set()).add(route))
    }
  })
  return readers
}

let readers: Promise<ReadonlyMap<string, ReadonlySet<DeskRoute>>> | undefined

for (let slice = 0; slice < SLICES; slice += 1) {
  test(`with all permissions but one, no screen is refused anything or links to another (${slice + 1} of ${SLICES})`, {
    skip,
  }, async () => {
    readers ??= readScreens()
    const all = await readers
    assert.ok(all.size > 15, `${[...all.keys()]}`)
    const some = [...all].filter((_, index) => index % SLICES === slice)
    const walks = some.map(([permission, screens]) => ({
      name: `without ${permission}`,
      permissions: PERMISSIONS.filter((it) => it !== permission),
      screens: [...screens],
    }))
    assert.deepEqual(await faultsOf(walks), [])
  })
}
