import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/app.ts'
import { inBrowser, withoutBrowser as skip } from '#test/browser.ts'
import { imported } from '#test/imports.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { smallDump } from '#test/small-whmcs.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const app = await testApp(null, { config: { port, publicUrl: origin } })
const admin = await person(app, { admin: true })
await givePassword(app, admin.userId)

test('staff undo an import on its page, and read there what stands in the way', { skip }, () =>
  inBrowser(async (browser) => {
    const page = await browser.newPage()
    await page.goto(`${origin}/sign-in?lang=en&next=%2Fadmin`)
    await page.locator('input[name=email]').fill(admin.email)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('form[action="/sign-in"] button:not([type=button])').click()
    await page.waitForURL('**/admin*')

    /** Opens an import of the same dump, and confirms to undo it. */
    async function undo(id: string) {
      await page.goto(`${origin}/admin/imports/${id}`)
      await page.getByRole('button', { name: 'Undo the import' }).click()
      const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
      await dialog.getByRole('button', { name: 'Undo the import' }).click()
    }

    const content = smallDump({ tblclients: [{}], tblhosting: [{}] })
    await undo((await imported(app, content)).id)
    await page.getByText('Undone', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo the import' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Start renewals' }).count(), 0)

    const { id } = await imported(app, content)
    const { rows } = await app.deps.database.execute(
      `select id from users.users where email = 'ada@example.com'`,
    )
    const note = await admin.post(`/v1/admin/users/${rows[0]?.id}/notes`, { text: 'Called.' })
    assert.equal(note.status, 201, note.text)
    await undo(id)
    await page.getByText(/its data is in use: .*notes \(1\)/).waitFor()
    assert.equal((await admin.get(`/v1/admin/imports/${id}`)).body.status, 'completed')
  }),
)
