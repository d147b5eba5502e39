import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, productId } = shop
const { body: category } = await admin.post('/v1/admin/categories', {
  ...{ name: 'Minecraft', slug: 'minecraft' },
})

for (const look of [WIDE, NARROW]) {
  const isEnglish = look === WIDE
  test(
    `staff write the texts of a product and a category in another language, ${look.width} pixels wide`,
    {
      skip,
    },
    () =>
      asStaff(shop, { ...look, email: owner.email }, async (page) => {
        const label = (english: string, french: string) => (isEnglish ? english : french)
        const pick = async (field: string, name: string) => {
          await page.getByRole('combobox', { name: field, exact: true }).click()
          await page.getByRole('option', { name }).click()
        }
        const choose = (language: string) => pick(label('Language', 'Langue'), language)
        const nameField = page.getByLabel(label('Name in this language', 'Nom dans cette langue'))
        await openScreen(page, `${origin}/admin/products/${productId}`)
        await choose('Deutsch')
        await nameField.fill(`Klein ${look.width}`)
        await pick('Badge', label('Popular', 'Populaire'))
        await assertWellMade(page, `product-texts-${look.width}`)
        await page.keyboard.press('Control+s')
        await shop.app.eventually('it is saved', async () => {
          const { body } = await admin.get(`/v1/admin/products/${productId}`)
          return body.translations.de?.name === `Klein ${look.width}` && body.badge === 'popular'
        })
        await openScreen(page, `${origin}/admin/products`)
        const edit = label('Edit the category Minecraft', 'Modifier la catégorie Minecraft')
        await page.getByRole('button', { name: edit }).click()
        await page.getByRole('dialog').waitFor()
        await choose('Polski')
        await nameField.fill(`Serwery ${look.width}`)
        await assertWellMade(page, `category-texts-${look.width}`)
        await page
          .getByRole('dialog')
          .getByRole('button', { name: label('Save', 'Enregistrer'), exact: true })
          .click()
        await shop.app.eventually('it is saved', async () => {
          const { body } = await admin.get(`/v1/admin/categories/${category.id}`)
          return body.translations.pl?.name === `Serwery ${look.width}`
        })
      }),
  )
}
