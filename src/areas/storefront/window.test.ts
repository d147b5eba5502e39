import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { LOCALES } from '#lib/languages.ts'
import { transact } from '#platform/database/index.ts'
import { PASSWORD } from '#test/accounts.ts'
import { affiliate } from '#test/affiliates.ts'
import { until } from '#test/app.ts'
import { billingShop } from '#test/billing-shop.ts'
import { clientFor } from '#test/client.ts'
import { provisioningIn } from '#test/eggs.ts'
import { formBrowser, hiddenField } from '#test/form-browser.ts'
import { otherTenant } from '#test/people.ts'
import { type Made, shopOf } from '#test/shop.ts'

const shop = await billingShop()
const { app, admin } = shop
const place = await provisioningIn(app)
const catalog = shopOf(admin, place)
const origin = app.deps.config.publicUrl
const castles = await catalog.category({ name: 'Castles', slug: 'castles' })
const { product: small, plan } = await catalog.offer(
  { priceCents: 1000 },
  { name: 'Small castle', slug: 'small-castle', categoryId: castles.id },
)
const { product: large } = await catalog.offer(
  { priceCents: 2500 },
  { name: 'Large castle', slug: 'large-castle', categoryId: castles.id, stock: 0 },
)

const browser = () => formBrowser(app)

function structuredIn(text: string): Record<string, unknown>[] {
  const scripts = text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)
  return [...scripts].map(([, json = '']) => JSON.parse(json))
}

test('a product page has prices, breadcrumbs and languages for search engines', async () => {
  const { text } = await browser().open('/castles/small-castle')
  assert.match(text, new RegExp(`<link rel="canonical" href="${origin}/castles/small-castle">`))
  for (const language of LOCALES) {
    const address = `${origin}/castles/small-castle\\?lang=${language}`
    assert.match(text, new RegExp(`hreflang="${language}" href="${address}"`))
  }
  assert.match(text, /<meta property="og:title" content="Small castle">/)
  const [product, trail] = structuredIn(text)
  const offers = product?.offers as { price: string; priceCurrency: string }[]
  assert.deepEqual([offers[0]?.price, offers[0]?.priceCurrency], ['12.00', 'EUR'])
  assert.match(JSON.stringify(offers[0]), /InStock/)
  const items = trail?.itemListElement as { name: string }[]
  assert.deepEqual(
    items.slice(1).map(({ name }) => name),
    ['Castles', 'Small castle'],
  )
})

test('every page says that payments are simulated while an enabled gateway is in test mode', async () => {
  const [gateway] = (await admin.get('/v1/admin/gateways')).body.data
  const said = async () => {
    const { body } = await app.get('/v1/meta')
    const pages = await Promise.all(['/', '/sign-in'].map((path) => browser().open(path)))
    return [body.testMode, ...pages.map(({ text }) => text.includes('class="test-frame"'))]
  }
  assert.deepEqual(await said(), [true, true, true])
  await admin.patch(`/v1/admin/gateways/${gateway.id}`, { enabled: false })
  assert.deepEqual(await said(), [false, false, false])
  await admin.patch(`/v1/admin/gateways/${gateway.id}`, { enabled: true })
})

test('a name cannot end the structured data of its page', async () => {
  const name = 'x</script><script>alert(1)</script>'
  await catalog.offer({}, { name, slug: 'breakout' })
  const { text } = await browser().open('/p/breakout')
  assert.equal(structuredIn(text)[0]?.name, name)
  assert.doesNotMatch(text, /<script>alert/)
})

test('a sold-out product is marked in its game, in the comparison, on its page and for search engines', async () => {
  for (const path of ['/castles', '/compare/castles', '/castles/large-castle']) {
    assert.match((await browser().open(path)).text, /Sold out/, path)
  }
  const { text } = await browser().open('/castles/large-castle')
  assert.match(JSON.stringify(structuredIn(text)[0]), /SoldOut/)
  assert.doesNotMatch(text, /action="\/cart\/items"/)
})

test('the page of a game has the order form of a size that can be bought, and links to the others', async () => {
  const towers = await catalog.category({ name: 'Towers', slug: 'towers' })
  const size = (name: string, more = {}) =>
    catalog.offer({}, { categoryId: towers.id, name, slug: name.toLowerCase(), ...more })
  const chosenIn = (text: string) => /name="product" value="([^"]*)"/.exec(text)?.[1]
  const open = async (path: string) => (await browser().open(path)).text
  assert.match(await open('/towers'), /There is nothing for sale yet/)
  await size('Gone', { stock: 0, badge: 'popular' })
  assert.equal(chosenIn(await open('/towers')), undefined)
  await size('Plain')
  await size('Fresh', { badge: 'new' })
  assert.equal(chosenIn(await open('/towers')), 'plain', 'what is new is not recommended by that')
  await size('Best', { badge: 'recommended' })
  const page = await open('/towers')
  assert.equal(chosenIn(page), 'best')
  assert.match(page, /href="\/towers\/best" aria-current="true"/)
  assert.match(page, /class="opt" href="\/towers\/plain">/)
  assert.match(page, /class="opt shut">.*Gone.*Sold out/)
  const own = await open('/towers/plain')
  assert.match(own, /href="\/towers\/plain" aria-current="true"/)
  assert.match(own, /class="opt" href="\/towers\/best">/)
  const alone = await catalog.category({ name: 'Wells', slug: 'wells' })
  const single = await catalog.offer({}, { categoryId: alone.id })
  const only = await open('/wells')
  assert.equal(chosenIn(only), single.product.slug)
  assert.doesNotMatch(only, /class="pick"/)
})

test('sizes are compared side by side; a single one redirects to its game', async () => {
  const { status, text } = await browser().open('/compare/castles')
  assert.equal(status, 200)
  assert.match(text, /<th scope="col">Small castle<\/th><th scope="col">Large castle<\/th>/)
  const forts = await catalog.category({ name: 'Forts', slug: 'forts' })
  for (const cpuPercent of [100, 200]) {
    const limits = { memoryMb: 2048, diskMb: 5120, cpuPercent }
    await catalog.offer({}, { categoryId: forts.id, provisioning: { ...place, limits } })
  }
  const compared = (await browser().open('/compare/forts')).text
  assert.match(compared, /<th scope="row">CPU cores<\/th><td>[12]<\/td><td>[12]<\/td>/)
  const alone = await catalog.category({ name: 'Huts', slug: 'huts' })
  await catalog.offer({}, { categoryId: alone.id })
  const { status: moved, location } = await browser().open('/compare/huts')
  assert.deepEqual([moved, location], [303, '/huts'])
  assert.equal((await browser().open('/compare/none')).status, 404)
})

test('a page that does not exist offers the games and the way home, and loads nothing from elsewhere', async () => {
  const expected = { en: /This page does not exist/, fr: /Cette page n’existe pas/ }
  for (const [language, title] of Object.entries(expected)) {
    const { status, text } = await browser().open(`/no-such-game?lang=${language}`)
    assert.equal(status, 404)
    assert.match(text, new RegExp(`<html lang="${language}"`))
    assert.match(text, title)
    assert.match(text, /<a class="game" href="\/castles">/)
    assert.match(text, /<a class="button" href="\/">/)
    assert.match(text, /<meta name="robots" content="noindex">/)
    const loaded = [...text.matchAll(/(?:src|<link [^>]*href)="([^"]+)"/g)].map(([, it]) => it)
    assert.ok(loaded.length > 0)
    assert.deepEqual(
      loaded.filter((it) => !it?.startsWith('/') || it.startsWith('//')),
      [],
    )
  }
})

test('the page of a product that is no longer sold answers 404 with the other sizes of its game', async () => {
  const { product } = await catalog.offer({}, { slug: 'old-castle', categoryId: castles.id })
  assert.equal((await browser().open('/castles/old-castle')).status, 200)
  const archived = await admin.delete(`/v1/admin/products/${product.id}`)
  assert.equal(archived.status, 200, archived.text)
  const { status, text } = await browser().open('/castles/old-castle')
  assert.equal(status, 404)
  assert.match(text, /These are the sizes of Castles/)
  assert.match(text, /href="\/castles\/small-castle"/)
  const elsewhere = await browser().open('/p/old-castle')
  assert.equal(elsewhere.status, 404)
  assert.match(elsewhere.text, /<a class="game" href="\/castles">/)
})

test('a product has one URL, to which others redirect', async () => {
  const { location } = await browser().open('/huts/small-castle')
  assert.equal(location, '/castles/small-castle')
})

test('the sitemap lists products that can be bought, and robots.txt links to it', async () => {
  const robots = await browser().open('/robots.txt')
  assert.match(robots.text, new RegExp(`Sitemap: ${origin}/sitemap.xml`))
  const { text, headers } = await browser().open('/sitemap.xml')
  assert.match(headers.get('content-type') ?? '', /xml/)
  const paths = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, it = '']) => new URL(it).pathname,
  )
  for (const path of paths) assert.equal((await browser().open(path)).status, 200, path)
  for (const path of ['/', '/castles', '/compare/castles', `/castles/${small.slug}`]) {
    assert.ok(paths.includes(path), path)
  }
})

test('a visitor chooses the country of the prices, and an unknown country is refused', async () => {
  await catalog.taxRate({ country: 'BE', rateBasisPoints: 2100 })
  const visitor = browser()
  const { text: home } = await visitor.open('/castles')
  const [, next = ''] = /href="(\/country\?[^"]+)"/.exec(home) ?? []
  const asked = await visitor.open(next)
  assert.match(asked.text, /<form[^>]*method="get" action="\/castles"/)
  const shown = await visitor.open('/castles?country=BE')
  assert.match(shown.text, /Prices for Belgium/)
  assert.match(shown.text, /12\.10/)
  assert.match((await visitor.open('/castles')).text, /12\.10/, 'it is remembered')
  assert.equal((await visitor.open('/castles?country=ZZ')).status, 200)
  assert.equal((await visitor.open('/castles')).status, 200)
})

test('a visitor of an affiliate link is asked first, and nothing is stored without a yes', async () => {
  const owner = await affiliate(shop)
  const visitor = browser()
  const { location } = await visitor.open(`/r/${owner.code}`)
  assert.equal(location, `/?ref=${owner.code}`)
  const asked = await visitor.open(location ?? '')
  assert.match(asked.text, /action="\/r"/)
  assert.deepEqual([...visitor.cookies.keys()], [])
  const sql = 'select count(*)::int as count from affiliation.visits where affiliate_id = $1'
  const clicks = async () => (await app.deps.database.execute(sql, [owner.id])).rows[0]?.count
  assert.equal(await clicks(), 0)
  const sent = await visitor.submit('/r', { code: owner.code, next: '/castles' })
  assert.deepEqual([sent.status, sent.location], [303, '/castles'])
  assert.deepEqual([...visitor.cookies.keys()], ['moorage-visitor'])
  assert.equal(await clicks(), 1)
  const off = { affiliation: { askConsent: false } }
  assert.equal((await admin.patch('/v1/admin/settings', off)).status, 200)
})

for (const path of ['/castles?ref=', '/r/']) {
  test(`without the question, a visitor of the link ${path}… is attributed to its owner after registration`, async () => {
    const owner = await affiliate(shop)
    const visitor = browser()
    const { status } = await visitor.open(path + owner.code)
    assert.equal(status, path === '/r/' ? 303 : 200)
    const email = `${owner.code.toLowerCase()}@example.org`
    const person = { name: 'Ada', email, password: PASSWORD, country: 'FR', next: '/' }
    assert.equal((await visitor.submit('/register', person)).status, 303)
    await until('the referral', async () => {
      const { data } = (await owner.get('/v1/affiliation/referrals')).body
      return data.length === 1
    })
  })
}

test('the cookie of a click lasts as long as the click counts, and ends with the registration', async () => {
  const { code } = await affiliate(shop)
  const visitor = browser()
  const { headers } = await visitor.open(`/castles?ref=${code}`)
  const [line = ''] = headers.getSetCookie()
  assert.match(line, /^moorage-visitor=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=(\d+)$/)
  assert.ok(Math.abs(Number(/Max-Age=(\d+)/.exec(line)?.[1]) - 30 * 24 * 3600) < 10, line)
  const token = visitor.cookies.get('moorage-visitor')
  await visitor.open('/castles?ref=NOBODY')
  assert.equal(visitor.cookies.get('moorage-visitor'), token, 'an unknown code changes nothing')
  const email = `cookie-${code.toLowerCase()}@example.org`
  const person = { name: 'Ada', email, password: PASSWORD, country: 'FR', next: '/' }
  assert.equal((await visitor.submit('/register', person)).status, 303)
  assert.equal(visitor.cookies.has('moorage-visitor'), false)
})

test('a page with an error records a click once', async () => {
  const owner = await affiliate(shop)
  assert.equal((await browser().open(`/p/nothing?ref=${owner.code}`)).status, 404)
  const sql = 'select count(*)::int as count from affiliation.visits where affiliate_id = $1'
  assert.equal((await app.deps.database.execute(sql, [owner.id])).rows[0]?.count, 1)
})

test('a cookie that is no reference of a click does not prevent the registration', async () => {
  const visitor = browser()
  visitor.cookies.set('moorage-visitor', 'x'.repeat(100))
  const person = { name: 'Ada', email: 'odd-cookie@example.org', password: PASSWORD }
  const { status } = await visitor.submit('/register', { ...person, country: 'FR', next: '/' })
  assert.equal(status, 303)
})

test('a shop without affiliates sets no cookie for a code', async () => {
  const { code } = await affiliate(shop)
  const enabled = (is: boolean) =>
    admin.patch('/v1/admin/settings', { affiliation: { enabled: is } })
  assert.equal((await enabled(false)).status, 200)
  const { status, headers } = await browser().open(`/castles?ref=${code}`)
  assert.deepEqual([status, headers.getSetCookie()], [200, []])
  assert.equal((await enabled(true)).status, 200)
})

for (const path of ['/?ref=ABCDEFGH', '/r/ABCDEFGH', '/p/x?ref=ABCDEFGH', '/terms?ref=ABCDEFGH']) {
  test(`${path} of a suspended shop sets no cookie, and its page says what it says without a code`, async () => {
    const host = `closed-${newId()}.test`
    const tenantId = await otherTenant(app, host)
    await transact(app.deps.database.everywhere, (tx) =>
      tx
        .updateTable('tenants.tenants')
        .set({ suspendedAt: app.deps.clock.now() })
        .where('id', '=', tenantId)
        .execute(),
    )
    const at = clientFor(app.url, { host })
    const [plain = ''] = path.split('?')
    const [shown, expected] = [await at.get(path), await at.get(plain)]
    assert.deepEqual([shown.status, shown.text], [expected.status, expected.text])
    assert.equal(shown.headers['set-cookie'], undefined)
  })
}

test('an unknown affiliate code is ignored silently', async () => {
  const { status, location } = await browser().open('/r/nobody')
  assert.deepEqual([status, location], [303, '/'])
})

test('the news are the public announcements, in the language of the visitor', async () => {
  assert.match((await browser().open('/news')).text, /No news yet/)
  const said = (title: string) => ({ texts: { en: { title, body: 'Soon.\n\nReally.' } } })
  await admin.post('/v1/admin/announcements', said('For customers'))
  const made = await admin.post('/v1/admin/announcements', {
    ...{ ...said('A new harbour'), public: true, link: '/castles' },
  })
  assert.equal(made.status, 201, made.text)
  const { text } = await browser().open('/news?lang=fr')
  assert.match(text, /<h2 lang="en">A new harbour<\/h2>/)
  assert.doesNotMatch(text, /For customers/)
})

for (const link of [
  '//evil.example',
  '/\\evil.example',
  '/\\/evil.example',
  'javascript:alert(1)',
  '/a\\b',
]) {
  test(`an announcement cannot link to ${link}`, async () => {
    const texts = { en: { title: 'News', body: 'Soon.' } }
    const { status } = await admin.post('/v1/admin/announcements', { texts, link })
    assert.equal(status, 400)
  })
}

test('a category cannot have the path of a page', async () => {
  const given = await admin.post('/v1/admin/categories', { name: 'X', slug: 'cart' })
  assert.deepEqual([given.status, given.body.code], [409, 'slug_taken'])
  const { slug } = await catalog.category({ name: 'Terms' })
  assert.match(slug, /^terms-/)
  const renamed = await admin.patch(`/v1/admin/categories/${castles.id}`, { slug: 'checkout' })
  assert.equal(renamed.status, 409)
})

test('the legal notice and the withdrawal page exist before the shop has published a text', async () => {
  const { seller } = (await app.get('/v1/meta')).body
  const imprint = await browser().open('/legal')
  assert.match(imprint.text, new RegExp(seller.name))
  assert.match((await browser().open('/withdraw')).text, /href="\/servers"/)
  assert.equal((await browser().open('/privacy')).status, 404)
})

test('terms are published in versions, and an order accepts and stores the newest version', async () => {
  const publish = async (en: string) => {
    const texts = { en, fr: `${en} (fr)` }
    const made = await admin.post('/v1/admin/legal-texts', { kind: 'terms', texts })
    assert.equal(made.status, 201, made.text)
    return made.body.version
  }
  const first = await publish('# Price\n\nFirst <b>text</b>.')
  assert.equal(await publish('# Price\n\nFirst <b>text</b>.'), first, 'unchanged: no new version')
  const second = await publish('# Price\n\nSecond text.')
  assert.deepEqual([first, second], [1, 2])
  assert.match((await browser().open('/terms')).text, /Second text/)
  const old = await browser().open('/terms?version=1')
  assert.match(old.text, /First &lt;b&gt;text/)
  assert.match(old.text, /earlier version/)
  assert.match(old.text, /noindex/)
  assert.equal((await browser().open('/terms?version=9')).status, 404)

  const guest = browser()
  await guest.submit('/cart/items', { product: small.slug, plan: plan.id, name: '' })
  const { text } = await guest.open('/checkout')
  const fields = {
    ...{ name: 'Ada', email: 'terms@example.org', password: PASSWORD, country: 'FR' },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris', immediateStart: '1' },
    method: /name="method" value="([^"]+)"/.exec(text)?.[1] ?? '',
  }
  const form = (page: string, more = {}) => ({
    ...{ ...fields, intent: hiddenField(page, 'intent'), seen: hiddenField(page, 'seen') },
    ...more,
  })
  const refused = await guest.submit('/checkout', form(text))
  assert.equal(refused.status, 422)
  assert.match(refused.text, /href="#terms"/)
  const stale = await guest.submit('/checkout', form(refused.text, { terms: '1' }))
  assert.equal(stale.status, 422)
  assert.doesNotMatch(stale.text, /name="terms" value="2" checked/)
  const done = await guest.submit('/checkout', form(stale.text, { terms: '2' }))
  assert.equal(done.status, 200, done.text)
  const { data } = (await admin.get('/v1/admin/orders')).body
  assert.equal(data[0].termsVersion, 2)

  const ada = await shop.buyer({ country: 'FR' })
  await ada.post('/v1/cart/items', { planId: plan.id })
  const order = { immediateStart: true, gatewayId: shop.gatewayId }
  const without = await ada.post('/v1/billing/checkout', order)
  assert.deepEqual([without.status, without.body.code], [422, 'terms_not_accepted'])
  const { body: meta } = await app.get('/v1/meta')
  const { version } = (await app.get('/v1/legal-texts/terms?locale=fr')).body
  assert.deepEqual([meta.legal.terms, version], [2, 2])
  const placed = await ada.post('/v1/billing/checkout', { ...order, acceptedTermsVersion: 2 })
  assert.equal(placed.body.order?.termsVersion, 2, placed.text)
})

test('a sold-out size cannot be ordered through its form', async () => {
  const { plans } = (await app.get(`/v1/store/products/${large.slug}`)).body
  const wanted = { product: large.slug, plan: plans[0].id, name: '' }
  const guest = browser()
  await guest.submit('/cart/items', wanted)
  const cart = await guest.open('/cart')
  assert.doesNotMatch(cart.text, /href="\/checkout"/)
})

test('an order that is paid later says so on its button, and only one that never is says less', async () => {
  const trial = await catalog.offer({ trialDays: 7 })
  const gift = await catalog.offer({ priceCents: 0, interval: 'one_time', intervalCount: 1 })
  const buttonFor = async (made: Made, planId: string) => {
    const guest = browser()
    await guest.submit('/cart/items', { product: String(made.slug), plan: planId, name: '' })
    const { text } = await guest.open('/checkout')
    return /<button class="button full paynow"[^>]*>.*<\/svg>([^<]+)<\/button>/.exec(text)?.[1]
  }
  assert.equal(await buttonFor(trial.product, trial.plan.id), 'Order with obligation to pay')
  assert.equal(await buttonFor(gift.product, gift.plan.id), 'Order')
  assert.match((await buttonFor(small, plan.id)) ?? '', /^Pay /)
})
