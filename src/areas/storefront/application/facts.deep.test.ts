import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'

const shop = await deskShop()
const { origin, owner, admin, app } = shop
const { tenantId } = app
await admin.patch('/v1/admin/shop', { brand: { primaryColor: '#ffd400' } })
const grace = await person(app, { name: 'Grace Hopper' })
const FACTS = [
  ['Notes', 'Pays late.\nCall first.'],
  ['Discord ID', '80351110224678912'],
  ['Contact', 'Bo Accountant, books@example.com'],
] as const
await transact(app.deps.database.of(tenantId), (tx) =>
  tx
    .insertInto('users.facts')
    .values(
      FACTS.map(([label, text], position) => {
        return { tenantId, id: newId(), userId: grace.userId, position, label, text }
      }),
    )
    .execute(),
)

test('staff see what an import knew of a person, and delete an entry', { skip }, async () => {
  for (const look of [WIDE, NARROW]) {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/people/${grace.userId}`)
      const fact = page.getByText('books@example.com')
      await fact.scrollIntoViewIfNeeded()
      const { DESK_PICTURES: folder } = process.env
      if (folder) await page.screenshot({ path: `${folder}/facts-${look.width}.png` })
      assert.deepEqual(await violationsOf(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
      const label = look === WIDE ? 'Discord ID' : 'Notes'
      const verb = look === WIDE ? 'Delete' : 'Supprimer'
      await page.getByRole('button', { name: `${verb} ${label}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: verb }).click()
      await page.getByRole('button', { name: `${verb} ${label}` }).waitFor({ state: 'detached' })
    })
  }
  const { body } = await admin.get(`/v1/admin/users/${grace.userId}/facts`)
  assert.deepEqual(
    body.data.map((it: { label: string }) => it.label),
    ['Contact'],
  )
})
