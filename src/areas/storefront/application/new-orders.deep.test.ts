import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, admin } = shop

const WORDS = {
  en: {
    ...{ more: 'More actions', create: 'New order', product: 'Product', plan: 'Plan' },
    ...{ place: 'Place the order', total: 'Total', placedBy: 'Placed by' },
  },
  fr: {
    ...{ more: 'Autres actions', create: 'Nouvelle commande', product: 'Produit' },
    ...{ plan: 'Formule', place: 'Passer la commande', total: 'Total', placedBy: 'Passée par' },
  },
} as const

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff order for a customer, and see the price first (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    const customer = await person(shop.app, { country: 'FR' })
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/people/${customer.userId}`)
      await page.getByRole('button', { name: words.more, exact: true }).click()
      await page.getByRole('menuitem', { name: words.create }).click()
      const dialog = page.getByRole('dialog')
      const place = dialog.getByRole('button', { name: words.place })
      for (const label of [words.product, words.plan]) {
        await dialog.getByRole('combobox', { name: label }).click()
        await page.getByRole('option').first().click()
      }
      await dialog.getByText(words.total, { exact: true }).waitFor()
      await assertWellMade(page, `order-new-${look.width}`)
      await place.click()
      await page.waitForURL(/admin\/orders\/[0-9a-f-]{36}$/)
      await page.getByText(words.placedBy).waitFor()
      await assertWellMade(page, `order-made-${look.width}`)
    })
    const { data } = (await admin.get(`/v1/admin/orders?userId=${customer.userId}`)).body
    assert.deepEqual(
      data.map((it: { status: string; placedByStaff: boolean }) => [it.status, it.placedByStaff]),
      [['pending', true]],
    )
  })
}

test('without the permission to place orders there is no button', { skip }, async () => {
  const permissions = ['users:read', 'orders:read', 'store:read']
  const reader = await person(shop.app, { permissions })
  await givePassword(shop.app, reader.userId)
  await asStaff(shop, { ...WIDE, email: reader.email }, async (page) => {
    await openScreen(page, `${origin}/admin/orders`)
    assert.equal(await page.getByRole('button', { name: WORDS.en.create }).count(), 0)
  })
})
