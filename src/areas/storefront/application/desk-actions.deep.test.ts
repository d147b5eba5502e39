import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, admin, app } = shop

const statusOf = async (id: string) => (await admin.get(`/v1/admin/invoices/${id}`)).body.status

test('several invoices are voided: first what would happen is shown, then the result of each', {
  skip,
}, async () => {
  const { unpaid, draftId } = shop
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/invoices`)
    for (const id of [unpaid.invoice.id, draftId]) {
      const row = page.locator('tr', { has: page.locator(`a[href="/admin/invoices/${id}"]`) })
      await row.getByRole('checkbox').check()
    }
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Void' }).click()
    const dialog = page.getByRole('dialog', { name: 'Void: 2 items' })
    await dialog.getByText('Possible: 1, no change: 0, refused: 1').waitFor()
    await assertWellMade(page, 'bulk-trial')
    assert.equal(await statusOf(unpaid.invoice.id), 'open', 'nothing has been done yet')
    await dialog.getByLabel('Reason for voiding').fill('Ordered twice')
    await dialog.getByRole('button', { name: 'Void (1)' }).click()
    await dialog.getByText('Done: 1, no change: 0, refused: 1').waitFor()
    await dialog.getByRole('row', { name: /Draft.*Refused/ }).waitFor()
    await assertWellMade(page, 'bulk-result')
    assert.equal(await statusOf(unpaid.invoice.id), 'void')
    assert.equal(await statusOf(draftId), 'draft')
  })
})

test('servers are selected and get free days, once days and a reason are entered and were checked', {
  skip,
}, async () => {
  const { id } = shop.active
  const freeUntil = async () => (await admin.get(`/v1/admin/services/${id}`)).body.freeUntil
  assert.equal(await freeUntil(), null)
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/servers?view=all`)
    const row = page.locator('tr', { has: page.locator(`a[href="/admin/servers/${id}"]`) })
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Give free days' }).click()
    const dialog = page.getByRole('dialog', { name: 'Give free days: 1 item' })
    const check = dialog.getByRole('button', { name: 'Show the result first' })
    assert.equal(await check.isDisabled(), true)
    await dialog.getByLabel('Days (1 to 366)').fill('3')
    await dialog.getByLabel('Reason, a sentence that the customer reads').fill('An outage.')
    await check.click()
    await dialog.getByText('Possible: 1, no change: 0, refused: 0').waitFor()
    await assertWellMade(page, 'free-days')
    assert.equal(await freeUntil(), null, 'nothing has been done yet')
    await dialog.getByRole('button', { name: 'Give free days (1)' }).click()
    await dialog.getByText('Done: 1, no change: 0, refused: 0').waitFor()
    assert.ok(await freeUntil())
    await openScreen(page, `${origin}/admin/servers/${id}`)
    await page.getByText('Free days until').waitFor()
  })
})

test('staff restart the server of a customer, see what another size costs, and order it', {
  skip,
}, async () => {
  const { product } = await shop.server({ name: 'Sixteen gigabytes' }, { priceCents: 3000 })
  await admin.patch(`/v1/admin/products/${shop.productId}`, { upgradeTargetIds: [product.id] })
  const path = `/admin/servers/${shop.active.id}`
  for (const look of [NARROW, WIDE]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, origin + path)
      const french = look.locale === 'fr'
      const before = await shop.panel.calls('POST', /\/power$/)
      await page.getByRole('button', { name: french ? 'Redémarrer' : 'Restart' }).click()
      await app.eventually('the panel was asked', async () => {
        return (await shop.panel.calls('POST', /\/power$/)) > before
      })
      await assertWellMade(page, `server-${look.width}`)
      await page.getByRole('button', { name: french ? 'Autres actions' : 'More actions' }).click()
      await page
        .getByRole('menuitem', { name: french ? 'Changer de taille' : 'Change the size' })
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Sixteen gigabytes').click()
      await dialog.getByText('Total').waitFor()
      await assertWellMade(page, `plan-${look.width}`)
      if (french) return
      await dialog.getByRole('button', { name: 'Change the size' }).click()
      await page.waitForURL('**/admin/invoices/*')
    })
  }
  const { upgrade } = (await admin.get(`/v1${path.replace('servers', 'services')}`)).body
  assert.equal(upgrade.productId, product.id)
})

test('on a phone, all servers that are shown are selected and suspended, and one that is suspended already is told apart', {
  skip,
}, async () => {
  const { active } = shop
  await admin.post(`/v1/admin/services/${active.id}/suspend`, {})
  await asStaff(shop, { ...NARROW, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/servers?view=all`)
    await page.getByRole('checkbox', { name: 'Tout sélectionner' }).check()
    const row = page.locator('tr', { has: page.locator(`a[href="/admin/servers/${active.id}"]`) })
    assert.ok(await row.getByRole('checkbox').isChecked())
    await assertWellMade(page, 'selected-390')
    await page.getByRole('button', { name: 'Suspendre' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/déjà dans cet état : 1/).waitFor()
    await assertWellMade(page, 'bulk-dark-fr')
  })
})

test('a bulk action that every entry would refuse cannot be run, and staff who only read cannot select', {
  skip,
}, async () => {
  const reader = await person(app, { permissions: ['system:read'] })
  await givePassword(app, reader.userId)
  await asStaff(shop, { ...WIDE, email: reader.email }, async (page) => {
    await openScreen(page, `${origin}/admin/mails`)
    await page.getByRole('table').waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
  })
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/mails`)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Resend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('There is no mail server.').first().waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Resend (0)' }).isDisabled())
  })
})
