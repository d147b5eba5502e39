import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areas } from '#app/areas.ts'
import {
  asStaff,
  deskShop,
  NARROW,
  openScreen,
  screensOf,
  violationsOf,
  WIDE,
  skip as withoutBrowser,
} from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

/** Minutes of a browser: walked by hand, with WALK=1. */
const skip = process.env.WALK ? withoutBrowser : 'WALK=1 walks every screen'

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

const PERMISSIONS = areas.flatMap(({ permissions: own = [] }) => own.map(({ key }) => key))
const SLICES = 8

test('there are permissions to walk with', () => {
  assert.ok(PERMISSIONS.length > 20)
})

for (let slice = 0; slice < SLICES; slice += 1) {
  const some = PERMISSIONS.filter((_, index) => index % SLICES === slice)
  test(`with one permission alone, every screen renders without a refused request: ${some.join(', ')}`, {
    skip,
  }, async () => {
    for (const permission of some) {
      const clerk = await person(app, { permissions: [permission] })
      await givePassword(app, clerk.userId)
      await asStaff(shop, { ...WIDE, email: clerk.email }, async (page, refusals) => {
        for (const screen of SCREENS) {
          await openScreen(page, origin + screen)
          assert.deepEqual(refusals, [], `${permission} on ${screen}`)
        }
      })
    }
  })
}
