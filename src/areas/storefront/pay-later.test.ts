import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { type FormBrowser, formBrowser, hiddenField } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { PASSWORD } from '#test/relying-party.ts'

const shop = await gameShop()
const { app, provider } = shop
const games = await shop.catalog.category({ name: 'Minecraft', slug: 'minecraft' })
const { plan } = await shop.server({ name: 'Small', slug: 'small', categoryId: games.id })

/** Buys a server as a guest as far as the provider's page; answers its address. */
async function toProvider(visitor: FormBrowser, email: string): Promise<string> {
  const item = { product: 'small', plan: plan.id, name: 'Castle' }
  await visitor.submit('/cart/items', item)
  const page = await visitor.open('/checkout')
  const { status, text } = await visitor.submit('/checkout', {
    intent: hiddenField(page.text, 'intent'),
    seen: hiddenField(page.text, 'seen'),
    ...{ name: 'Ada', email, password: PASSWORD },
    ...{ line1: '1 Harbour Road', postcode: '75001', city: 'Paris', country: 'FR' },
    ...{ method: `gateway:${shop.gatewayId}`, immediateStart: '1' },
  })
  assert.equal(status, 200, text)
  return providerIn(text)
}

function providerIn(text: string): string {
  const url = /href="([^"]+)" rel="noreferrer"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.ok(url.startsWith(provider.url), text)
  return url
}

/** Presses Cancel on the provider's page; answers the page of the payment that a browser then shows. */
async function leave(visitor: FormBrowser, url: string): Promise<string> {
  const body = new URLSearchParams({ card: '', action: 'cancel' })
  const left = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  const back = await fetch(left.headers.get('location') ?? '', { redirect: 'manual' })
  const { pathname, search } = new URL(back.headers.get('location') ?? '')
  assert.match(pathname + search, /^\/checkout\/return\?payment=.*status=open/)
  const { location } = await visitor.open(pathname + search)
  assert.match(String(location), /^\/checkout\/return\/[\w-]+$/)
  return String(location)
}

test('who leaves the page of the provider can pay the order on the page they come back to', async () => {
  const visitor = formBrowser(app)
  const back = await leave(visitor, await toProvider(visitor, 'left@example.org'))
  const { status, text } = await visitor.open(back)
  assert.equal(status, 200)
  assert.match(text, /Your order is not paid yet/)
  assert.doesNotMatch(text, /Nothing needs to be pressed|http-equiv="refresh"/)
  assert.match(text, /href="\/orders\/[^"]+">See my order/)
  const again = await visitor.submit('/checkout/pay', {
    invoice: hiddenField(text, 'invoice'),
    method: `gateway:${shop.gatewayId}`,
  })
  await shop.complete(providerIn(again.text))
  const paid = await until('the payment is known', async () => {
    const { location } = await visitor.open(back)
    return location
  })
  assert.match(paid, /^\/orders\//)
})

test('the page of an unpaid order has a form that pays it, until a payment is under way', async () => {
  const visitor = formBrowser(app)
  const back = await leave(visitor, await toProvider(visitor, 'unpaid@example.org'))
  const order = /href="(\/orders\/[^"]+)"/.exec((await visitor.open(back)).text)?.[1] ?? ''
  const page = await visitor.open(order)
  assert.match(page.text, /Your order waits for its payment/)
  assert.match(page.text, /action="\/checkout\/pay"/)
  assert.match(page.text, /Pay €1[02]\.00/)
  const { text } = await visitor.submit('/checkout/pay', {
    invoice: hiddenField(page.text, 'invoice'),
    method: `gateway:${shop.gatewayId}`,
  })
  // A debit from a bank account takes days: nobody is to pay twice.
  await shop.complete(providerIn(text), { card: 'AT611904300234573201' })
  const waiting = await until('the payment is under way', async () => {
    const { text: shown } = await visitor.open(order)
    return shown.includes('/checkout/pay') ? null : shown
  })
  assert.match(waiting, /Your order waits for its payment/)
})

test('a declined payment says why in the language of the page, and another way is chosen', async () => {
  const visitor = formBrowser(app)
  const url = await toProvider(visitor, 'declined@example.org')
  const id = (await leave(visitor, url)).split('/').at(-1)
  const failed = { state: 'failed' as const, failureKey: 'payment.insufficient_funds' }
  const endedAt = app.deps.clock.now()
  await shop.inLedger((tx) =>
    tx
      .updateTable('billing.payment_attempts')
      .set({ ...failed, endedAt })
      .where('id', '=', String(id))
      .execute(),
  )
  const { text } = await visitor.open(`/checkout/return/${id}?lang=fr`)
  assert.match(text, /Le paiement n’a pas abouti/)
  assert.match(text, /Payer autrement/)
  assert.match(text, /Le solde du compte bancaire est insuffisant/)
})
