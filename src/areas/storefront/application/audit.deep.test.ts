import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, ada } = shop
await admin.patch(`/v1/admin/users/${ada.userId}`, { company: 'Analytical Engines' })
await admin.patch('/v1/admin/settings', { billing: { paymentDays: 21 } })
const { name } = (await admin.get(`/v1/admin/users/${ada.userId}`)).body

test('an entry of the audit log names and links its object, and shows values before and after', {
  skip,
}, async () => {
  for (const look of [NARROW, WIDE]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const isFrench = look.locale === 'fr'
      await openScreen(page, `${origin}/admin/audit`)
      const row = page.getByRole('row', { name: /company/ })
      await row.getByRole('button').focus()
      const { DESK_PICTURES: folder } = process.env
      if (folder) await page.screenshot({ path: `${folder}/audit-${look.width}.png` })
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Analytical Engines').waitFor()
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      if (folder) await page.screenshot({ path: `${folder}/audit-entry-${look.width}.png` })
      const link = `${isFrench ? 'Personne' : 'Person'} ${name}`
      await dialog.getByRole('link', { name: link }).click()
      await page.waitForURL(`**/admin/people/${ada.userId}`)
      await openScreen(page, `${origin}/admin/audit?objectId=${ada.userId}&method=PATCH`)
      assert.equal(await page.locator('tbody tr').count(), 1)
    })
  }
})
