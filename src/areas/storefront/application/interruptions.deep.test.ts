import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request, Route } from 'playwright-core'
import { until } from '#test/app.ts'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { gameShop } from '#test/game-shop.ts'
import type { Person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { signIn } from '#test/screens.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const shop = await gameShop({ config: { port, publicUrl: origin } })
const { plan } = await shop.server()

const PHONE = '+33 1 23 45 67 89'

/** Signs a new customer in. */
async function asCustomer(
  work: (page: Page, customer: Person) => Promise<void>,
  locale = 'en-GB',
): Promise<void> {
  const customer = await shop.customer()
  await givePassword(shop.app, customer.userId)
  await inBrowser(async (browser) => {
    const { page } = await openPage(browser, { locale })
    await signIn(page, origin, customer.email)
    await work(page, customer)
  })
}

/** Types a telephone number into the account's form. */
async function typePhone(page: Page): Promise<void> {
  await page.goto(`${origin}/account`)
  await page.getByLabel('Telephone').fill(PHONE)
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).last().click()

async function isSaved(page: Page, customer: Person): Promise<void> {
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal((await customer.get('/v1/users/me')).body.phone, PHONE)
}

/** What was typed is there, it is not saved, and one more press saves it. */
async function savesAgain(page: Page, customer: Person): Promise<void> {
  assert.equal(await page.getByLabel('Telephone').inputValue(), PHONE)
  assert.equal((await customer.get('/v1/users/me')).body.phone, null)
  await save(page)
  await isSaved(page, customer)
}

/** Something between the browser and the service answers the next change of the account. */
async function interrupt(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  let isOver = false
  await page.route('**/v1/users/me', (route) => {
    if (isOver || route.request().method() !== 'PATCH') return route.continue()
    isOver = true
    return answer(route)
  })
}

test(
  'a session that ends while a form is filled in leads to the sign-in and back, with what was typed',
  {
    skip,
  },
  () =>
    asCustomer(async (page, customer) => {
      await typePhone(page)
      const ended = await customer.delete('/v1/users/me/sessions')
      assert.equal(ended.status, 200, ended.text)
      await save(page)
      await page.waitForURL((url) => url.pathname === '/sign-in')
      await page.locator('input[name=email]').fill(customer.email)
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.locator('form[action="/sign-in"] button:not([type=button])').click()
      await page.waitForURL(`${origin}/account`)
      await savesAgain(page, customer)
    }),
)

test(
  'what is typed while a form is being saved stays, and is saved with the next press',
  {
    skip,
  },
  () =>
    asCustomer(async (page, customer) => {
      await typePhone(page)
      const held = Promise.withResolvers<void>()
      const sent = Promise.withResolvers<void>()
      await interrupt(page, async (route) => {
        sent.resolve()
        await held.promise
        await route.continue()
      })
      await save(page)
      await sent.promise
      await page.getByLabel('Street and number').fill('1 rue du Port')
      held.resolve()
      await isSaved(page, customer)
      assert.equal(await page.getByLabel('Street and number').inputValue(), '1 rue du Port')
      await page.getByLabel('Postcode').fill('13002')
      await page.getByLabel('City').fill('Marseille')
      await save(page)
      await until('the address is saved', async () => {
        const { address, phone } = (await customer.get('/v1/users/me')).body
        return address?.line1 === '1 rue du Port' && phone === PHONE
      })
    }),
)

test('a change that is refused for a moment is sent again by itself', { skip }, () =>
  asCustomer(async (page, customer) => {
    await typePhone(page)
    await interrupt(page, (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '{}' }),
    )
    await save(page)
    await isSaved(page, customer)
  }),
)

for (const [what, answer] of [
  ['a gateway that answers 503', (route: Route) => route.fulfill({ status: 503, body: '<p>' })],
  ['a connection that is cut', (route: Route) => route.abort('connectionreset')],
] as const) {
  test(`after ${what}, the form says so and keeps what was typed`, { skip }, () =>
    asCustomer(async (page, customer) => {
      await typePhone(page)
      await interrupt(page, answer)
      await save(page)
      await page.getByText('The server could not be reached. Try again').waitFor()
      await savesAgain(page, customer)
    }),
  )
}

test(
  'what a proxy answers in place of the service is said in the language of the page',
  {
    skip,
  },
  () =>
    asCustomer(async (page) => {
      for (const [status, said] of [
        [403, 'La demande a été refusée avant d’atteindre le service (statut 403).'],
        [413, 'C’est plus volumineux que ce que le serveur accepte.'],
        [502, 'Le serveur est injoignable. Réessayez'],
      ] as const) {
        await page.goto(`${origin}/account`)
        await page.getByLabel('Téléphone').fill(PHONE)
        await page.route('**/v1/users/me', (route) =>
          route.request().method() === 'PATCH'
            ? route.fulfill({ status, contentType: 'text/html', body: '<h1>nginx</h1>' })
            : route.continue(),
        )
        await page.getByRole('button', { name: 'Enregistrer', exact: true }).last().click()
        await page.getByText(said).first().waitFor()
        await page.unroute('**/v1/users/me')
      }
    }, 'fr-FR'),
)

test(
  'what is saved without a connection is said to wait, and is saved when the connection is back',
  {
    skip,
  },
  () =>
    asCustomer(async (page, customer) => {
      await typePhone(page)
      await page.context().setOffline(true)
      await save(page)
      await page.getByText('No connection. Trying again.').waitFor()
      assert.equal(await page.getByLabel('Telephone').inputValue(), PHONE)
      await page.context().setOffline(false)
      await isSaved(page, customer)
    }),
)

/** Opens the drawer in which an invoice is paid, and answers its button. */
async function openPay(page: Page, invoiceId: string) {
  await page.goto(`${origin}/invoices/${invoiceId}`)
  await page.getByRole('button', { name: /^Pay €/ }).click()
  return page.getByRole('dialog').getByRole('button', { name: /^Pay €/ })
}

const paymentsOf = async (invoiceId: string) => {
  const { data } = await shop.sdk.paymentIntents.list({ limit: 100 })
  const { data: sessions } = await shop.sdk.checkout.sessions.list({ limit: 100 })
  const isOwn = ({ metadata }: { metadata: Record<string, string> | null }) =>
    metadata?.invoice_id === invoiceId
  return { sessions: sessions.filter(isOwn).length, paid: data.filter(isOwn).length }
}

test('a payment whose answer is lost is begun once', { skip }, () =>
  asCustomer(async (page, customer) => {
    const invoice = await shop.invoice(customer)
    const button = await openPay(page, invoice.id)
    const lost = async (route: Route) => {
      await route.fetch()
      await route.abort('connectionreset')
    }
    await page.route('**/v1/billing/pay', lost, { times: 1 })
    await button.click()
    await page.waitForURL((url) => url.origin === new URL(shop.provider.url).origin)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.waitForURL((url) => url.pathname === `/invoices/${invoice.id}`)
    await shop.became(customer, invoice.id, 'paid')
    assert.deepEqual(await paymentsOf(invoice.id), { sessions: 1, paid: 1 })
  }),
)

test(
  'an invoice that was paid in another tab is not paid again, and the screen says so',
  {
    skip,
  },
  () =>
    asCustomer(async (page, customer) => {
      const invoice = await shop.invoice(customer)
      // Live events would close the drawer before its button is pressed.
      await page.route('**/v1/notifications/stream', (route) => route.abort())
      const button = await openPay(page, invoice.id)
      const path = `/v1/billing/invoices/${invoice.id}/pay`
      const { body: begun } = await customer.post(path, { gatewayId: shop.gatewayId })
      await shop.complete(begun.redirectUrl)
      await shop.became(customer, invoice.id, 'paid')
      await button.click()
      await page.getByText('This invoice is already paid.').waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal((await paymentsOf(invoice.id)).paid, 1)
    }),
)

const STREAM = '**/v1/notifications/stream*'
const POLL_MS = 15_000

/** Opens an unpaid invoice while something answers the stream of notifications, with a clock that tests move. */
async function openUnpaid(page: Page, customer: Person, answer: (route: Route) => Promise<void>) {
  const invoice = await shop.invoice(customer)
  await page.route(STREAM, answer)
  await page.clock.install()
  await page.goto(`${origin}/invoices/${invoice.id}`)
  await page.getByRole('button', { name: /^Pay €/ }).waitFor()
  /** How often the invoice is read within the interval of polling. */
  const polled = async () => {
    const asked: string[] = []
    const note = (request: Request) => asked.push(new URL(request.url()).pathname)
    page.on('request', note)
    await page.clock.fastForward(POLL_MS)
    // Sent after what the timers sent.
    await page.evaluate("fetch('/v1/meta').then((it) => it.text())")
    page.off('request', note)
    return asked.filter((path) => path === `/v1/billing/invoices/${invoice.id}`).length
  }
  return { invoice, polled }
}

for (const [what, answer] of [
  ['is refused', (route: Route) => route.fulfill({ status: 403, json: {} })],
  ['cannot be reached', (route: Route) => route.abort('connectionrefused')],
] as const) {
  test(
    `while the stream of notifications ${what}, a visible screen refreshes every 15 seconds`,
    { skip },
    () =>
      asCustomer(async (page, customer) => {
        const { invoice, polled } = await openUnpaid(page, customer, answer)
        const path = `/v1/billing/invoices/${invoice.id}/pay`
        const { body: begun } = await customer.post(path, { gatewayId: shop.gatewayId })
        await shop.complete(begun.redirectUrl)
        await shop.became(customer, invoice.id, 'paid')
        await page.evaluate(hide(true))
        assert.equal(await polled(), 0, 'a hidden tab reads nothing')
        await page.evaluate(hide(false))
        assert.equal(await polled(), 1)
        await page.locator('h1 + .t-active').waitFor()
      }),
  )
}

test('a screen is not polled any more when the stream of notifications is back', { skip }, () =>
  asCustomer(async (page, customer) => {
    const { polled } = await openUnpaid(page, customer, (route) => route.abort())
    assert.equal(await polled(), 1)
    await page.unroute(STREAM)
    await until('nothing is polled', async () => (await polled()) === 0)
  }),
)

test('servers stay on the screen when the list cannot be read again', { skip }, () =>
  asCustomer(async (page, customer) => {
    await shop.buy(customer, plan.id)
    const { name } = await shop.serviceBecame(customer, 'active')
    await page.route(STREAM, (route) => route.abort())
    await page.clock.install()
    await page.goto(`${origin}/servers`)
    const row = page.getByRole('table').getByRole('link', { name })
    await row.waitFor()
    const read = /\/v1\/services$/
    await page.route(read, (route) => route.fulfill({ status: 500, body: '' }))
    // When the second answer arrives, the first one has been drawn.
    for (let polls = 0; polls < 2; polls += 1) {
      const refused = page.waitForResponse(read)
      await page.clock.fastForward(POLL_MS)
      assert.equal((await refused).status(), 500)
    }
    assert.ok(await row.isVisible())
  }),
)

/** A script that makes a page believe that its tab is hidden or visible. */
const hide = (isHidden: boolean) =>
  `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })`
