import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { DAY_MS, dayOf, instant, later } from '#lib/time.ts'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'
import { filesInZip } from '#test/zip.ts'

const shop = await deskShop()
const { origin, owner, admin, app } = shop
await admin.patch('/v1/admin/shop', { brand: { primaryColor: '#ffd400' } })

test('staff download the documents and bookings of the month before', { skip }, async () => {
  const now = app.deps.clock.now()
  const lastDay = dayOf(later(instant(`${now.slice(0, 7)}-01T00:00:00Z`), -DAY_MS))
  for (const look of [WIDE, NARROW]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/reports?view=export`)
      const { DESK_PICTURES: folder } = process.env
      if (folder)
        await page.screenshot({ path: `${folder}/export-${look.width}.png`, fullPage: true })
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: look === WIDE ? 'Download ZIP' : /ZIP$/ }).click()
      const download = await saved
      assert.ok(
        download.suggestedFilename().endsWith(`-${lastDay}.zip`),
        download.suggestedFilename(),
      )
      const files = filesInZip(fs.readFileSync(await download.path()))
      assert.ok(files.has('invoices.csv') && files.has('bookings.csv'))
      await page.getByLabel(/First day|Premier jour/).fill('2999-01-01')
      await page.getByRole('button', { name: /ZIP$/ }).click()
      assert.ok((await page.locator('input:invalid').count()) > 0)
    })
  }
})

test('staff export for DATEV once the accounts are confirmed', { skip }, async () => {
  for (const look of [WIDE, NARROW]) {
    await admin.patch('/v1/admin/settings', { accounting: { datevConfirmed: null } })
    const staff = { ...look, email: owner.email, refused: [409] }
    await asStaff(shop, staff, async (page) => {
      await openScreen(page, `${origin}/admin/reports?view=export`)
      await page.getByText('DATEV', { exact: true }).click()
      const { DESK_PICTURES: folder } = process.env
      if (folder)
        await page.screenshot({ path: `${folder}/datev-${look.width}.png`, fullPage: true })
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      await page.getByRole('button', { name: /ZIP$/ }).click()
      const refusal = look === WIDE ? /accounts are not confirmed/ : /comptes de l’export/
      await page.getByText(refusal).first().waitFor()
      const link = page.getByRole('link', { name: /^(Accounts|Comptes)$/ })
      assert.equal(await link.getAttribute('href'), '/admin/settings')
      const confirmed = { datevConfirmed: true, datevConsultant: '29098', datevClient: '55003' }
      await admin.patch('/v1/admin/settings', { accounting: confirmed })
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: /ZIP$/ }).click()
      assert.match((await saved).suggestedFilename(), /^datev-.*\.zip$/)
      await openScreen(page, `${origin}/admin/settings`)
      const consultant = page.locator('[name="accounting.datevConsultant"]')
      assert.equal(await consultant.inputValue(), '29098')
      await consultant.scrollIntoViewIfNeeded()
      if (folder) await page.screenshot({ path: `${folder}/accounts-${look.width}.png` })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    })
  }
})
