import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import { PASSWORD } from '#test/accounts.ts'
import { billingShop } from '#test/billing-shop.ts'
import { provisioningIn } from '#test/eggs.ts'
import { formBrowser, hiddenField } from '#test/form-browser.ts'
import { hearLinks } from '#test/links.ts'
import { keepSettings } from '#test/settings.ts'
import { shopOf } from '#test/shop.ts'

const links = hearLinks()
const shop = await billingShop({ areas: [...areas, links.area] })
const { app, admin } = shop
const { product, plan } = await shopOf(admin, await provisioningIn(app)).offer(
  {},
  { slug: 'castle', name: 'Castle' },
)
await keepSettings(app, 'registration', { confirmBeforeSession: true })
let made = 0

/** A guest who has filled the checkout and confirms the address first. */
async function sentCheckout(email: string) {
  const guest = formBrowser(app)
  await guest.submit('/cart/items', { product: product.slug, plan: plan.id, name: 'My castle' })
  const { text } = await guest.open('/checkout')
  assert.match(text, /Continue<\/button>/)
  assert.doesNotMatch(text, />Pay /, 'nothing is paid before the address is confirmed')
  const sent = await guest.submit('/checkout', {
    ...{ name: 'Ada', email, password: PASSWORD, country: 'FR', immediateStart: '1' },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris', company: '', vatNumber: '' },
    method: /name="method" value="([^"]+)"/.exec(text)?.[1] ?? '',
    ...{ intent: hiddenField(text, 'intent'), seen: hiddenField(text, 'seen') },
  })
  assert.equal(sent.status, 200, sent.text)
  assert.match(sent.text, /Nothing was ordered or charged yet/)
  assert.ok(!guest.cookies.has('moorage'), 'nobody is signed in')
  return guest
}

function freeAddress(): string {
  made += 1
  return `guest${made}@example.org`
}

/** How many of each item a cart holds. */
async function quantities(browser: Guest): Promise<(string | undefined)[]> {
  const { text } = await browser.open('/cart')
  return [...text.matchAll(/name="quantity"[^>]*value="(\d+)"/g)].map(([, count]) => count)
}

async function ordersOf(email: string): Promise<number> {
  const { data } = (await admin.get(`/v1/admin/users?search=${email}`)).body
  const orders = await admin.get(`/v1/admin/orders?userId=${data[0].id}`)
  return orders.body.data.length
}

type Guest = Awaited<ReturnType<typeof sentCheckout>>

async function confirmIn(browser: Guest, email: string): Promise<string | null> {
  const token = await links.newest(app, 'verify', email)
  const page = await browser.open(`/verify/${token}`)
  assert.match(page.text, /type="password"/)
  assert.match(page.text, new RegExp(`value="${email}"`))
  const wrong = await browser.submit('/verify', { token, email, password: 'not the password' })
  assert.equal(wrong.status, 403)
  assert.match(wrong.text, /The password is not right\./)
  const right = await browser.submit('/verify', { token, email, password: PASSWORD })
  assert.equal(right.status, 303, right.text)
  return right.location
}

/** Orders what the checkout page shows, and answers how it went. */
async function order(browser: Guest) {
  const { text } = await browser.open('/checkout')
  assert.match(text, /1 Harbour Road/)
  assert.match(text, /name="immediateStart" value="1" checked/, 'what was chosen stays')
  assert.match(text, />Pay /)
  return browser.submit('/checkout', {
    ...{ account: hiddenField(text, 'account'), intent: hiddenField(text, 'intent') },
    ...{ seen: hiddenField(text, 'seen'), immediateStart: '1', country: 'FR' },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris' },
    method: /name="method" value="([^"]+)"/.exec(text)?.[1] ?? '',
  })
}

test('a guest confirms the address in the same browser and goes on at the checkout with the cart', async () => {
  const email = freeAddress()
  const guest = await sentCheckout(email)
  assert.equal(await confirmIn(guest, email), '/checkout')
  assert.equal(await ordersOf(email), 0)
  assert.deepEqual(await quantities(guest), ['1'])
  const ordered = await order(guest)
  assert.match(ordered.text, /http-equiv="refresh" content="0;url=/)
  assert.equal(await ordersOf(email), 1)
})

test('a guest who confirms on another device finds the cart there, and it is not doubled when the first one signs in', async () => {
  const email = freeAddress()
  const guest = await sentCheckout(email)
  const phone = formBrowser(app)
  assert.equal(await confirmIn(phone, email), '/checkout')
  const signedIn = await guest.submit('/sign-in', { email, password: PASSWORD, next: '/checkout' })
  assert.equal(signedIn.status, 303)
  for (const browser of [phone, guest]) assert.deepEqual(await quantities(browser), ['1'])
  assert.match((await order(phone)).text, /http-equiv="refresh" content="0;url=/)
  assert.equal(await ordersOf(email), 1)
  const { location } = await guest.open('/checkout')
  assert.equal(location, '/cart', 'nothing is left to buy')
})

test('a guest with a taken address sees the same page, and the owner keeps the cart as it was', async () => {
  const email = freeAddress()
  const owner = await sentCheckout(email)
  await confirmIn(owner, email)
  await order(owner)
  const other = await sentCheckout(email)
  const { text } = await other.open('/cart')
  assert.match(text, /My castle/, 'the cart of the visitor is kept')
  assert.equal((await owner.open('/checkout')).location, '/cart')
})

test('the sign-up page sends a link, which leads to the page that was wanted', async () => {
  const email = freeAddress()
  const guest = formBrowser(app)
  const form = { name: 'Ada', email, password: PASSWORD, country: 'FR', next: '/orders' }
  const sent = await guest.submit('/register', form)
  assert.equal(sent.status, 200)
  assert.match(sent.text, new RegExp(`We have sent a mail to ${email}`))
  const taken = await formBrowser(app).submit('/register', form)
  assert.equal(taken.text, sent.text)
  const signIn = await guest.submit('/sign-in', { email, password: PASSWORD, next: '' })
  assert.equal(signIn.status, 401)
  assert.match(signIn.text, /href="\/verify\/resend"/)
  const token = await links.newest(app, 'verify', email)
  const resent = await guest.submit('/verify/resend', { email })
  assert.match(resent.text, /a link is on its way/)
  await links.newest(app, 'verify', email, token)
  assert.equal(await confirmIn(guest, email), '/orders')
})

test('without the setting a link confirms by its button alone, and opens no session', async (t) => {
  await keepSettings(app, 'registration', { confirmBeforeSession: false })
  t.after(() => keepSettings(app, 'registration', { confirmBeforeSession: true }))
  const email = freeAddress()
  const form = { name: 'Ada', email, password: PASSWORD, country: 'FR', next: '' }
  assert.equal((await formBrowser(app).submit('/register', form)).status, 303)
  const token = await links.newest(app, 'verify', email)
  const other = formBrowser(app)
  assert.doesNotMatch((await other.open(`/verify/${token}`)).text, /type="password"/)
  assert.equal((await other.submit('/verify', { token })).status, 200)
  assert.ok(!other.cookies.has('moorage'))
})
