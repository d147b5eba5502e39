import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '#lib/id.ts'
import { transact } from '#platform/database/index.ts'
import { testApp, until } from '#test/app.ts'
import { inBrowser, openPage } from '#test/browser.ts'
import { asStaff, openScreen, signIn, skip, WIDE } from '#test/desk.ts'
import { person } from '#test/people.ts'
import { freePort } from '#test/processes.ts'
import { givePassword } from '#test/relying-party.ts'
import { smallDump } from '#test/small-whmcs.ts'
import { insertImport } from './queries.ts'
import { type RunContext, runImport } from './run.ts'

const port = await freePort()
const origin = `http://localhost:${port}`
const app = await testApp(null, { config: { port, publicUrl: origin } })
const { deps, tenantId } = app
const admin = await person(app, { admin: true })
await givePassword(app, admin.userId)

/** A dump of one installation; each has one customer more than the one before. */
function dump(people: number): Buffer {
  const numbers = Array.from({ length: people }, (_, index) => index + 1)
  return smallDump({
    tblclients: numbers.map((id) => ({ id, email: `customer${id}@example.com` })),
    tblhosting: numbers.map((id) => ({ id, userid: id })),
  })
}

async function imports(): Promise<{ id: string; status: string }[]> {
  return (await admin.get('/v1/admin/imports?limit=100')).body.data
}

/** The services of customers, by their address. */
async function written(): Promise<number[]> {
  const { rows } = await deps.database.execute(
    `select count(service.id)::int as services from users.users as person
     join services.services as service on service.user_id = person.id
     where person.email like 'customer%@example.com' group by person.id order by person.id`,
  )
  return rows.map(({ services }) => Number(services))
}

const as = (work: (page: Page) => Promise<void>) =>
  asStaff({ origin }, { ...WIDE, email: admin.email }, work)

/** Opens the dialog for a dump and chooses one that is to be written. */
async function choose(page: Page, buffer: Buffer): Promise<void> {
  await openScreen(page, `${origin}/admin/imports`)
  await page.getByRole('button', { name: 'Start an import' }).first().click()
  const dialog = page.getByRole('dialog')
  const file = { name: 'whmcs.sql', mimeType: 'application/sql', buffer }
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByRole('switch').uncheck()
}

const send = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Start the import' }).click()
const done = (page: Page) => page.getByText('All totals match').waitFor()

test(
  'an upload that breaks off says so and keeps the file; sent again, it is imported once',
  {
    skip,
  },
  () =>
    inBrowser(async (browser) => {
      const isCut = (address: string) => address === `${origin}/v1/admin/imports`
      const { page, faults } = await openPage(browser, { locale: 'en' }, isCut)
      await page.goto(`${origin}/sign-in?lang=en`)
      await signIn(page, admin.email)
      await page.waitForURL('**/admin')
      await choose(page, dump(1))
      let cuts = 0
      await page.route('**/v1/admin/imports', (route) => {
        if (route.request().method() !== 'POST' || cuts > 0) return route.continue()
        cuts += 1
        return route.abort('connectionreset')
      })
      await send(page)
      await page.getByText('The server could not be reached. Try again').waitFor()
      assert.deepEqual(await imports(), [])
      await page.getByRole('dialog').getByText('whmcs.sql').waitFor()
      await send(page)
      await done(page)
      assert.equal((await imports()).length, 1)
      assert.deepEqual(await written(), [1])
      await page.reload()
      await done(page)
      await page.getByText('Before renewals start').waitFor()
      assert.deepEqual(faults, [], 'the console stays empty')
    }),
)

test('an upload whose dialog is closed is stopped, and nothing is imported', { skip }, () =>
  as(async (page) => {
    const before = (await imports()).length
    await choose(page, dump(2))
    const held = Promise.withResolvers<void>()
    await page.route('**/v1/admin/imports', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      held.resolve()
    })
    await send(page)
    await held.promise
    await page.getByText('Keep this page open until the upload is complete.').waitFor()
    const stopped = page.waitForEvent('requestfailed')
    await page.keyboard.press('Escape')
    await stopped
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await imports()).length, before)
  }),
)

test('two tabs that upload the same dump have one import', { skip }, () =>
  as(async (page) => {
    const before = (await imports()).length
    const other = await page.context().newPage()
    await choose(page, dump(2))
    await choose(other, dump(2))
    await Promise.all([send(page), send(other)])
    for (const tab of [page, other]) await done(tab)
    assert.equal(page.url(), other.url())
    assert.equal((await imports()).length, before + 1)
    assert.deepEqual(await written(), [1, 1])
  }),
)

test(
  'the page of an import follows it through the death of its process, and everything is written once',
  {
    skip,
  },
  () =>
    as(async (page) => {
      const content = dump(3)
      const key = { tenantId, id: newId() }
      const db = deps.database.of(tenantId)
      await transact(db, (tx) =>
        insertImport(tx, {
          ...{ ...key, userId: null, fileName: 'dump.sql', fileKey: key.id, dryRun: false },
          ...{ wantedSystem: null, sizeBytes: content.length, createdAt: deps.clock.now() },
          fileGoneAt: deps.clock.now(),
          sha256: createHash('sha256').update(content).digest(),
        }),
      )
      const { signal } = new AbortController()
      const files = { get: async () => Readable.from([content]) }
      const run = (died: (begun: number) => boolean) => {
        let begun = 0
        const dying: RunContext['transact'] = (work) => {
          begun += 1
          if (died(begun)) throw new Error('died')
          return transact(db, work)
        }
        return runImport({ ...deps, db, files, signal, transact: dying }, key)
      }
      await openScreen(page, `${origin}/admin/imports/${key.id}`)
      await page.getByText('Waiting', { exact: true }).first().waitFor()
      for (const last of [3, 4, 5]) {
        await assert.rejects(
          run((begun) => begun === last),
          /died/,
        )
        deps.clock.advance(61_000)
        const { status, progress } = (await admin.get(`/v1/admin/imports/${key.id}`)).body
        const shown = status === 'importing' ? 'Importing' : 'Analysing'
        await page.locator('h1 + .tone', { hasText: shown }).waitFor()
        await page.reload()
        await page.locator('h1 + .tone', { hasText: shown }).waitFor()
        assert.notEqual(progress.phase, 'done')
        assert.equal(await page.getByRole('button', { name: 'Start renewals' }).count(), 0)
      }
      await run(() => false)
      // The page is still open, and moves on by itself.
      await done(page)
      await until('it is done', async () =>
        (await imports()).every(({ status }) => status === 'completed'),
      )
      assert.deepEqual(await written(), [1, 1, 1])
    }),
)
