import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin, active } = shop

test('staff keep notes on a service', { skip }, async () => {
  const notes = async () => (await admin.get(`/v1/admin/services/${active.id}/notes`)).body.data
  for (const look of [WIDE, NARROW]) {
    const words =
      look === WIDE
        ? { field: 'New note', add: 'Add the note', remove: /Delete the note/, confirm: 'Delete' }
        : {
            ...{ field: 'Nouvelle note', add: 'Ajouter la note' },
            ...{ remove: /Supprimer la note/, confirm: 'Supprimer' },
          }
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/servers/${active.id}`)
      await page.getByLabel(words.field).fill('Runs a heavy mod pack')
      await page.getByRole('button', { name: words.add }).click()
      await page.getByRole('button', { name: words.remove }).waitFor()
      const [note] = await notes()
      assert.deepEqual([note.text, note.authorName], ['Runs a heavy mod pack', owner.name])
      await assertWellMade(page, `service-notes-${look.width}`)
      await page.getByRole('button', { name: words.remove }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.confirm }).click()
      await page.getByRole('button', { name: words.remove }).waitFor({ state: 'detached' })
    })
    assert.deepEqual(await notes(), [])
  }
})
