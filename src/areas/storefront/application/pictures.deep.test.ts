import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { pngOf } from '#test/images.ts'

const shop = await deskShop()
const { origin, owner, admin, productId } = shop
const { body: category } = await admin.post('/v1/admin/categories', {
  ...{ name: 'Castles', slug: 'castles' },
})
await admin.patch(`/v1/admin/products/${productId}`, { categoryId: category.id })
await shop.server({ name: 'Without a picture', categoryId: category.id })
const { body: product } = await admin.get(`/v1/admin/products/${productId}`)

const WORDS = {
  en: {
    ...{ saved: 'Picture saved', alt: 'Description of the picture' },
    ...{ remove: 'Remove', edit: 'Edit the category Castles', drop: 'Delete category' },
    ...{ confirm: 'Delete category', archive: 'Archived products', restore: 'Restore: Castles' },
  },
  fr: {
    ...{ saved: 'Image enregistrée', alt: 'Description de l’image', remove: 'Retirer' },
    ...{ edit: 'Modifier la catégorie Castles', drop: 'Supprimer la catégorie' },
    ...{ confirm: 'Supprimer la catégorie', archive: 'Produits archivés' },
    ...{ restore: 'Restaurer: Castles' },
  },
}

/** A picture that is larger than the shop takes. */
const LARGE = { name: 'a.png', mimeType: 'image/png', buffer: pngOf({ width: 2400, height: 1200 }) }

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look === WIDE ? 'en' : 'fr']
  test(`staff give products and categories pictures, which the shop shows at ${look.width} px`, {
    skip,
  }, async () => {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const upload = async () => {
        await page.locator('input[type=file]').setInputFiles(LARGE)
        await page.locator('.shop-picture').waitFor()
      }
      await openScreen(page, `${origin}/admin/products/${productId}`)
      await upload()
      await page.getByText(words.saved).first().waitFor()
      await page.getByLabel(words.alt).fill('A castle at night')
      await page.getByLabel(words.alt).press('Enter')
      await page.getByRole('img', { name: 'A castle at night' }).waitFor()
      await assertWellMade(page, `product-picture-${look.width}`)

      await openScreen(page, `${origin}/admin/products`)
      await page.getByRole('button', { name: words.edit }).click()
      await upload()
      await assertWellMade(page, `category-picture-${look.width}`)
      await page.keyboard.press('Escape')
    })
    const { image } = (await admin.get(`/v1/admin/products/${productId}`)).body
    assert.deepEqual([image.width, image.height, image.alt], [1600, 800, 'A castle at night'])

    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await page.goto(`${origin}/castles/${product.slug}`)
      await page.getByRole('img', { name: 'A castle at night' }).waitFor()
      assert.equal(await page.evaluate("document.querySelector('.shown').naturalWidth"), 1600)
      const structured = await page
        .locator('script[type="application/ld+json"]')
        .first()
        .innerText()
      assert.equal(JSON.parse(structured).image, origin + image.url)
      await assertWellMade(page, `shop-product-${look.width}`)
      await page.goto(`${origin}/castles`)
      assert.equal(await page.locator('.pick .own').count(), 1)
      assert.equal(await page.locator('.opts > .shown').count(), 1)
      assert.equal(await page.locator('.ph .own').count(), 1)
      await assertWellMade(page, `shop-category-${look.width}`)
    })

    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/products/${productId}`)
      await page.getByRole('button', { name: words.remove, exact: true }).click()
      await page.locator('.shop-picture').waitFor({ state: 'detached' })
      await openScreen(page, `${origin}/admin/products`)
      await page.getByRole('button', { name: words.edit }).click()
      await page.getByRole('button', { name: words.remove, exact: true }).click()
      await page.locator('.shop-picture').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: words.drop }).click()
      await page.getByRole('dialog').last().getByRole('button', { name: words.confirm }).click()
      await page.getByRole('dialog').first().waitFor({ state: 'detached' })
      await page.getByRole('link', { name: words.archive }).click()
      await page.getByRole('button', { name: words.restore }).waitFor()
      await assertWellMade(page, `archived-categories-${look.width}`)
      await page.getByRole('button', { name: words.restore }).click()
      await page.getByRole('button', { name: words.restore }).waitFor({ state: 'detached' })
    })
    const { categoryId } = (await admin.get(`/v1/admin/products/${productId}`)).body
    assert.equal(categoryId, category.id)
  })
}
