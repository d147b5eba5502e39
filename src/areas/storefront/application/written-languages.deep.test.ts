import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, deskShop, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { app, admin, origin, owner } = shop

test('staff add a language to a legal text, and the form begins with the language of the shop', {
  skip,
}, async () => {
  await admin.patch('/v1/admin/shop', { brand: { locale: 'de' } })
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/legal`)
    await page.getByRole('textbox', { name: 'Deutsch' }).waitFor()
    const shown = await page
      .locator('form textarea[lang]')
      .evaluateAll((all) => all.map((it) => it.getAttribute('lang')))
    assert.deepEqual(shown, ['de', 'en', 'fr'])
    await page.getByPlaceholder('Add a language').click()
    await page.getByRole('option', { name: 'Polski' }).click()
    await page.getByRole('textbox', { name: 'Polski' }).fill('Regulamin')
    await page.getByRole('textbox', { name: 'Deutsch' }).fill('Bedingungen')
    assert.deepEqual(await violationsOf(page), [])
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByText('The text is published').waitFor()
  })
  const read = async (locale: string) => {
    const { body } = await app.get(`/v1/legal-texts/terms?locale=${locale}`)
    return [body.language, body.text]
  }
  assert.deepEqual(await read('pl'), ['pl', 'Regulamin'])
  assert.deepEqual(await read('it'), ['de', 'Bedingungen'])
})
