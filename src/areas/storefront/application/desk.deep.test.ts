import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  asStaff,
  deskShop,
  NARROW,
  openScreen,
  screensOf,
  skip,
  violationsOf,
  WIDE,
} from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, app } = shop
const SCREENS = screensOf(shop)

for (const look of [WIDE, NARROW]) {
  test(`every screen of the administration is accessible and fits, ${Object.values(look).join(', ')}`, {
    skip,
  }, async () => {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const found: string[] = []
      for (const screen of SCREENS) {
        await openScreen(page, origin + screen)
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (wide !== 0) found.push(`${screen} scrolls sideways`)
        const { DESK_PICTURES: folder } = process.env
        if (folder) {
          const name = screen.replaceAll(/[^a-z0-9]+/gi, '_')
          await page.screenshot({ path: `${folder}/${look.width}${name}.png`, fullPage: true })
        }
        for (const fault of await violationsOf(page)) found.push(`${screen}: ${fault}`)
      }
      assert.deepEqual(found, [])
    })
  })
}

test('a screen that a person may not open says so, and requests nothing that is refused', {
  skip,
}, async () => {
  const clerk = await person(app, { permissions: ['audit:read'] })
  await givePassword(app, clerk.userId)
  await asStaff(shop, { ...WIDE, email: clerk.email }, async (page, refusals) => {
    for (const screen of SCREENS) {
      await openScreen(page, origin + screen)
      assert.deepEqual(refusals, [], screen)
    }
  })
})
