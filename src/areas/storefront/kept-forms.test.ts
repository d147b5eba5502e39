import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PASSWORD } from '#test/accounts.ts'
import { billingShop } from '#test/billing-shop.ts'
import { inBrowser, openPage, withoutBrowser as skip, violationsOf } from '#test/browser.ts'
import { provisioningIn } from '#test/eggs.ts'
import { type FormBrowser, formBrowser } from '#test/form-browser.ts'
import { shopOf } from '#test/shop.ts'

/** Attempts at passwords that one address has: more than the other tests make. */
const ATTEMPTS = 500
const rateLimits = { general: 100_000, auth: ATTEMPTS, person: 100_000 }
const shop = await billingShop({ config: { rateLimits } })
const { app, admin } = shop
const { product, plan } = await shopOf(admin, await provisioningIn(app)).offer(
  {},
  { slug: 'castle', name: 'Castle' },
)

const TYPED = { line1: '1 Harbour Road', postcode: '75001', city: 'Paris', company: 'Ada & Sons' }
/** The database goes away before each one of so many of the connections that a checkout makes. */
const STRIDE = 4
const KEPT = /What you typed is still here\. Send it again in a moment: nothing is ordered/

/** The fields of a form as its page has them, with the boxes that are ticked and the first choice of each group. */
function formIn(text: string, action: string): Record<string, string> {
  const [, form = ''] =
    new RegExp(`<form[^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(text) ?? []
  const fields: Record<string, string> = {}
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const read = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
    const [name, type] = [read('name') ?? '', read('type')]
    if (['radio', 'checkbox'].includes(type ?? '') && !/ checked/.test(tag)) continue
    fields[name] = (read('value') ?? '').replaceAll('&amp;', '&')
  }
  const country = /<option value="([^"]+)" selected>/.exec(form)?.[1]
  return { ...fields, ...(country && { country }) }
}

/** A customer at the checkout with one server in the cart. */
async function customerAtCheckout(email: string): Promise<FormBrowser> {
  const person = formBrowser(app)
  const account = { name: 'Ada', email, password: PASSWORD, country: 'FR', next: '' }
  assert.equal((await person.submit('/register', account)).status, 303)
  await person.submit('/cart/items', { product: product.slug, plan: plan.id, name: '' })
  return person
}

async function ordersOf(email: string): Promise<number> {
  const { data } = (await admin.get(`/v1/admin/users?search=${email}`)).body
  const { body } = await admin.get(`/v1/admin/invoices?userId=${data[0].id}`)
  return body.data.length
}

/** Refuses connections to the database after so many more; returns how to let them through again. */
function cutDatabase(t: TestContext, after = 0): () => number {
  const { pool } = app.deps.database
  const connect = pool.connect.bind(pool)
  let made = 0
  const restore = () => {
    Object.assign(pool, { connect })
    return made
  }
  Object.assign(pool, {
    connect: (...given: Parameters<typeof connect>) => {
      made += 1
      if (made <= after) return connect(...given)
      return Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
    },
  })
  t.after(restore)
  return restore
}

test('wherever the database goes away in a checkout, the page keeps what was typed and the next press orders once', async (t) => {
  let isAway = true
  let cuts = 0
  for (let after = 0; isAway; after += STRIDE) {
    const email = `cut-${after}@example.org`
    const person = await customerAtCheckout(email)
    const { text } = await person.open('/checkout')
    const filled = { ...formIn(text, '/checkout'), ...TYPED, immediateStart: '1' }
    const restore = cutDatabase(t, after)
    let sent = await person.submit('/checkout', filled)
    isAway = restore() > after
    if (!isAway) continue
    if (sent.status >= 400) {
      cuts += 1
      assert.equal(sent.status, 503, `${after}: ${sent.text}`)
      assert.match(sent.text, KEPT)
      const kept = formIn(sent.text, '/checkout')
      for (const [name, value] of Object.entries(filled)) {
        assert.equal(kept[name], value, `${after}: ${name}`)
      }
      sent = await person.submit('/checkout', kept)
      // What a cut connection left locked is free after two minutes; until then the page says so again.
      if (sent.status === 409) {
        assert.match(sent.text, KEPT)
        await app.advance(2 * 60)
        sent = await person.submit('/checkout', formIn(sent.text, '/checkout'))
      }
    }
    assert.ok(
      sent.status < 400,
      `${after}: ${sent.status} ${/role="alert"(?! hidden).*?<\/div>/s.exec(sent.text)?.[0]}`,
    )
    assert.equal(await ordersOf(email), 1, `${after}`)
  }
  assert.ok(cuts > 8, `${cuts} places`)
})

test('a form that is sent while the database is away comes back whole, in the language of its reader', async (t) => {
  const known = formBrowser(app)
  await known.open('/?lang=fr')
  // Nobody has called the shop by this name: not even whose it is can be read.
  const unknown = formBrowser({ url: app.url.replace('127.0.0.1', 'localhost') })
  unknown.cookies.set('moorage-lang', 'fr')
  const signUp = {
    ...{ name: 'Ada <b>', email: 'away@example.org', password: PASSWORD, country: 'FR', next: '' },
    ...{ ...TYPED, vatNumber: '', phone: '' },
  }
  const item = { product: product.slug, plan: plan.id, name: 'Castle of Ada' }
  for (const person of [unknown, known]) {
    for (const [path, fields] of Object.entries({ '/register': signUp, '/cart/items': item })) {
      const restore = cutDatabase(t)
      const sent = await person.submit(path, fields)
      restore()
      assert.equal(sent.status, 503, sent.text)
      assert.match(sent.text, /<html lang="fr"/)
      assert.match(sent.text, /Ce que vous avez saisi est toujours là/)
      assert.ok(!sent.text.includes(PASSWORD), 'a password is never sent back')
      const kept = formIn(sent.text, path)
      for (const [name, value] of Object.entries(fields)) {
        const shown =
          name === 'password' ? '' : value.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
        assert.equal(kept[name], shown, `${path}: ${name}`)
      }
    }
  }
  assert.equal((await known.submit('/register', signUp)).status, 303)
  assert.equal((await known.submit('/cart/items', item)).location, '/cart')
})

test('a page that is opened while the database is away says so in the language of its reader', async (t) => {
  const person = formBrowser(app)
  await person.open('/?lang=fr')
  cutDatabase(t)
  const { status, text } = await person.open('/cart')
  assert.equal(status, 503)
  assert.match(text, /<h1>Une erreur est survenue<\/h1>/)
})

test(
  'a form that a browser cannot send stays on its page, and is sent once the shop can be reached',
  {
    skip,
  },
  () =>
    inBrowser(async (browser) => {
      const { page } = await openPage(browser, { locale: 'fr-FR' })
      await page.goto(`${app.url}/p/castle`)
      const press = () => page.locator('.addcart').click()
      await page.context().setOffline(true)
      await press()
      await page.locator('#away:focus').getByText('La boutique est injoignable').waitFor()
      await page.context().setOffline(false)
      await press()
      await page.waitForURL('**/cart')

      await page.goto(`${app.url}/checkout`)
      const email = 'offline@example.org'
      const typed = { ...TYPED, name: 'Ada', email, password: PASSWORD }
      for (const [name, value] of Object.entries(typed)) {
        await page.locator(`input[name=${name}]`).fill(value)
      }
      await page.locator('input[name=immediateStart]').check()
      const pay = () => page.locator('.summary button.full').click()
      await page.route('**/v1/health/live', (it) => it.fulfill({ status: 502 }))
      await pay()
      await page.locator('#away:focus').waitFor()
      assert.deepEqual(await violationsOf(page), [])
      await page.unroute('**/v1/health/live')
      await page.context().setOffline(true)
      await pay()
      await page.locator('#away:focus').waitFor()
      await page.context().setOffline(false)
      for (const [name, value] of Object.entries(typed)) {
        assert.equal(await page.locator(`input[name=${name}]`).inputValue(), value)
      }
      await pay()
      await page.waitForURL((url) => url.origin === new URL(shop.provider.url).origin)
      assert.equal(await ordersOf(email), 1)
    }),
)

test('an order whose payment provider is away is placed once, however often it is sent', async () => {
  const email = 'provider@example.org'
  const person = await customerAtCheckout(email)
  const { text } = await person.open('/checkout')
  const filled = { ...formIn(text, '/checkout'), ...TYPED, immediateStart: '1' }
  await shop.control('faults', { route: 'POST /v1/checkout/sessions', kind: '500-before', n: 20 })
  const sent = await person.submit('/checkout', filled)
  assert.equal(sent.status, 303, sent.text)
  const waiting = await person.open(sent.location ?? '')
  assert.match(waiting.text, /<h1>Your order waits for its payment<\/h1>/)
  assert.equal((await person.submit('/checkout', filled)).status, 303)
  assert.equal(await ordersOf(email), 1)
})

test('a checkout for another price than the one shown, or after too many attempts, keeps what was typed', async () => {
  const guest = formBrowser(app)
  await guest.submit('/cart/items', { product: product.slug, plan: plan.id, name: '' })
  const { text } = await guest.open('/checkout?lang=fr')
  const who = { name: 'Ada', email: 'price@example.org', password: PASSWORD }
  const asked = formIn(text, '/checkout')
  const filled: Record<string, string> = { ...asked, ...who, ...TYPED, immediateStart: '1' }
  const dearer = await guest.submit('/checkout', { ...filled, seen: '100 EUR' })
  assert.equal(dearer.status, 409)
  const confirmed = formIn(dearer.text, '/checkout')
  const { intent: _intent, seen: _seen, password: _password, ...typed } = filled
  for (const [name, value] of Object.entries(typed)) assert.equal(confirmed[name], value, name)
  for (let tries = 0; tries < ATTEMPTS; tries += 1)
    await app.deps.limiter.spend('auth', '127.0.0.1')
  const busy = await guest.submit('/checkout', { ...filled, ...confirmed, password: PASSWORD })
  assert.equal(busy.status, 429)
  assert.match(busy.text, /Trop d’essais\. Attendez une minute/)
  const kept = formIn(busy.text, '/checkout')
  assert.equal(kept.intent, confirmed.intent, 'it is the same order')
  for (const [name, value] of Object.entries(typed)) assert.equal(kept[name], value, name)
})
