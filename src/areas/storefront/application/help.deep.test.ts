import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, openPage } from '#test/browser.ts'
import {
  asStaff,
  assertWellMade,
  deskShop,
  type Look,
  NARROW,
  openScreen,
  skip,
  WIDE,
} from '#test/desk.ts'
import { helpOf } from '#test/help.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'
import { signIn } from '#test/screens.ts'

const shop = await deskShop()
const { origin, owner, admin, ada, app } = shop
await givePassword(app, ada.userId)
const help = helpOf(admin)
const { id: categoryId } = await help.category('Getting started', {
  names: { en: 'Getting started', fr: 'Premiers pas' },
  descriptions: { en: 'The first hour with a new server.', fr: 'La première heure.' },
})
await help.published(categoryId, [
  {
    ...{ title: 'How to install plugins', slug: 'plugins', summary: 'Upload the file, restart.' },
    text: '## Upload\nOpen the *panel* and upload the file.\n\n- Choose **files**\n- Open `plugins`\n\n## Restart\nRestart the server.\n\n## Check\nLook at the [console](/servers).',
  },
  {
    ...{ title: 'Installer des extensions', slug: 'extensions', language: 'fr' },
    text: '## Déposer\nOuvrez le panneau.',
  },
])

const WORDS = {
  en: {
    ...{ title: /^Title/, text: /^Text/, save: 'Save the draft', publish: 'Publish' },
    ...{ published: 'live', add: 'Add an article', write: 'Write it', helpful: 'Yes' },
    ...{ subject: /^Subject/, about: 'install plugins on server' },
    ...{ thanks: 'Thank you for your answer.', found: 'How to install plugins' },
    ...{ heading: 'A new article', edit: 'Edit the category', archive: 'Archive' },
    ...{ restore: 'Restore', archived: 'Archived categories' },
  },
  fr: {
    ...{ title: /^Titre/, text: /^Texte/, save: 'Enregistrer le brouillon', publish: 'Publier' },
    ...{ published: 'en ligne', add: 'Ajouter un article', write: 'Rédiger', helpful: 'Oui' },
    ...{ subject: /^Objet/, about: 'comment installer extensions' },
    ...{ thanks: 'Merci pour votre réponse.', found: 'Installer des extensions' },
    ...{ heading: 'Un nouvel article', edit: 'Modifier la catégorie', archive: 'Archiver' },
    ...{ restore: 'Restaurer', archived: 'Catégories archivées' },
  },
} as const

async function visiting({ locale, colorScheme, width }: Look, work: (page: Page) => Promise<void>) {
  await inBrowser(async (browser) => {
    const viewport = { width, height: 844 }
    const { page, faults } = await openPage(browser, { locale, viewport, colorScheme })
    await work(page)
    assert.deepEqual(faults, [], 'the console stays empty')
  })
}

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`support A85: the pages of the help pass axe (${look.locale})`, { skip }, async () => {
    await visiting(look, async (page) => {
      for (const path of ['/help', '/help/getting-started', '/help/search?q=plugins']) {
        await page.goto(origin + path)
        await assertWellMade(page, `help-${path.slice(6).replace(/\W/g, '-')}-${look.width}`)
      }
      await page.goto(`${origin}/help/plugins`)
      await assertWellMade(page, `help-article-${look.width}`)
      await page.getByRole('button', { name: words.helpful, exact: true }).press('Enter')
      await page.getByText(words.thanks).waitFor()
      await assertWellMade(page, `help-answered-${look.width}`)
    })
  })

  test(`staff write an article beside its preview and publish it (${look.locale})`, {
    skip,
  }, async () => {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/help`)
      await page.getByRole('link', { name: 'How to install plugins' }).waitFor()
      await assertWellMade(page, `admin-help-${look.width}`)
      await page.getByRole('button', { name: words.add }).click()
      await page.getByRole('button', { name: words.write, exact: true }).click()
      await page.getByLabel(words.title).fill(words.heading)
      await page.getByLabel(words.text).fill('## Part\n<b>no</b> **yes**')
      await page.locator('.rendered strong', { hasText: 'yes' }).waitFor()
      assert.equal(await page.locator('.rendered b').count(), 0, 'no HTML of the author')
      await page.getByRole('button', { name: words.save, exact: true }).click()
      await page.getByRole('button', { name: words.publish, exact: true }).click()
      await page.getByText(words.published, { exact: true }).waitFor()
      await assertWellMade(page, `admin-article-${look.width}`)
    })
    const { body } = await app.get('/v1/knowledge/articles?limit=100')
    assert.ok(body.data.some(({ title }: { title: string }) => title === words.heading))
  })

  test(`articles are suggested while a customer writes the subject (${look.locale})`, {
    skip,
  }, async () => {
    await visiting(look, async (page) => {
      await signIn(page, origin, ada.email)
      await page.goto(`${origin}/tickets?ask=new`)
      await page.getByLabel(words.subject).fill(words.about)
      const link = page.getByRole('link', { name: words.found })
      await link.waitFor()
      assert.match((await link.getAttribute('href')) ?? '', /^\/help\/(plugins|extensions)$/)
      await assertWellMade(page, `ticket-suggestions-${look.width}`)
    })
  })

  test(`staff archive a category of the help and restore it (${look.locale})`, {
    skip,
  }, async () => {
    const name = `Mods ${look.locale}`
    const { id } = await help.category(name)
    const archivedAt = async () => {
      const list = '/v1/admin/article-categories?archived=true&limit=100'
      const { data } = (await admin.get(list)).body
      return data.find((it: { id: string }) => it.id === id)?.archivedAt ?? null
    }
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/help`)
      const edit = page.getByRole('button', { name: `${words.edit} ${name}`, exact: true })
      const restore = page.getByRole('button', { name: `${words.restore}: ${name}`, exact: true })
      assert.equal(await restore.count(), 0)
      await edit.click()
      const archive = { name: words.archive, exact: true } as const
      await page.getByRole('dialog').getByRole('button', archive).click()
      const question = page
        .getByRole('dialog', { name: `${name} ?` })
        .or(page.getByRole('dialog', { name: `${name}?` }))
      await question.getByRole('button', archive).click()
      await restore.waitFor()
      assert.notEqual(await archivedAt(), null)
      await openScreen(page, `${origin}/admin/help`)
      await page.getByText(words.archived).first().waitFor()
      await assertWellMade(page, `admin-help-archived-${look.width}`)
      await restore.click()
      await restore.waitFor({ state: 'detached' })
      await edit.waitFor()
      assert.equal(await archivedAt(), null)
    })
  })
}

test('staff who only read the help see archived categories and cannot restore them', {
  skip,
}, async () => {
  const { id } = await help.category('Forgotten')
  assert.equal((await admin.delete(`/v1/admin/article-categories/${id}`)).status, 200)
  const reader = await person(app, { permissions: ['articles:read'] })
  await givePassword(app, reader.userId)
  await asStaff(shop, { ...WIDE, email: reader.email }, async (page) => {
    await openScreen(page, `${origin}/admin/help`)
    await page.getByRole('cell', { name: 'Forgotten' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Restore: Forgotten' }).count(), 0)
  })
})
