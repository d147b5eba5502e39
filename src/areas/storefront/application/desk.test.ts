import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, deskShop, openScreen, signIn, skip, WIDE } from '#test/desk.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, ada, failedId, owner, placed, app } = shop

test('the owner finds a customer by the number of an invoice, and retries the failed server by keys alone', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await page.getByRole('link', { name: 'Servers could not be set up' }).waitFor()
    await page.keyboard.press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByRole('textbox').fill(ada.email)
    await palette.getByText(ada.email).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/admin/people/${ada.userId}`)
    await page.getByRole('heading', { level: 1, name: ada.name }).waitFor()
    await page.locator(`a[href="/admin/servers/${failedId}"]`).press('Enter')
    await page.getByRole('heading', { name: 'The product does not say what to install' }).waitFor()
    await page.getByText('does not say what to install.').waitFor()
    await page.getByRole('button', { name: 'Retry here' }).press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Retry', exact: true })
      .press('Enter')
    await page.getByText('The next attempt has started').waitFor()
    await app.eventually('it is active', async () => {
      app.deps.clock.advance(60_000)
      const { body } = await shop.admin.get(`/v1/admin/services/${failedId}`)
      return body.status === 'active'
    })
  })
})

test('staff see the shop as a customer does, under a bar that ends it, and not after a reload', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/people/${ada.userId}`)
    await page.getByRole('button', { name: 'View as customer' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'View as customer' }).click()
    await page.waitForURL(`${origin}/home`)
    await page.getByText(`You see what ${ada.name} sees.`).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.waitForURL(`${origin}/admin/people/${ada.userId}`)
    await page.getByRole('heading', { level: 1, name: ada.name }).waitFor()
  })
})

test('a draft gets a line, is issued, and is paid by a payment that came another way', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/invoices/${shop.draftId}`)
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.getByLabel('Description').last().fill('A second line')
    await page.getByLabel('Unit price, net').last().fill('8,50')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved').waitFor()
    const { body } = await shop.admin.get(`/v1/admin/invoices/${shop.draftId}`)
    assert.equal(body.subtotalCents, 5050)
    await page.getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
    await page.getByText('The invoice was issued').waitFor()
    const issued = (await shop.admin.get(`/v1/admin/invoices/${shop.draftId}`)).body
    assert.equal(issued.status, 'open')
    await page.getByRole('heading', { level: 1, name: issued.number }).waitFor()
  })
})

test('staff are led to the administration, customers from there to their servers', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await page.context().clearCookies()
    await givePassword(app, ada.userId)
    await page.goto(`${origin}/admin/invoices?status=open`)
    assert.equal(new URL(page.url()).searchParams.get('next'), '/admin/invoices?status=open')
    await signIn(page, ada.email)
    await page.waitForURL(`${origin}/home`)
    assert.ok(placed.order.id)
  })
})
