import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp, until } from '#test/app.ts'
import { inBrowser, openPage, withoutBrowser as skip } from '#test/browser.ts'
import { DECIDED, imported } from '#test/imports.ts'
import { apiKey, person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import { assertSoundPage, whole } from '#test/screens.ts'
import { smallDump } from '#test/small-whmcs.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const app = await testApp(null, { config: { port, publicUrl: origin } })
const admin = await person(app, { admin: true })
await givePassword(app, admin.userId)

const VIEWS = ['decisions', 'preview', 'changes', 'reconciliation']

test('staff decide about an import on its page, and see the first invoices and what changed since the dump before', {
  skip,
}, async () => {
  await imported(app, smallDump({ tblclients: [{}], tblhosting: [{}] }), { dryRun: true })
  const { id } = await imported(app, smallDump({ tblclients: [{}], tblhosting: [{}] }))
  for (const { locale, width } of [
    { locale: 'en-GB', width: 1440 },
    { locale: 'fr-FR', width: 390 },
  ]) {
    await inBrowser(async (browser) => {
      const viewport = { width, height: 844 }
      const { page, faults } = await openPage(browser, { locale, viewport })
      await page.goto(`${origin}/sign-in?lang=${locale.slice(0, 2)}&next=%2Fadmin`)
      await page.locator('input[name=email]').fill(admin.email)
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.locator('form[action="/sign-in"] button:not([type=button])').click()
      await page.waitForURL('**/admin*')
      for (const view of VIEWS) {
        await page.goto(`${origin}/admin/imports/${id}?view=${view}`)
        await whole(page)
        await page.locator('main .card').first().waitFor()
        await page.waitForLoadState('load')
        const { DESK_PICTURES: folder } = process.env
        if (folder) await page.screenshot({ path: `${folder}/import-${view}-${width}.png` })
        await assertSoundPage(page, `${view}, ${width}`)
      }
      if (locale === 'en-GB') {
        await page.goto(`${origin}/admin/imports/${id}?view=decisions`)
        const choice = page.getByRole('combobox', {
          name: 'Current periods that were never invoiced',
        })
        await choice.click()
        await page.getByRole('option', { name: 'Invoice them' }).click()
        await until('it is stored', async () => {
          const { body } = await admin.get(`/v1/admin/imports/${id}/decisions`)
          const one = body.data.find((it: { decision: string }) => it.decision === 'runningPeriods')
          return one.choice === 'invoice'
        })
      }
      assert.deepEqual(faults, [], 'the console stays empty')
    })
  }
})

test('renewals of an import whose totals do not match start on its page once staff accept the differences', {
  skip,
}, async () => {
  const newer = smallDump({ tblclients: [{}], tblhosting: [{}, { id: 2 }] })
  const { id } = await imported(app, newer)
  const older = (await admin.get('/v1/admin/imports?limit=10')).body.data.filter(
    (it: { id: string; dryRun: boolean }) => !it.dryRun && it.id !== id,
  )
  for (const before of older) {
    const begun = await admin.post(`/v1/admin/imports/${before.id}/begin-renewals`, DECIDED)
    assert.equal(begun.status, 200, begun.text)
  }
  const decided = await admin.put(`/v1/admin/imports/${id}/decisions`, DECIDED)
  assert.equal(decided.status, 200, decided.text)
  // Only a fault of the import itself leads to this status.
  await app.deps.database.execute(
    `update imports.imports set status = 'not_reconciled',
       report = jsonb_set(report::jsonb, '{differences}', '["services: rows"]') where id = $1`,
    [id],
  )
  await inBrowser(async (browser) => {
    const { page, faults } = await openPage(browser, { locale: 'en-GB' })
    await page.goto(`${origin}/sign-in?lang=en&next=%2Fadmin`)
    await page.locator('input[name=email]').fill(admin.email)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('form[action="/sign-in"] button:not([type=button])').click()
    await page.waitForURL('**/admin*')
    await page.goto(`${origin}/admin/imports/${id}`)
    await page.getByText('services: rows').waitFor()
    await page.getByText('Renewals can start once the decisions are made.').waitFor()
    const begin = page.getByRole('button', { name: 'Start renewals' })
    assert.equal(await begin.count(), 0)
    await page.getByRole('button', { name: 'Open: Decisions' }).click()
    await page.getByRole('combobox', { name: 'Totals that do not match' }).click()
    await page.getByRole('option', { name: 'I know the differences and accept them' }).click()
    await begin.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start renewals' }).click()
    await page.getByText(/^Renewals started on/).waitFor()
    assert.deepEqual(faults, [], 'the console stays empty')
  })
  // The session of the browser ends in between.
  const key = await apiKey(app, admin, { permission: 'read' })
  for (let left = 16; left > 0; left -= 1) await app.advance(43_200)
  await app.eventually('it is compared', async () => {
    const { body } = await key.get(`/v1/admin/imports/${id}/reconciliations`)
    return body.data.some((it: { readyAt: string | null }) => it.readyAt !== null)
  })
  await inBrowser(async (browser) => {
    const { page, faults } = await openPage(browser, { locale: 'en-GB' })
    await page.goto(`${origin}/sign-in?lang=en&next=%2Fadmin`)
    await page.locator('input[name=email]').fill(admin.email)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.locator('form[action="/sign-in"] button:not([type=button])').click()
    await page.waitForURL('**/admin*')
    await page.goto(`${origin}/admin/imports/${id}`)
    await page.getByRole('button', { name: 'Reconciliation' }).click()
    const first = page.locator('.card', { hasText: 'After 7 days' })
    await first.getByRole('button', { name: 'CSV' }).waitFor()
    const second = page.locator('.card', { hasText: 'After 30 days' })
    await second.getByText(/^Available on/).waitFor()
    await whole(page)
    await assertSoundPage(page, 'the comparison after 7 days')
    const download = page.waitForEvent('download')
    await first.getByRole('button', { name: 'CSV' }).click()
    assert.equal((await download).suggestedFilename(), `import-reconciliation-7-${id}.csv`)
    assert.deepEqual(faults, [], 'the console stays empty')
  })
})
