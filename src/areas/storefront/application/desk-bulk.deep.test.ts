import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, unpaid } = shop
await admin.patch('/v1/admin/shop', { brand: { primaryColor: '#ffd400' } })

test('staff mark selected invoices as paid after a look at the result', { skip }, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/invoices`)
    const row = page
      .getByRole('row')
      .filter({ has: page.locator(`a[href$="${unpaid.invoice.id}"]`) })
    await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Mark as paid' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Received through' }).click()
    await page.getByRole('option').first().click()
    await dialog.getByLabel('Reference').fill('Statement 12')
    await dialog.getByRole('button', { name: 'Show the result first' }).click()
    await assertWellMade(page, 'bulk-paid-1440')
    await dialog.getByRole('button', { name: 'Mark as paid (1)' }).click()
    await dialog.getByRole('button', { name: 'Close' }).last().waitFor()
    await dialog.getByRole('button', { name: 'Mark as paid (1)' }).waitFor({ state: 'detached' })
  })
  const { body } = await admin.get(`/v1/admin/invoices/${unpaid.invoice.id}`)
  assert.equal(body.status, 'paid')
})

test('staff generate many coupon codes and save them as CSV', { skip }, async () => {
  for (const look of [WIDE, NARROW]) {
    const isWide = look === WIDE
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/coupons`)
      await page
        .getByRole('button', { name: isWide ? 'Generate codes' : 'Générer des codes' })
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(isWide ? 'Number of codes' : 'Nombre de codes').fill('20')
      await dialog.getByLabel(isWide ? 'Codes begin with' : 'Début des codes').fill('LAN-')
      await dialog.locator('input[name=percentBasisPoints]').fill('10')
      await assertWellMade(page, `codes-${look.width}`)
      await dialog
        .getByRole('button', {
          name: isWide ? 'Show the result first' : 'Voir d’abord le résultat',
        })
        .click()
      await dialog.getByRole('button', { name: isWide ? 'Create (20)' : 'Créer (20)' }).click()
      const saved = page.waitForEvent('download')
      await dialog
        .getByRole('button', { name: isWide ? 'Save as CSV' : 'Enregistrer en CSV' })
        .click()
      assert.equal((await saved).suggestedFilename(), 'coupons.csv')
      await assertWellMade(page, `codes-made-${look.width}`)
    })
  }
  const { body } = await admin.get('/v1/admin/coupons?limit=100')
  assert.equal(body.data.length, 40)
})

test('staff assign a tax rate to all products after a look at those that change', {
  skip,
}, async () => {
  const { body: rate } = await admin.post('/v1/admin/tax-rates', {
    ...{ name: 'Reduced', country: 'FR', rateBasisPoints: 550, class: 'books' },
  })
  for (const look of [WIDE, NARROW]) {
    const isWide = look === WIDE
    const target = isWide ? rate.id : null
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/tax-rates`)
      await page
        .getByRole('button', { name: isWide ? 'Assign to products' : 'Attribuer à des produits' })
        .click()
      const dialog = page.getByRole('dialog')
      const run = dialog.getByRole('button', { name: isWide ? /^Assign/ : /^Attribuer/ })
      assert.ok(await run.isDisabled(), 'no rate is chosen')
      await dialog.getByRole('combobox', { name: isWide ? 'Rate' : 'Taux' }).click()
      await page
        .getByRole('option', { name: isWide ? 'Reduced (FR)' : 'Taux normal du pays' })
        .click()
      await dialog.getByText('Eight gigabytes').waitFor()
      await assertWellMade(page, `assign-rate-${look.width}`)
      const { data } = (await admin.get('/v1/admin/products?limit=100')).body
      assert.ok(data.some((it: { taxRateId: string | null }) => it.taxRateId !== target))
      await run.click()
      await dialog.waitFor({ state: 'detached' })
    })
    const { data } = (await admin.get('/v1/admin/products?limit=100')).body
    assert.ok(data.every((it: { taxRateId: string | null }) => it.taxRateId === target))
  }
})
