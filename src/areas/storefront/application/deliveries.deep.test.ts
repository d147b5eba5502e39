import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '#test/app.ts'
import { asStaff, NARROW, openScreen, settled, skip, violationsOf, WIDE } from '#test/desk.ts'
import { formBrowser } from '#test/form-browser.ts'
import { gameShop } from '#test/game-shop.ts'
import { freePort } from '#test/processes.ts'
import { answers, receiver } from '#test/receiver.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const target = await receiver(null)
const shop = await gameShop({
  config: { port, publicUrl: origin, privateHosts: [target.place] },
})
const { admin, app, catalog } = shop
await givePassword(app, admin.userId)

async function picture(page: Page, name: string): Promise<void> {
  const { DESK_PICTURES: folder } = process.env
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function isFine(page: Page): Promise<void> {
  assert.deepEqual(await violationsOf(page), [])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
}

test('staff set up the delivery by webhook, see what was sent, and send it again', {
  skip,
}, async () => {
  target.on('/deliver', answers(202))
  const draft = await catalog.product({ name: 'Web space', delivery: 'none', provisioning: null })
  const plan = await catalog.plan(draft.id)
  const path = `/v1/admin/products/${draft.id}`
  await asStaff({ origin }, { ...WIDE, email: admin.email }, async (page) => {
    await openScreen(page, `${origin}/admin/products/${draft.id}`)
    await page.getByRole('combobox', { name: 'How it is delivered' }).click()
    await page.getByRole('option', { name: 'By a system of yours' }).click()
    await page.getByLabel('URL of your system').fill(`${target.url}/deliver`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    const shown = page.getByRole('dialog', { name: 'Secret and token' })
    await shown.getByText('whsec_').waitFor()
    await picture(page, 'delivery-secret')
    await isFine(page)
    await shown.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('A test was accepted on').waitFor()
    await picture(page, 'delivery-product')
    await isFine(page)
  })
  const { body: product } = await admin.get(path)
  assert.deepEqual([product.webhook.url, product.publishFaults], [`${target.url}/deliver`, []])
  assert.equal((await admin.post(`${path}/publish`)).status, 200)

  const customer = await shop.customer()
  await givePassword(app, customer.userId)
  const placed = await shop.buy(customer, plan.id)
  const service = await shop.serviceBecame(customer, 'provisioning')
  const visitor = formBrowser(app)
  await visitor.submit('/sign-in', { email: customer.email, password: PASSWORD, next: '' })
  const { text } = await visitor.open(`/orders/${placed.order.id}`)
  assert.match(text, /We are preparing Web space/)
  assert.match(text, /Service delivered/)
  assert.doesNotMatch(text, /Server created|our team/)
  await until('it is accepted', () => target.at('/deliver').length === 2)
  for (const look of [WIDE, NARROW]) {
    await asStaff({ origin }, { ...look, email: admin.email }, async (page) => {
      await openScreen(page, `${origin}/admin/servers/${service.id}`)
      const isWide = look === WIDE
      await page.getByText(isWide ? 'Waiting for the call-back' : 'En attente du rappel').waitFor()
      await page.getByText(isWide ? '1 attempt' : /\d tentatives?/).click()
      await picture(page, `delivery-service-${look.width}`)
      await isFine(page)
      if (!isWide) return
      await page.getByRole('button', { name: 'Send again' }).click()
      await until('it was sent again', () => target.at('/deliver').length === 3)
      await settled(page)
    })
  }
  const [first, second] = target.at('/deliver').slice(1)
  assert.equal(first?.id, second?.id)
})
