import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, active } = shop

const OF_ALL = ['/admin', '/admin/gateways', '/home', `/servers/${active.id}`]
const OF_SHOP = ['/', '/cart', '/checkout', '/news']

const frames = (page: Page) => page.locator('.test-frame').count()

test('the frame of test mode stands around every page, and is accessible', { skip }, async () => {
  for (const look of [NARROW, WIDE]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      for (const path of [...OF_ALL, ...OF_SHOP]) {
        if (OF_SHOP.includes(path)) await page.goto(origin + path)
        else await openScreen(page, origin + path)
        assert.equal(await frames(page), 1, path)
        const said = look.locale === 'fr' ? /Mode test/ : /Test mode/
        assert.match(await page.locator('body').innerText(), said, path)
        assert.deepEqual(await violationsOf(page), [], path)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
        const { DESK_PICTURES: folder } = process.env
        const name = path.replaceAll('/', '-').slice(0, 20)
        if (folder) await page.screenshot({ path: `${folder}/test${name}-${look.width}.png` })
      }
    })
  }
})

test('the frame goes when the gateway in test mode is disabled, without a reload', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/gateways`)
    await page.getByRole('button', { name: 'Cards', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Offered in the shop').uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.locator('.test-frame').waitFor({ state: 'detached' })
    await page.goto(origin)
    assert.equal(await frames(page), 0, 'the shop')
  })
})
