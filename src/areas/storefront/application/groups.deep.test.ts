import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'

const shop = await deskShop()
const { origin, owner, admin, app } = shop
await admin.post('/v1/admin/rbac/roles', { name: 'Bookkeeping', permissions: ['reports:read'] })
const member = await person(app, { name: 'Grace Hopper', email: 'grace@example.org' })

test('staff make a group with a role and a member, and see what the member may do through it', {
  skip,
}, async () => {
  for (const look of [WIDE, NARROW]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      const isFrench = look.locale === 'fr'
      const sound = (name: string) => assertWellMade(page, `${name}-${look.width}`)
      await openScreen(page, `${origin}/admin/roles`)
      await page.getByRole('button', { name: isFrench ? 'Nouveau groupe' : 'New group' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('[name="name"]').fill(isFrench ? 'Comptabilité' : 'Accounting')
      await dialog
        .getByLabel(isFrench ? 'Rôles' : 'Roles', { exact: true })
        .first()
        .click()
      await page.getByRole('option', { name: 'Bookkeeping' }).click()
      await dialog
        .getByLabel(isFrench ? 'Membres' : 'Members')
        .first()
        .fill('grace')
      await page.getByRole('option', { name: /Grace Hopper/ }).click()
      await page.keyboard.press('Tab')
      await sound('group')
      await dialog.getByRole('button', { name: isFrench ? 'Enregistrer' : 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: 'Grace Hopper' }).first().waitFor()
      await page.locator('section, .card').last().scrollIntoViewIfNeeded()
      await sound('groups')
    })
  }
  const { body } = await admin.get(`/v1/admin/rbac/users/${member.userId}/access`)
  assert.deepEqual(body.permissions, ['reports:read'])
})
