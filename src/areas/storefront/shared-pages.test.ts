import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRIES } from '#lib/country.ts'
import { PASSWORD } from '#test/accounts.ts'
import { billingShop } from '#test/billing-shop.ts'
import { provisioningIn } from '#test/eggs.ts'
import { formBrowser } from '#test/form-browser.ts'
import { otherTenant } from '#test/people.ts'
import { shopOf } from '#test/shop.ts'

// Pages are kept for longer than the tests take: a page that shows a change was rendered after it.
const shop = await billingShop({ config: { sharedPagesMs: 3_600_000 } })
const { app, admin } = shop
const catalog = shopOf(admin, await provisioningIn(app))
const castles = await catalog.category({ name: 'Castles', slug: 'castles' })
await catalog.taxRate({ country: 'BE', rateBasisPoints: 2100 })
await catalog.coupon({ code: 'HALF' })

type Guest = ReturnType<typeof formBrowser>
const browser = () => formBrowser(app)

/** A page of a new product, which nobody has opened yet, and the plan that it sells. */
async function newPage() {
  const { product, plan } = await catalog.offer({ priceCents: 1000 }, { categoryId: castles.id })
  return { path: `/castles/${product.slug}`, product, plan }
}

let renamed = 0

/** Changes the shop's name, which is on every page. */
async function rename(): Promise<string> {
  renamed += 1
  const name = `Shop number ${renamed}.`
  const { status, text } = await admin.patch('/v1/admin/shop', { brand: { name } })
  assert.equal(status, 200, text)
  return name
}

async function open(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(app.url + path, { headers })
  assert.equal(answer.status, 200)
  return answer.text()
}

test('a page is rendered once for all visitors who get the same one', async () => {
  const { path, product } = await newPage()
  await newPage()
  for (const address of ['/', '/castles', path, '/compare/castles', `/p/${product.slug}`]) {
    const first = await open(address)
    const name = await rename()
    const second = await open(address)
    assert.equal(second, first, address)
    assert.ok(!second.includes(name))
  }
})

const { product, plan } = await newPage()
const item = { product: product.slug, plan: plan.id, name: '' }
const PERSONAL: Readonly<Record<string, (guest: Guest) => Promise<unknown>>> = {
  'a session': (guest) =>
    guest.submit('/register', {
      ...{ name: 'Ada', email: 'ada@example.org', password: PASSWORD, country: 'FR', next: '/' },
    }),
  'a cart': (guest) => guest.submit('/cart/items', item),
  'a promo code only': async (guest) => {
    await guest.submit('/cart/items', item)
    await guest.submit('/cart/coupons', { code: 'HALF' })
    await guest.submit('/cart/items/remove', { id: '0' })
  },
}

for (const [what, prepare] of Object.entries(PERSONAL)) {
  test(`a visitor with ${what} never gets the page of another visitor, and nobody gets theirs`, async () => {
    const guest = browser()
    await prepare(guest)
    assert.equal(guest.cookies.size, 1, 'the cookie of a person')
    const { path } = await newPage()
    await guest.open(path)
    const second = await rename()
    const kept = await open(path)
    assert.ok(kept.includes(second), 'their page was not kept for others')
    assert.doesNotMatch(kept, /Sign out|Cart, \d/)
    const third = await rename()
    assert.ok((await guest.open(path)).text.includes(third), 'they got none that was kept')
    assert.equal(await open(path), kept)
  })
}

test('a kept page is of one shop, one language and one country', async () => {
  const { path } = await newPage()
  const pages = {
    plain: {},
    english: { 'accept-language': 'en-GB' },
    french: { 'accept-language': 'fr;q=0.9, en;q=0.1' },
    remembered: { 'accept-language': 'en', cookie: 'moorage-lang=fr' },
    belgian: { cookie: 'moorage-country=BE' },
  }
  const shown = async () => {
    const entries = Object.entries(pages).map(async ([name, headers]) => {
      const text = await open(path, headers)
      const language = /<html lang="(..)"/.exec(text)?.[1]
      return [name, `${language} ${/€12\.\d0|12,\d0/.exec(text)?.[0]}`]
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  const expected = {
    ...{ plain: 'en €12.00', english: 'en €12.00', belgian: 'en €12.10' },
    ...{ french: 'fr 12,00', remembered: 'fr 12,00' },
  }
  assert.deepEqual(await shown(), expected)
  assert.deepEqual(await shown(), expected, 'from the kept pages')
  await otherTenant(app, 'elsewhere.test')
  const other = await app.get(path, { headers: { host: 'elsewhere.test' } })
  assert.equal(other.status, 404)
})

test('a page that was opened with a query is for that visitor, and its cookies are too', async () => {
  const { path } = await newPage()
  const asked = await browser().open(`${path}?lang=fr&country=BE`)
  assert.equal(asked.headers.getSetCookie().length, 2)
  const answer = await fetch(app.url + path)
  assert.deepEqual(answer.headers.getSetCookie(), [])
  assert.match(await answer.text(), /<html lang="en"/)
})

test('a page that is kept is sent in the encoding that each browser accepts', async () => {
  const { path } = await newPage()
  const texts = new Set<string>()
  for (const encoding of ['br', 'gzip', 'identity', 'br']) {
    const answer = await fetch(app.url + path, { headers: { 'accept-encoding': encoding } })
    const sent = answer.headers.get('content-encoding')
    assert.equal(sent, encoding === 'identity' ? null : encoding)
    texts.add(await answer.text())
  }
  assert.equal(texts.size, 1)
})

test('the page for what does not exist is rendered once for all addresses, and once for each game', async () => {
  const missing = async (path: string) => {
    const answer = await fetch(app.url + path, { headers: { accept: 'text/html' } })
    assert.equal(answer.status, 404, path)
    return answer.text()
  }
  const first = await missing('/nothing')
  const name = await rename()
  for (const path of ['/nowhere', '/none/none', '/p/none', '/a/b/c', '/compare/none', '/privacy']) {
    assert.equal(await missing(path), first, path)
  }
  const sizes = await missing('/castles/gone')
  assert.ok(sizes.includes(name))
  await rename()
  assert.equal(await missing('/castles/other'), sizes)
})

test('an address without a page is looked at anew each time', async () => {
  assert.equal((await fetch(`${app.url}/castles/later`)).status, 404)
  await catalog.offer({}, { slug: 'later', categoryId: castles.id })
  assert.equal((await fetch(`${app.url}/castles/later`)).status, 200)
})

test('at most 200 pages are kept', async () => {
  const { path } = await newPage()
  const first = await open(path)
  for (const country of COUNTRIES.slice(0, 200)) {
    await open(path, { cookie: `moorage-country=${country}` })
  }
  const name = await rename()
  const again = await open(path)
  assert.notEqual(again, first)
  assert.ok(again.includes(name))
})
