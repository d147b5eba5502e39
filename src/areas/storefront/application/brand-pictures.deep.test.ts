import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'
import { pngOf } from '#test/images.ts'

const shop = await deskShop()
const { origin, owner, admin } = shop

const WORDS = {
  en: {
    removes: ['Remove the logo', 'Remove the dark logo', 'Remove the icon'],
  },
  fr: {
    removes: ['Retirer le logo', 'Retirer le logo sombre', 'Retirer l’icône'],
  },
}
const FIELDS = ['logoUrl', 'darkLogoUrl', 'faviconUrl']

for (const look of [WIDE, NARROW]) {
  const { removes } = WORDS[look === WIDE ? 'en' : 'fr']
  test(`staff upload the logos and the icon, see them on both grounds and remove them at ${look.width} px`, {
    skip,
  }, async () => {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const { DESK_PICTURES: folder } = process.env
      await openScreen(page, `${origin}/admin/brand`)
      for (const [at, remove] of removes.entries()) {
        const buffer = pngOf({ width: 64 + at, height: 64 })
        const file = { name: 'a.png', mimeType: 'image/png', buffer }
        await page.locator('input[type=file]').nth(at).setInputFiles(file)
        await page.getByRole('button', { name: remove, exact: true }).waitFor()
      }
      const { pictures } = (await admin.get('/v1/admin/shop')).body
      const urls = FIELDS.map((field) => pictures[field])
      const shown = await page
        .locator('.brand-sample img')
        .evaluateAll((all) => all.map((it) => it.getAttribute('src')))
      assert.deepEqual(shown, [urls[0], urls[2], urls[1], urls[2]])
      for (const scheme of ['light', 'dark']) {
        await page.evaluate(`localStorage.setItem('scheme', '${scheme}')`)
        await openScreen(page, `${origin}/admin/brand`)
        if (folder) {
          const path = `${folder}/brand-${look.width}-${scheme}.png`
          await page.screenshot({ path, fullPage: true })
        }
        assert.deepEqual(await violationsOf(page), [])
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
        const dark = page.locator('img.dark-logo:visible')
        const light = page.locator('img.light-logo:visible')
        const counted = [(await light.count()) > 0, (await dark.count()) > 0]
        assert.deepEqual(counted, [scheme === 'light', scheme === 'dark'], 'the desk')
        await page.goto(origin)
        const inShop = [(await light.count()) > 0, (await dark.count()) > 0]
        assert.deepEqual(inShop, counted, 'the shop')
        if (folder) await page.screenshot({ path: `${folder}/shop-${look.width}-${scheme}.png` })
        assert.deepEqual(await violationsOf(page), [])
      }
      await openScreen(page, `${origin}/admin/brand`)
      for (const remove of removes) {
        await page.getByRole('button', { name: remove, exact: true }).click()
        await page.getByRole('button', { name: remove, exact: true }).waitFor({ state: 'detached' })
      }
    })
    const { pictures } = (await admin.get('/v1/admin/shop')).body
    assert.deepEqual(
      FIELDS.map((field) => pictures[field]),
      [null, null, null],
    )
  })
}
