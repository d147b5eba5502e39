import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Browser, Page, Request } from 'playwright-core'
import { COUNTRIES } from '#lib/country.ts'
import { ROOT } from '#platform/root.ts'
import { until } from '#test/app.ts'
import { inBrowser, withoutBrowser as skip, violationsOf } from '#test/browser.ts'
import { customerRoutes } from '#test/desk-screens.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

// CI has a browser; without one, all other tests run.

const port = await freePort()
const origin = `http://localhost:${port}`
const shop = await gameShop({ config: { port, publicUrl: origin } })
const { product: larger } = await shop.server({ name: 'Eight gigabytes' }, { priceCents: 2500 })
const { plan } = await shop.server({ upgradeTargetIds: [larger.id], name: 'Four gigabytes' })
const ada = await shop.customer()
await givePassword(shop.app, ada.userId)
await shop.buy(ada, plan.id)
const service = await shop.serviceBecame(ada, 'active')
const [paid] = (await ada.get('/v1/billing/invoices')).body.data
await ada.post('/v1/cart/items', { planId: plan.id })
const order = { immediateStart: true, gatewayId: shop.gatewayId }
const { invoice: open } = (await ada.post('/v1/billing/checkout', order)).body
await shop.admin.post(`/v1/admin/invoices/${paid.id}/credit-note`, {
  ...{ amountCents: 120, reason: 'Goodwill' },
})
const [note] = (await ada.get('/v1/billing/credit-notes')).body.data
const question = { subject: 'Lag', body: 'My server lags.', serviceId: service.id }
const { body: ticket } = await ada.post('/v1/tickets', question)

/** The object that a screen of the customer area shows, for each screen with an id in its address. */
const OBJECTS: Readonly<Record<string, string>> = {
  ...{ servers: service.id, invoices: paid.id, 'credit-notes': note.id, tickets: ticket.id },
}

/** Every screen of the customer area, as its router has them. */
const SCREENS = [
  ...customerRoutes().map(({ path: route }) => {
    const [, list = ''] = route.split('/')
    return route.replace('$id', () => {
      const id = OBJECTS[list]
      assert.ok(id, `${route} has an object`)
      return id
    })
  }),
  `/invoices/${open.id}`,
]

type Look = { locale: 'en' | 'fr'; colorScheme: 'light' | 'dark'; width: number }

async function signIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form[action="/sign-in"] button:not([type=button])').click()
}

async function signedIn(browser: Browser, { locale, colorScheme, width }: Look) {
  const viewport = { width, height: 844 }
  // Without it, colours are read while they change.
  const reducedMotion = 'reduce'
  const context = await browser.newContext({ locale, colorScheme, viewport, reducedMotion })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(`${origin}/home?lang=${locale}`)
  await signIn(page, ada.email)
  await page.waitForURL('**/home*')
  await page.locator('h1').waitFor()
  return { context, page, faults }
}

async function withLook(look: Look, work: (page: Page) => Promise<void>): Promise<void> {
  await inBrowser(async (browser) => {
    const { page, faults } = await signedIn(browser, look)
    await work(page)
    assert.deepEqual(faults, [], 'the console stays empty')
  })
}

const WIDE: Look = { locale: 'en', colorScheme: 'light', width: 1440 }
const NARROW: Look = { locale: 'fr', colorScheme: 'dark', width: 390 }

for (const look of [WIDE, NARROW]) {
  test(`every screen is accessible and fits, ${Object.values(look).join(', ')}`, {
    skip,
  }, async () => {
    await withLook(look, async (page) => {
      for (const screen of SCREENS) {
        await page.goto(origin + screen)
        await page.locator('h1').waitFor()
        await page.locator('.skel').first().waitFor({ state: 'detached' })
        assert.equal(await page.locator('h1').count(), 1, screen)
        assert.match(await page.title(), / · /, screen)
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.equal(wide, 0, `${screen} scrolls sideways`)
        assert.deepEqual(await violationsOf(page), [], screen)
      }
    })
  })
}

test('a customer restarts a server, changes its size and pays an open invoice', {
  skip,
}, async () => {
  await withLook(WIDE, async (page) => {
    await page.goto(`${origin}/servers/${service.id}`)
    await page.getByRole('button', { name: 'Restart' }).click()
    await page.getByText('Restarting').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Plan' }).click()
    await page.getByRole('button', { name: 'Change size' }).click()
    await page.getByRole('radio', { name: /Eight gigabytes/ }).check()
    await page.getByRole('button', { name: /^Pay €.* and change$/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${origin}/invoices/${open.id}`)
    await page.getByRole('button', { name: /^Pay €/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Pay €/ })
      .click()
    await page.waitForURL((url) => url.origin === new URL(shop.provider.url).origin)
    await page.getByRole('button', { name: /pay/i }).first().click()
    await page.waitForURL((url) => url.pathname === `/invoices/${open.id}`)
    await page.locator('h1 + .t-active').waitFor({ timeout: 30_000 })
  })
})

test('what was typed survives a reload, and no token is where scripts find it', {
  skip,
}, async () => {
  await withLook(WIDE, async (page) => {
    await page.goto(`${origin}/account`)
    await page.getByLabel('Telephone').fill('+33 1 23 45 67 89')
    await page.reload()
    assert.equal(await page.getByLabel('Telephone').inputValue(), '+33 1 23 45 67 89')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await page.getByText('Saved').waitFor()
    assert.equal((await ada.get('/v1/users/me')).body.phone, '+33 1 23 45 67 89')
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    )
    assert.doesNotMatch(String(stored), /eyJ|mrt_|refresh|access/i)
    assert.equal(await page.locator('#boot').count(), 0)
  })
})

test('after a navigation the focus is on the screen and its title is announced, not at the first load', {
  skip,
}, async () => {
  await withLook(WIDE, async (page) => {
    const focused = () => page.evaluate('document.activeElement?.id')
    const announced = page.locator('[role=status].sr').first()
    await page.goto(`${origin}/home`)
    await page.locator('h1').waitFor()
    assert.deepEqual([await focused(), await announced.textContent()], ['', ''])
    const side = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Invoices', 'Payment']) {
      await side.getByRole('link', { name }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.locator('#main:focus').waitFor()
      await announced.filter({ hasText: name }).waitFor({ state: 'attached' })
      assert.match(await page.title(), new RegExp(`^${name} · `))
    }
    // From the screen, Tab goes on within it, past the navigation.
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate("document.activeElement?.closest('main') !== null"), true)
  })
})

test('signing out ends the session in the browser, and the screens lead to the sign-in', {
  skip,
}, async () => {
  await withLook(WIDE, async (page) => {
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${origin}/`)
    await page.goto(`${origin}/invoices?status=open`)
    assert.equal(new URL(page.url()).pathname, '/sign-in')
    assert.equal(new URL(page.url()).searchParams.get('next'), '/invoices?status=open')
  })
})

test('a mailed invitation is answered by its button, after a sign-in, and by its own address only', {
  skip,
}, async () => {
  const bob = await shop.customer()
  await givePassword(shop.app, bob.userId)
  const wanted = { email: bob.email, permissions: ['power'] }
  const made = await ada.post(`/v1/services/${service.id}/invitations`, wanted)
  const path = `/i/${made.body.token}`
  await withLook(WIDE, async (page) => {
    await page.goto(origin + path)
    await page.getByText('sent to another address').waitFor()
    await page.context().clearCookies()
    await page.goto(`${origin}/invitations/${made.body.token}?lang=en`)
    assert.equal(new URL(page.url()).pathname, path)
    await page.getByRole('heading', { name: /invites you to/ }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).first().click()
    await signIn(page, bob.email)
    await page.waitForURL(origin + path)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.waitForURL(`${origin}/servers`)
    await page.getByText('Shared with you').waitFor()
  })
  const { body } = await bob.get('/v1/services')
  assert.deepEqual(body.data[0].permissions.includes('power'), true)
  assert.match((await shop.app.get(path)).text, /no longer valid|plus valable/)
  assert.equal((await shop.app.get('/i/none')).status, 404)
})

test('addresses of older mails lead to the present ones, with their query', async () => {
  const moved = [
    [`/services/${service.id}?a=1`, `/servers/${service.id}?a=1`],
    [`/billing/invoices/${open.id}`, `/invoices/${open.id}`],
    ['/billing/invoices', '/invoices'],
    ['/billing/credits', '/payment'],
    ['/account/billing', '/account'],
    ['/account/connections?outcome=linked', '/account/security?outcome=linked'],
    ['/affiliation', '/invite-friends'],
    [`/admin/services/${service.id}?a=1`, `/admin/servers/${service.id}?a=1`],
    ['/admin/users/x', '/admin/people/x'],
    ['/admin/webhook-endpoints/x', '/admin/integrations/x'],
  ] as const
  for (const [old, now] of moved) {
    const { status, headers } = await shop.app.get(old)
    assert.deepEqual([status, headers.location], [303, now])
  }
  const { status, headers } = await shop.app.get('/admin/servers/x')
  assert.deepEqual([status, headers.location], [303, '/sign-in?next=%2Fadmin%2Fservers%2Fx'])
})

test('a visitor is led to the sign-in and back; files of the build are the only ones there are', async () => {
  const { status, headers } = await shop.app.get('/servers/x?y=1')
  assert.deepEqual([status, headers.location], [303, '/sign-in?next=%2Fservers%2Fx%3Fy%3D1'])
  for (const name of ['manifest.json', '..%2Fmanifest.json', 'none.js', '%2e%2e']) {
    assert.equal((await shop.app.get(`/app/assets/${name}`)).status, 404, name)
  }
})

const dist = path.join(ROOT, 'web/dist')
const built = fs.existsSync(path.join(dist, 'manifest.json'))

test('a file of the build is sent compressed, for good, and is recognised behind a proxy', {
  skip: !built,
}, async () => {
  const name = fs.readdirSync(path.join(dist, 'assets')).find((it) => it.endsWith('.css')) ?? ''
  const get = (headers: Record<string, string>) =>
    fetch(`${shop.app.url}/app/assets/${name}`, {
      // As a browser revalidates. By itself, `fetch` asks for an answer from no cache.
      headers: { 'cache-control': 'max-age=0', 'accept-encoding': 'br', ...headers },
    })
  const { status, headers } = await get({})
  assert.deepEqual([status, headers.get('content-encoding')], [200, 'br'])
  assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const etag = String(headers.get('etag'))
  for (const known of [etag, etag.replace(/"$/, '-gzip"')]) {
    assert.equal((await get({ 'if-none-match': known })).status, 304, known)
  }
})

/** Their first answers come with the page. */
const COMPLETE = ['/home', '/invoices', `/servers/${service.id}`, '/account']
/** What a panel or a stream says is asked for afterwards. */
const LATER = /^\/v1\/(?:services\/.*(?:status|activity|connection)|notifications\/stream)/

/** The words of histories, which a screen requests when it has entries to show. */
const OWN_TEXTS = /\/(?:happened|credit-kinds)-/

test('a screen is drawn from its page and the files that the page names', { skip }, async () => {
  await withLook(WIDE, async (page) => {
    for (const screen of SCREENS) {
      const files: string[] = []
      const calls: string[] = []
      const seen = (request: Request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/app/') && !OWN_TEXTS.test(pathname)) files.push(pathname)
        if (pathname.startsWith('/v1/') && !LATER.test(pathname)) calls.push(pathname)
      }
      page.on('request', seen)
      const answer = await page.goto(origin + screen)
      await page.locator('h1').waitFor()
      page.off('request', seen)
      const text = await answer?.text()
      for (const file of files) assert.ok(text?.includes(`"${file}"`), `${screen}: ${file}`)
      if (!COMPLETE.includes(screen)) continue
      assert.deepEqual(calls, [], screen)
      // The page names all of them, so that they are loaded in parallel. With the page itself there are at most 12
      // requests, besides the font, which all pages share.
      assert.ok(files.length <= 11, `${screen}: ${files}`)
    }
  })
})

test('the outline is painted before any script and style sheet has come, and nothing moves after it', {
  skip,
}, async () => {
  for (const look of [WIDE, NARROW]) {
    await withLook(look, async (page) => {
      await page.addInitScript(RECORD_MOVES)
      let gate = Promise.withResolvers<void>()
      await page.route('**/app/assets/*', async (route) => {
        await gate.promise
        await route.continue()
      })
      for (const screen of COMPLETE) {
        gate = Promise.withResolvers()
        const opened = page.goto(origin + screen)
        opened.catch(() => {})
        await page.locator('.outline main .skel').first().waitFor()
        const paints = "performance.getEntriesByType('paint').length > 0"
        await until('it is painted', () => page.evaluate(paints))
        const boxOf = (name: string) => page.locator(name).last().boundingBox()
        const names = look === WIDE ? ['.side', '.topbar'] : ['.topbar', '.tabbar']
        const before = await Promise.all(names.map(boxOf))
        gate.resolve()
        await opened
        await page.locator('h1').waitFor()
        assert.equal(await page.locator('.outline').count(), 0, screen)
        assert.deepEqual(await Promise.all(names.map(boxOf)), before, screen)
        const moved = (await page.evaluate('moved')) as number[]
        const sum = moved.reduce((total, it) => total + it, 0)
        assert.ok(sum <= 0.05, `${screen} moves by ${sum}`)
      }
    })
  }
})

const RECORD_MOVES = `window.moved = [];
new PerformanceObserver((list) => window.moved.push(...list.getEntries().map((it) => it.value)))
  .observe({ type: 'layout-shift', buffered: true })`

test('what was refused while the page was made is not in it, and the rest is', {
  skip,
}, async () => {
  await withLook(WIDE, async (page) => {
    const none = '00000000-0000-7000-8000-000000000000'
    const answer = await page.context().request.get(`${origin}/servers/${none}`)
    const [, boot = ''] = /id="boot"[^>]*>([^<]*)</.exec(await answer.text()) ?? []
    const { answers } = JSON.parse(boot)
    assert.equal(answers.me.email, ada.email)
    assert.equal('service' in answers, false)
  })
})

test('the application knows every country, and imports nothing of the service', () => {
  const source = fs.readFileSync(path.join(ROOT, 'web/src/areas/account/countries.ts'), 'utf8')
  const codes = [...source.matchAll(/\b[A-Z]{2}\b/g)].map(([code]) => code)
  assert.deepEqual(codes, COUNTRIES)
  const files = fs.readdirSync(path.join(ROOT, 'web/src'), { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((it) => /\.tsx?$/.test(it))) {
    const text = fs.readFileSync(path.join(ROOT, 'web/src', file), 'utf8')
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name)
    for (const name of imports) {
      assert.doesNotMatch(name, /^#|\/src\//, file)
      if (!file.startsWith('ui/')) assert.doesNotMatch(name, /^@mantine|^@tabler/, file)
      // Floors: the application, its areas, then what those are made of.
      if (file.startsWith('areas/')) assert.doesNotMatch(name, /\/app\//, file)
      if (/^(?:ui|api|texts)\//.test(file)) assert.doesNotMatch(name, /\/(?:app|areas)\//, file)
    }
  }
})
