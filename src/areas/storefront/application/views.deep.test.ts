import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  asStaff,
  assertWellMade,
  deskShop,
  NARROW,
  openScreen,
  settled,
  skip,
  WIDE,
} from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, app, owner } = shop
const LIST = `${origin}/admin/invoices`

test('a view is saved with the keyboard, opened again with its filter and columns, and shared', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${LIST}?status=paid&sort=oldest`)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'Customer' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Customer' }).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Views' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('No saved views of this list').waitFor()
    await assertWellMade(page, 'views-empty')
    await page.getByRole('menuitem', { name: 'Save this view' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByLabel('Name').fill('Paid')
    await dialog.getByLabel('Share with other staff').press('Space')
    await assertWellMade(page, 'views-save')
    await dialog.getByLabel('Name').press('Enter')
    await page.getByText('View saved').waitFor()
    await dialog.waitFor({ state: 'detached' })

    await openScreen(page, LIST)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitem', { name: 'Customer' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Customer' }).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Paid' }).click()
    await page.waitForURL((url) => url.searchParams.get('status') === 'paid')
    await page.getByRole('columnheader', { name: 'Customer' }).waitFor({ state: 'detached' })
    await settled(page)
    await page.getByRole('button', { name: 'Status: Paid' }).waitFor()

    await page.getByRole('button', { name: 'Views' }).click()
    await page.locator('[role=menuitem][aria-current=true]', { hasText: 'Paid' }).waitFor()
    await assertWellMade(page, 'views-open')
  })
})

test('other staff open a shared view and cannot change it; its owner renames and deletes it', {
  skip,
}, async () => {
  const lea = await person(app, { permissions: ['invoices:read'], name: 'Léa Martin' })
  await givePassword(app, lea.userId)
  const view = { screen: 'invoices', query: 'overdue=true', hiddenColumns: [], shared: true }
  const saved = await owner.post('/v1/admin/views', { ...view, name: 'En retard' })
  assert.equal(saved.status, 201, saved.text)
  await asStaff(shop, { ...NARROW, email: lea.email }, async (page) => {
    await openScreen(page, LIST)
    await page.getByRole('button', { name: 'Vues' }).click()
    const entry = page.getByRole('menuitem', { name: 'En retard' })
    await entry.getByText('Partagée par Nora Petit').waitFor()
    await assertWellMade(page, 'views-shared')
    assert.equal(await page.getByRole('menuitem', { name: 'Gérer mes vues' }).count(), 0)
    await entry.click()
    await page.getByRole('button', { name: 'En retard', pressed: true }).waitFor()
  })
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${LIST}?kind=renewal`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Manage my views' }).click()
    await page.getByRole('button', { name: 'En retard' }).waitFor()
    await assertWellMade(page, 'views-manage')
    await page.getByRole('button', { name: 'En retard' }).click()
    const dialog = page.getByRole('dialog', { name: 'En retard' })
    await dialog.getByLabel('Name').fill('Renewals')
    await dialog.getByLabel('Replace its filters').check()
    await assertWellMade(page, 'views-edit')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('View saved').waitFor()
    const { body } = await owner.get(`/v1/admin/views/${saved.body.id}`)
    assert.deepEqual([body.name, body.query, body.shared], ['Renewals', 'kind=renewal', true])
    await page.getByRole('button', { name: 'Renewals' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the view' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('View deleted').waitFor()
    await page.getByRole('button', { name: 'Renewals' }).waitFor({ state: 'detached' })
    assert.equal((await owner.get(`/v1/admin/views/${saved.body.id}`)).status, 404)
  })
})
