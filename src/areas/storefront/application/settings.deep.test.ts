import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin } = shop

const paymentDays = async () =>
  (await admin.get('/v1/admin/settings')).body.values.billing.paymentDays

test('the settings page describes each setting, and sends no value outside of its limits', {
  skip,
}, async () => {
  for (const look of [NARROW, WIDE]) {
    const days = look.locale === 'fr' ? 21 : 30
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const isFrench = look.locale === 'fr'
      const sent: string[] = []
      page.on('request', (it) => it.method() === 'PATCH' && sent.push(it.url()))
      await openScreen(page, `${origin}/admin/settings`)
      const said = isFrench ? 'Délai d’une facture manuelle' : 'Days until a manual invoice'
      await page.getByText(said).waitFor()
      const field = page.locator('[name="billing.paymentDays"]')
      await field.fill('900')
      await page
        .getByText(isFrench ? 'Saisissez une valeur de 0 à 365.' : 'Enter a value from 0 to 365.')
        .waitFor()
      const save = page.getByRole('button', { name: isFrench ? 'Enregistrer' : 'Save' })
      await save.click()
      assert.deepEqual(sent, [])
      assert.equal(await page.evaluate('document.activeElement.name'), 'billing.paymentDays')
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      const { DESK_PICTURES: folder } = process.env
      if (folder) await page.screenshot({ path: `${folder}/settings-${look.width}.png` })
      await field.fill(String(days))
      await save.click()
      await page.getByText(isFrench ? 'Réglages enregistrés' : 'Settings saved').waitFor()
    })
    assert.equal(await paymentDays(), days)
  }
})
