import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#test/app.ts'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, ada, active, placed, app } = shop
const lea = await person(app, { admin: true, name: 'Léa Martin' })
await givePassword(app, lea.userId)
const { planId } = placed.order.items[0]

const WORDS = {
  en: {
    here: 'Also on this page: ',
    writing: 'Writing a reply: ',
    answer: /^Answer to the customer/,
    one: '1 new – show',
    two: '2 new – show',
    columns: 'Columns',
  },
  fr: {
    here: 'Aussi sur cette page : ',
    writing: 'Rédaction d’une réponse en cours : ',
    answer: /^Réponse au client/,
    one: '1 nouveauté – afficher',
    two: '2 nouveautés – afficher',
    columns: 'Colonnes',
  },
} as const

const isOrders = (url: string) => new URL(url).pathname === '/v1/admin/orders'

async function ticketOf(subject: string) {
  // A customer may open only a few tickets in an hour.
  const customer = await person(app)
  const { status, body, text } = await customer.post('/v1/tickets', {
    ...{ subject, body: 'Please help.' },
  })
  assert.equal(status, 201, text)
  return body
}

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]
  const { width } = look

  test(`staff see on a ticket who else reads it and writes a reply, until they leave (${look.locale})`, {
    skip,
  }, async () => {
    const { id } = await ticketOf(`Seen by two ${look.locale}`)
    const url = `${origin}/admin/tickets/${id}`
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, url)
      const present = page.locator('.presence')
      assert.equal(await present.textContent(), '')
      await asStaff(shop, { ...WIDE, email: lea.email }, async (other) => {
        await openScreen(other, url)
        await other.locator('.presence', { hasText: `Also on this page: ${owner.name}` }).waitFor()
        await page.getByText(`${words.here}${lea.name}`).waitFor()
        await assertWellMade(page, `presence-here-${width}`)
        await other.getByLabel(WORDS.en.answer).fill('We look into it.')
        await present.getByText(`${words.writing}${lea.name}`).waitFor()
        assert.equal(await page.getByText(`${words.writing}${lea.name}`).count(), 2)
        await assertWellMade(page, `presence-writing-${width}`)
        await other.getByLabel(WORDS.en.answer).fill('')
        await page.getByText(`${words.here}${lea.name}`).waitFor()
        await other.goto(`${origin}/admin/tickets`)
        await page.getByText(lea.name).waitFor({ state: 'detached' })
      })
      assert.equal(await present.textContent(), '')
    })
  })

  test(`the pages of a person, a service, an order and an invoice show other staff (${look.locale})`, {
    skip,
  }, async () => {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      for (const [kind, id, path] of [
        ['user', ada.userId, 'people'],
        ['service', active.id, 'servers'],
        ['order', placed.order.id, 'orders'],
        ['invoice', placed.invoice.id, 'invoices'],
      ] as const) {
        await openScreen(page, `${origin}/admin/${path}/${id}`)
        const beat = await lea.put('/v1/admin/presence', { kind, id })
        assert.equal(beat.status, 200, beat.text)
        assert.deepEqual(
          beat.body.others.map(({ name }: { name: string }) => name),
          [owner.name],
        )
        await page.getByText(`${words.here}${lea.name}`).waitFor()
        await assertWellMade(page, `presence-${kind}-${width}`)
        await lea.delete(`/v1/admin/presence?kind=${kind}&id=${id}`)
        await page.getByText(lea.name).waitFor({ state: 'detached' })
      }
    })
  })

  test(`the list of tickets counts new ones, and shows them on demand (${look.locale})`, {
    skip,
  }, async () => {
    const before = await ticketOf(`Already shown ${look.locale}`)
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/tickets`)
      await page.getByRole('link', { name: before.subject }).waitFor()
      await ticketOf(`First new ${look.locale}`)
      await page.getByRole('button', { name: words.one }).waitFor()
      await ticketOf(`Second new ${look.locale}`)
      const show = page.getByRole('button', { name: words.two })
      await show.waitFor()
      assert.equal(await page.getByRole('link', { name: `First new ${look.locale}` }).count(), 0)
      await assertWellMade(page, `news-tickets-${width}`)
      await show.click()
      await page.getByRole('link', { name: `Second new ${look.locale}` }).waitFor()
      await show.waitFor({ state: 'detached' })
    })
  })

  test(`the list of orders polls every 30 seconds, and changes entries in place (${look.locale})`, {
    skip,
  }, async () => {
    const held = await shop.order(await shop.customer(), planId)
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await page.clock.install()
      await openScreen(page, `${origin}/admin/orders`)
      const row = page.locator('tr', { hasText: held.order.number })
      const asHeld = await row.textContent()
      const polled = () => page.waitForResponse((it) => isOrders(it.url()))
      const first = polled()
      await page.clock.fastForward(31_000)
      assert.equal((await first).status(), 304)
      await shop.complete(held.payment.redirectUrl)
      await until('it is paid', async () => {
        const { body } = await shop.admin.get(`/v1/admin/orders/${held.order.id}`)
        return body.status === 'fulfilled'
      })
      const fresh = await shop.order(await shop.customer(), planId)
      const second = polled()
      await page.clock.fastForward(31_000)
      assert.equal((await second).status(), 200)
      const show = page.getByRole('button', { name: words.one })
      await show.waitFor()
      assert.notEqual(await row.textContent(), asHeld)
      assert.equal(await page.getByRole('link', { name: fresh.order.number }).count(), 0)
      await assertWellMade(page, `news-orders-${width}`)
      const third = polled()
      await page.clock.fastForward(31_000)
      assert.equal((await third).status(), 304)
      await show.click()
      await page.getByRole('link', { name: fresh.order.number }).waitFor()
      await show.waitFor({ state: 'detached' })
    })
  })
}

for (const [screen, api] of [
  ['invoices', '/v1/admin/invoices'],
  ['servers?view=all', '/v1/admin/services'],
] as const) {
  test(`the list at ${api} polls every 30 seconds, and counts what is new`, { skip }, async () => {
    await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
      await page.clock.install()
      await openScreen(page, `${origin}/admin/${screen}`)
      const polled = () => page.waitForResponse((it) => new URL(it.url()).pathname === api)
      const first = polled()
      await page.clock.fastForward(31_000)
      assert.equal((await first).status(), 304)
      const bought = await shop.order(await shop.customer(), planId)
      await shop.complete(bought.payment.redirectUrl)
      await until('its service is there', async () => {
        const { body } = await shop.admin.get(`/v1/admin/orders/${bought.order.id}`)
        return body.services.length > 0
      })
      const second = polled()
      await page.clock.fastForward(31_000)
      assert.equal((await second).status(), 200)
      const rows = page.locator('tbody tr')
      const before = await rows.count()
      await page.getByRole('button', { name: WORDS.en.one }).click()
      await until('the new entry is shown', async () => (await rows.count()) === before + 1)
    })
  })
}
