import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, enrolPasskey, enrolTotp, PASSWORD } from '#test/accounts.ts'
import { billingShop } from '#test/billing-shop.ts'
import { provisioningIn } from '#test/eggs.ts'
import { formBrowser, hiddenField } from '#test/form-browser.ts'
import { keepSettings } from '#test/settings.ts'
import { shopOf } from '#test/shop.ts'

const shop = await billingShop()
const { app, admin } = shop
const { product, plan } = await shopOf(admin, await provisioningIn(app)).offer(
  {},
  { slug: 'castle', name: 'Castle' },
)

const browser = () => formBrowser(app)

async function atCheckout(email: string) {
  const guest = browser()
  const added = await guest.submit('/cart/items', {
    product: product.slug,
    plan: plan.id,
    name: '',
  })
  assert.deepEqual([added.status, added.location], [303, '/cart'])
  const { text } = await guest.open('/checkout')
  const fields = {
    ...{ name: 'Ada', email, password: PASSWORD, country: 'FR' },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris', company: '', vatNumber: '' },
    method: /name="method" value="([^"]+)"/.exec(text)?.[1] ?? '',
  }
  const form = (page: string, more = {}) => ({
    ...{ ...fields, intent: hiddenField(page, 'intent'), seen: hiddenField(page, 'seen') },
    ...more,
  })
  return { guest, text, form }
}

test('a checkout that was refused for want of consent goes through once consent is given', async () => {
  const { guest, text, form } = await atCheckout('consent@example.org')
  const refused = await guest.submit('/checkout', form(text))
  assert.equal(refused.status, 422)
  assert.match(refused.text, /id="immediateStart"[^>]*aria-invalid="true"/)
  assert.doesNotMatch(refused.text, /correct horse battery/, 'a password is never sent back')
  assert.match(refused.text, /1 Harbour Road/, 'what was typed stays')
  const sent = await guest.submit('/checkout', form(refused.text, { immediateStart: '1' }))
  assert.equal(sent.status, 200, sent.text)
  assert.match(sent.text, /http-equiv="refresh" content="0;url=/)
})

test('whoever opens the address that a form is sent to gets the page with the form', async () => {
  const pages = app.routes.filter(({ url }) => !url.startsWith('/v1') && !url.includes(':'))
  const urls = (wanted: string) =>
    new Set(pages.filter(({ method }) => method === wanted).map(({ url }) => url))
  for (const url of urls('POST')) {
    assert.ok(urls('GET').has(url), `${url} can be opened`)
    const guest = browser()
    let { status, location } = await guest.open(`${url}?lang=fr`)
    if (location) ({ status, location } = await guest.open(location))
    assert.ok(status === 200 || status === 410 || location, `${url} leads to a page: ${status}`)
  }
})

test('what a checkout refuses is said in the language of the page, not of the browser', async () => {
  const guest = browser()
  await guest.open('/?lang=fr')
  await guest.submit('/cart/items', { product: product.slug, plan: plan.id, name: '' })
  const bad = await guest.submit('/cart/coupons', { code: 'NOPE' })
  const { text } = bad.location ? await guest.open(bad.location) : bad
  assert.match(text, /Ce code promo n’existe pas\./)
  const short = {
    name: 'Ada',
    email: 'ada-fr@example.org',
    password: 'short',
    country: 'FR',
    next: '',
  }
  const refused = await guest.submit('/register', short)
  assert.match(refused.text, /doit avoir au moins 10 caractères/)
})

test('a note to the shop stays beside a refusal, and is shown with the order as it was typed', async () => {
  const { guest, text, form } = await atCheckout('note@example.org')
  const note = `<b>Skyblock</b>\r\n${'é'.repeat(480)}`
  const refused = await guest.submit('/checkout', form(text, { note }))
  assert.equal(refused.status, 422)
  assert.match(refused.text, /<details class="promo below" open><summary>Add a note/)
  assert.match(refused.text, /<textarea[^>]*>&lt;b&gt;Skyblock&lt;\/b&gt;\r\né/)
  const sent = await guest.submit('/checkout', form(refused.text, { note, immediateStart: '1' }))
  assert.equal(sent.status, 200, sent.text)
  const { data } = (await admin.get('/v1/admin/orders')).body
  const [order] = data
  assert.equal(order.note, note.replace('\r\n', '\n'))
  const { text: shown } = await guest.open(`/orders/${order.id}`)
  assert.match(shown, /Your note<\/h2><p[^>]*>&lt;b&gt;Skyblock&lt;\/b&gt;\né/)
  assert.match(shown, /Reserved for you until \d+ \w+ \d{4} at \d\d:\d\d UTC\./)
})

test('the return from a provider leads to the page of the payment, in the language of the address', async () => {
  const guest = browser()
  const id = '0190a0a0-0000-7000-8000-000000000000'
  const { status, location } = await guest.open(`/checkout/return?payment=${id}&status=ok&lang=fr`)
  assert.deepEqual([status, location], [303, `/checkout/return/${id}?lang=fr`])
  assert.equal((await guest.open('/checkout/return')).location, '/invoices')
})

test('a checkout that is sent twice orders once', async () => {
  const { guest, text, form } = await atCheckout('twice@example.org')
  const refused = await guest.submit('/checkout', form(text))
  const fields = form(refused.text, { immediateStart: '1' })
  await Promise.all([guest.submit('/checkout', fields), guest.submit('/checkout', fields)])
  const { data } = (await admin.get('/v1/admin/users?search=twice@example.org')).body
  const orders = (await admin.get('/v1/admin/orders?limit=100')).body.data
  const invoices = (await admin.get(`/v1/admin/invoices?userId=${data[0].id}`)).body.data
  const own = orders.filter(({ invoiceId }: { invoiceId: string }) =>
    invoices.some(({ id }: { id: string }) => id === invoiceId),
  )
  assert.deepEqual([invoices.length, own.length], [1, 1])
})

test('a checkout whose session has ended keeps what was typed through the sign-in, for its customer only', async () => {
  const { guest, text, form } = await atCheckout('ended@example.org')
  const typed = { line1: '2 Quay Street', immediateStart: '1' }
  // The first attempt registers the customer and is refused afterwards: the consent is missing.
  await guest.submit('/checkout', form(text))
  const { text: signedIn } = await guest.open('/checkout')
  const fields = form(signedIn, { ...typed, account: hiddenField(signedIn, 'account') })
  await guest.submit('/sign-out', {})
  const sent = await guest.submit('/checkout', fields)
  assert.deepEqual([sent.status, sent.location], [303, '/sign-in?next=/checkout'])
  const draft = guest.cookies.get('moorage-draft') ?? ''
  assert.doesNotMatch(decodeURIComponent(draft), /Quay/, 'the cookie is sealed')

  const other = await atCheckout('other@example.org')
  await other.guest.submit('/checkout', other.form(other.text))
  other.guest.cookies.set('moorage-draft', draft)
  assert.doesNotMatch((await other.guest.open('/checkout')).text, /Quay Street/)
  const foreign = await other.guest.submit('/checkout', fields)
  assert.deepEqual([foreign.status, foreign.location], [303, '/checkout'], 'orders nothing')

  const back = { email: 'ended@example.org', password: PASSWORD, next: '/checkout' }
  assert.equal((await guest.submit('/sign-in', back)).location, '/checkout')
  const resumed = await guest.open('/checkout')
  assert.match(resumed.text, /t-attention.*You are signed in again\. Nothing was charged/s)
  assert.match(resumed.text, /value="2 Quay Street"/)
  assert.equal(guest.cookies.has('moorage-draft'), false)
  const again = form(resumed.text, { ...typed, account: hiddenField(resumed.text, 'account') })
  assert.equal((await guest.submit('/checkout', again)).status, 200)
})

test('a sign-in that is sent twice moves a selection into the cart once', async () => {
  const email = 'moved@example.org'
  await app.post('/v1/auth/register', { email, password: PASSWORD, name: 'Ada', country: 'FR' })
  const guest = browser()
  await guest.submit('/cart/items', { product: product.slug, plan: plan.id, name: 'Keep' })
  const fields = { email, password: PASSWORD, next: '/cart' }
  const before = new Map(guest.cookies)
  assert.equal((await guest.submit('/sign-in', fields)).status, 303)
  for (const [name, value] of before) guest.cookies.set(name, value)
  assert.equal((await guest.submit('/sign-in', fields)).status, 303)
  const { text } = await guest.open('/cart')
  assert.equal(text.match(/<article class="item">/g)?.length, 1)
})

test('a form from another site is refused, and so is one of unknown origin', async () => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: app.url, 'sec-fetch-site': 'cross-site' },
    {},
  ]) {
    const body = new URLSearchParams({ email: 'a@example.org', password: PASSWORD, next: '/' })
    const answer = await fetch(`${app.url}/sign-in`, { method: 'POST', headers, body })
    assert.equal(answer.status, 403, JSON.stringify(headers))
  }
})

test('a sign-in leads within the shop only (hardening 19)', async () => {
  const email = 'inside@example.org'
  await app.post('/v1/auth/register', { email, password: PASSWORD, name: 'Ada', country: 'FR' })
  for (const next of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:1',
  ]) {
    const { status, location } = await browser().submit('/sign-in', {
      email,
      password: PASSWORD,
      next,
    })
    assert.deepEqual([status, location], [303, '/home'], next)
  }
})

test('the session is in a cookie that scripts cannot read, and opens no route of the API', async () => {
  const email = 'cookie@example.org'
  await app.post('/v1/auth/register', { email, password: PASSWORD, name: 'Ada', country: 'FR' })
  const answer = await fetch(`${app.url}/sign-in`, {
    ...{ method: 'POST', redirect: 'manual', headers: { origin: app.url } },
    body: new URLSearchParams({ email, password: PASSWORD, next: '/' }),
  })
  const [line = ''] = answer.headers.getSetCookie()
  assert.match(line, /^moorage=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  const cookie = line.split(';')[0] ?? ''
  assert.equal((await app.get('/v1/users/me', { headers: { cookie } })).status, 401)
})

test('what is not there is a page that says so, and an unknown path of the API stays JSON', async () => {
  const missing = await fetch(`${app.url}/no-such-game`)
  assert.equal(missing.status, 404)
  assert.match(missing.headers.get('content-type') ?? '', /^text\/html/)
  const api = await app.get('/v1/nowhere')
  assert.deepEqual([api.status, api.body.code], [404, 'not_found'])
})

test('a shop without a logo has the first letter of its name as its icon', async (t) => {
  const { text } = await browser().open('/')
  assert.match(text, /<link rel="icon" href="\/favicon\.svg">/)
  const { body: before } = await admin.get('/v1/admin/shop')
  t.after(() => admin.patch('/v1/admin/shop', { brand: { name: before.brand.name } }))
  const named = await admin.patch('/v1/admin/shop', { brand: { name: '<Island' } })
  assert.equal(named.status, 200, named.text)
  const icon = await fetch(`${app.url}/favicon.svg`)
  assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
  assert.match(await icon.text(), /^<svg xmlns=.*fill="#[0-9a-f]{6}">&lt;<\/text><\/svg>$/)
})

test('names and texts of a shop are text on its pages, never markup', async () => {
  const evil = '<img src=x onerror=alert(1)>'
  await shopOf(admin, await provisioningIn(app)).offer(
    {},
    { slug: 'evil', name: evil, description: evil },
  )
  for (const path of ['/', '/p/evil']) {
    const { text } = await browser().open(path)
    assert.doesNotMatch(text, /<img src=x/)
    assert.match(text, /&lt;img src=x/)
  }
})

test('a sign-in asks for the second factor, and takes a code or a passkey', async () => {
  const ada = await account(app)
  const totp = await enrolTotp(app, ada.me)
  const { device } = await enrolPasskey(ada.me, new URL(app.deps.config.publicUrl).origin)
  const fields = { email: ada.email, password: PASSWORD, next: '/cart' }

  const asked = await browser().submit('/sign-in', fields)
  assert.equal(asked.status, 200)
  const mfaToken = hiddenField(asked.text, 'mfaToken')
  const guest = browser()
  const step = { mfaToken, passkey: '1', next: '/cart' }
  const wrong = await guest.submit('/sign-in/code', { ...step, code: '000000' })
  assert.equal(wrong.status, 401)
  assert.equal(hiddenField(wrong.text, 'mfaToken'), mfaToken)
  const right = await guest.submit('/sign-in/code', { ...step, code: totp.code(30) })
  assert.deepEqual([right.status, right.location], [303, '/cart'])
  assert.ok(guest.cookies.has('moorage'))

  const again = hiddenField((await browser().submit('/sign-in', fields)).text, 'mfaToken')
  const { body: options } = await app.post('/v1/auth/passkeys/options', { mfaToken: again })
  const shown = { response: JSON.stringify(device.get(options)), mfaToken: again, next: '/cart' }
  const byPasskey = await browser().submit('/sign-in/passkey', shown)
  assert.deepEqual([byPasskey.status, byPasskey.location], [303, '/cart'])
  const none = await browser().submit('/sign-in/passkey', { response: '[]', next: '/' })
  assert.equal(none.status, 401)
})

test('signing out ends the session of the cookie', async () => {
  const ada = await account(app)
  const guest = browser()
  await guest.submit('/sign-in', { email: ada.email, password: PASSWORD, next: '/' })
  const refreshToken = guest.cookies.get('moorage') ?? ''
  assert.equal((await guest.submit('/sign-out', {})).status, 303)
  assert.equal(guest.cookies.has('moorage'), false)
  assert.equal((await app.post('/v1/auth/refresh', { refreshToken })).status, 401)
})

test('a sign-up takes company, address and phone, and shows them again beside what is wrong', async () => {
  const visitor = browser()
  const fields = {
    ...{ name: 'Ada', email: 'company@example.org', password: PASSWORD, country: 'FR' },
    ...{ company: 'Ada SARL', vatNumber: 'DE1', phone: '+33 1 23 45 67 89' },
    ...{ line1: '1 Quay', postcode: '75001', city: 'Paris', next: '' },
  }
  const wrong = await visitor.submit('/register', fields)
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /<details open>/)
  assert.match(wrong.text, /value="Ada SARL"/)
  const sent = await visitor.submit('/register', { ...fields, vatNumber: 'FR40303265045' })
  assert.equal(sent.status, 303, sent.text)
  const { data } = (await admin.get('/v1/admin/users?search=company@example.org')).body
  const { company, phone, address } = (await admin.get(`/v1/admin/users/${data[0].id}`)).body
  assert.deepEqual([company, phone, address.city], ['Ada SARL', '+33 1 23 45 67 89', 'Paris'])
})

test('a shop that is closed to new accounts says so, and sends guests of the checkout to the sign-in', async (t) => {
  const { guest } = await atCheckout('closed@example.org')
  await keepSettings(app, 'registration', { mode: 'inviteOnly' })
  t.after(() => keepSettings(app, 'registration', { mode: 'open' }))
  const closed = await guest.open('/register')
  assert.equal(closed.status, 403)
  assert.match(closed.text, /invited people only/)
  const { status, location } = await guest.open('/checkout')
  assert.deepEqual([status, location], [303, '/sign-in?next=/checkout'])
  const invited = await guest.open('/register?next=/i/some-token')
  assert.match(invited.text, /name="password"/)
})
