import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBrowser, openPage } from '#test/browser.ts'
import { checkOut } from '#test/checkout.ts'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { addLocation, offerIn } from '#test/locations.ts'
import { givePassword } from '#test/relying-party.ts'
import { signIn, whole } from '#test/screens.ts'

const shop = await deskShop()
const { origin, owner, admin, catalog, eggId, nodeId, app, gatewayId } = shop
const place = (remoteId: string) => [{ nodeId, remoteId }]
const fra = await addLocation(admin, 'Frankfurt', place('1'), { city: 'Frankfurt am Main' })
const sgp = await addLocation(admin, 'Singapore', place('2'), { country: 'SG', position: 1 })
const oslo = await addLocation(admin, 'Oslo', [], { country: 'NO' })
await admin.delete(`/v1/admin/locations/${oslo.id}`)
const where = { catalog, eggId, nodeIds: [nodeId] }
const { product, plan } = await offerIn(where, [fra, sgp])

test('staff see the locations, and change one by keyboard with its places on a panel', {
  skip,
}, async () => {
  for (const look of [WIDE, NARROW]) {
    const isEnglish = look.locale === 'en'
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/locations`)
      await page.getByText('Oslo').waitFor()
      await assertWellMade(page, `locations-${look.width}`)
      await page
        .getByRole('button', { name: isEnglish ? 'Edit Singapore' : 'Modifier Singapore' })
        .focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('combobox', { name: isEnglish ? 'Country' : 'Pays' }).waitFor()
      const places = dialog.getByRole('combobox', {
        name: isEnglish ? 'Locations on the panels' : 'Emplacements sur les panneaux',
      })
      await places.click()
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      await assertWellMade(page, `location-${look.width}`)
    })
  }
})

test('staff add a location, and it can be chosen in a product', { skip }, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/locations`)
    await page.getByRole('button', { name: 'Add location' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Paris')
    await dialog.getByRole('combobox', { name: 'Country' }).fill('France')
    await page.getByRole('option', { name: 'France', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Locations on the panels' }).click()
    await page.getByRole('option').first().click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Location saved').waitFor()
    await openScreen(page, `${origin}/admin/products/${product.id}`)
    await page.getByRole('combobox', { name: 'Locations' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Paris' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Product saved').waitFor()
    await assertWellMade(page, 'product-locations-1440')
  })
  const { body } = await admin.get(`/v1/admin/products/${product.id}`)
  assert.equal(body.locations.length, 3)
})

test('a buyer chooses a location on the order form, and finds it with the server', {
  skip,
}, async () => {
  const buyer = await shop.customer()
  await givePassword(app, buyer.userId)
  await buyer.post('/v1/cart/items', { planId: plan.id, locationId: sgp.id })
  const { body: placed } = await checkOut(buyer, { gatewayId })
  await shop.complete(placed.payment.redirectUrl)
  const service = await shop.serviceBecame(buyer, 'active')
  for (const { locale, colorScheme, width } of [WIDE, NARROW]) {
    await inBrowser(async (browser) => {
      const viewport = { width, height: 900 }
      const look = { locale: locale === 'en' ? 'en-GB' : 'fr-FR', colorScheme, viewport } as const
      const { page, faults } = await openPage(browser, look)
      await page.goto(`${origin}/p/${product.slug}`)
      const choice = page.getByRole('group', { name: locale === 'en' ? 'Location' : 'Emplacement' })
      await choice.getByRole('radio').first().focus()
      await page.keyboard.press('Space')
      assert.equal(await choice.getByRole('radio', { name: /Frankfurt/ }).isChecked(), true)
      await assertWellMade(page, `order-form-locations-${width}`)
      await signIn(page, origin, buyer.email)
      await page.goto(`${origin}/servers/${service.id}`)
      await whole(page)
      await page.getByText('Singapore').first().waitFor()
      await assertWellMade(page, `server-location-${width}`)
      assert.deepEqual(faults, [], 'the console stays empty')
    })
  }
})

test('staff set what a location costs more, and see it again', { skip }, async () => {
  for (const look of [WIDE, NARROW]) {
    const isEnglish = look.locale === 'en'
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/locations`)
      const name = isEnglish ? 'Surcharges for Frankfurt' : 'Suppléments pour Frankfurt'
      await page.getByRole('button', { name }).click()
      const dialog = page.getByRole('dialog')
      const add = isEnglish ? 'Add surcharge' : 'Ajouter un supplément'
      await dialog.getByRole('button', { name: add }).click()
      const label = isEnglish ? 'Surcharge per period' : 'Supplément par période'
      await dialog
        .getByLabel(label)
        .last()
        .fill(isEnglish ? '2.50' : '3,50')
      if (!isEnglish) {
        await dialog.getByRole('combobox', { name: 'Périodicité' }).last().click()
        await page.getByRole('option', { name: 'année', exact: false }).click()
      }
      await assertWellMade(page, `surcharges-${look.width}`)
      await dialog.getByRole('button', { name: isEnglish ? 'Save' : 'Enregistrer' }).click()
      await page.getByText(isEnglish ? 'Surcharges saved' : 'Suppléments enregistrés').waitFor()
    })
  }
  const { body } = await admin.get(`/v1/admin/locations/${fra.id}/prices`)
  assert.deepEqual(
    body.prices.map((it: { interval: string; priceCents: number }) => [it.interval, it.priceCents]),
    [
      ['month', 250],
      ['year', 350],
    ],
  )
})
