import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { asStaff, assertWellMade, deskShop, NARROW, openScreen, skip, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { origin, owner, admin } = shop
const url = '/v1/admin/announcements'

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

const newest = async () => (await admin.get(`${url}?limit=1`)).body.data[0]

const WORDS = {
  en: {
    ...{ write: 'New announcement', edit: 'Edit announcement', when: 'When', send: 'Send' },
    ...{ title: 'Title (English)', body: 'Text (English)', save: 'Save', saveDraft: 'Save draft' },
    ...{ draft: 'Not yet: save a draft', later: 'At a planned time', schedule: 'Schedule' },
    ...{ sendTitle: 'Send this announcement?', at: 'Date and time (Asia/Tokyo)' },
    ...{ now: 'Now', remove: 'Delete' },
    ...{ saved: 'Announcement saved', scheduled: 'Announcement scheduled' },
    ...{ sent: 'The announcement is being sent', removed: 'Announcement deleted' },
  },
  fr: {
    ...{ write: 'Nouvelle annonce', edit: 'Modifier l’annonce', when: 'Quand', send: 'Envoyer' },
    ...{ title: 'Titre (English)', body: 'Texte (English)', save: 'Enregistrer' },
    ...{ draft: 'Pas encore : enregistrer un brouillon', later: 'À une date prévue' },
    ...{ sendTitle: 'Envoyer cette annonce ?', at: 'Date et heure (Asia/Tokyo)' },
    ...{ now: 'Maintenant', remove: 'Supprimer' },
    ...{ saved: 'Annonce enregistrée', scheduled: 'Annonce programmée' },
    ...{ sent: 'L’annonce est en cours d’envoi', removed: 'Annonce supprimée' },
    ...{ saveDraft: 'Enregistrer le brouillon', schedule: 'Programmer' },
  },
} as const

for (const look of [WIDE, NARROW]) {
  const words = WORDS[look.locale]

  test(`staff save a draft, schedule it in their time zone, send it, and correct it (${look.locale}, ${look.width})`, {
    skip,
  }, async () => {
    await owner.patch('/v1/users/me', { timeZone: 'Asia/Tokyo' })
    const [title, name] = [`New game ${look.locale}`, { exact: true }]
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/announcements`)
      const dialog = page.getByRole('dialog')
      const press = (label: string) => dialog.getByRole('button', { name: label, ...name }).click()
      const edit = () => page.getByRole('button', { name: title }).click()
      await page.getByRole('button', { name: words.write }).click()
      await dialog.getByLabel(words.title).fill(title)
      await dialog.getByLabel(words.body).fill('From tonight.')
      await choose(page, words.when, words.draft)
      await assertWellMade(page, `announcement-new-${look.width}`)
      await press(words.saveDraft)
      await page.getByText(words.saved).waitFor()
      assert.equal((await newest()).status, 'draft')

      await edit()
      await choose(page, words.when, words.later)
      assert.ok(await dialog.getByRole('button', { name: words.schedule, ...name }).isDisabled())
      await dialog.getByLabel(words.at).fill('2035-03-01T09:00')
      await assertWellMade(page, `announcement-schedule-${look.width}`)
      await press(words.schedule)
      await page.getByText(words.scheduled).waitFor()
      assert.equal((await newest()).publishAt, '2035-03-01T00:00:00.000Z')
      await assertWellMade(page, `announcements-${look.width}`)

      await edit()
      await choose(page, words.when, words.now)
      await press(words.send)
      const question = page.getByRole('dialog', { name: words.sendTitle })
      await question.getByRole('button', { name: words.send, ...name }).click()
      await page.getByText(words.sent).waitFor()
      assert.equal((await newest()).status, 'published')

      await edit()
      await dialog.getByLabel(words.body).fill('From tomorrow.')
      assert.equal(await dialog.getByLabel(words.when).count(), 0)
      await assertWellMade(page, `announcement-sent-${look.width}`)
      await press(words.save)
      await dialog.waitFor({ state: 'hidden' })
      assert.equal((await newest()).texts.en.body, 'From tomorrow.')
    })
  })
}

test('staff delete a draft, after a question', { skip }, async () => {
  const texts = { en: { title: 'Mistake', body: 'Text.' } }
  assert.equal((await admin.post(url, { texts, publishAt: null })).status, 201)
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/announcements`)
    await page.getByRole('button', { name: 'Mistake' }).click()
    const remove = { name: WORDS.en.remove, exact: true }
    await page.getByRole('button', remove).click()
    const question = page.getByRole('dialog', { name: 'Delete this announcement?' })
    await question.getByRole('button', remove).click()
    await page.getByText(WORDS.en.removed).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Mistake' }).count(), 0)
  })
})
