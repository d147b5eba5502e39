import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { affiliate } from '#test/affiliates.ts'
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

const shop = await deskShop()
const { origin, owner, admin, ada, marc } = shop
const eve = await affiliate(shop, { name: 'Eve Eden' })
const WORDS = {
  en: {
    ...{ correct: 'Correct', save: 'Save the correction', code: 'Code of the affiliate' },
    ...{ reason: 'Reason', none: 'No affiliate', unknown: 'No affiliate has this code.' },
    ...{ nobody: 'No affiliate referred this customer.', clicks: 'Clicks in the last 30 days' },
    ...{ saved: 'The affiliate is corrected' },
  },
  fr: {
    ...{ correct: 'Corriger', save: 'Enregistrer la correction', code: 'Code de l’affilié' },
    ...{ reason: 'Motif', none: 'Aucun affilié', unknown: 'Aucun affilié n’a ce code.' },
    ...{ nobody: 'Aucun affilié n’a recommandé ce client.', clicks: 'Clics des 30 derniers jours' },
    ...{ saved: 'L’affilié est corrigé' },
  },
} as const

for (const look of [WIDE, NARROW] satisfies Look[]) {
  const { locale, width } = look
  const words = WORDS[locale]

  const assertSound = (page: Page, name: string) => assertWellMade(page, `${name}-${width}`)

  test(`staff set the affiliate of a customer by a code, and remove it again (${locale})`, {
    skip,
  }, async () => {
    await asStaff(shop, { ...look, email: owner.email }, async (page) => {
      await openScreen(page, `${origin}/admin/people/${ada.userId}`)
      const main = page.locator('main')
      await main.getByText(words.nobody).waitFor()
      await main.getByRole('button', { name: words.correct, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.code).fill('NOBODY99')
      await dialog.getByText(words.unknown).waitFor()
      await dialog.getByLabel(words.reason).fill('Named in a ticket')
      const save = dialog.getByRole('button', { name: words.save })
      assert.equal(await save.isDisabled(), true)
      await dialog.getByLabel(words.code).fill(eve.code.toLowerCase())
      await dialog.getByText('Eve Eden').waitFor()
      await assertSound(page, 'correct-referral')
      await save.click()
      await page.getByText(words.saved).waitFor()
      await main.getByRole('link', { name: 'Eve Eden' }).waitFor()
      await main.getByText('Named in a ticket').first().waitFor()
      await main.getByRole('link', { name: 'Eve Eden' }).scrollIntoViewIfNeeded()
      await assertSound(page, 'referral-of-person')
      const url = `/v1/admin/users/${ada.userId}/referral`
      assert.equal((await admin.get(url)).body.affiliateId, eve.id)

      await main.getByRole('button', { name: words.correct, exact: true }).click()
      await dialog.getByText(words.none, { exact: true }).click()
      await dialog.getByLabel(words.reason).fill('Asked for it')
      await save.click()
      await main.getByText(words.nobody).waitFor()
      assert.equal((await admin.get(url)).body.affiliateId, null)

      await openScreen(page, `${origin}/admin/affiliates/${marc.id}`)
      await main.getByText(words.clicks).waitFor()
      await assertSound(page, 'affiliate')
      await openScreen(page, `${origin}/admin/affiliates`)
      await assertSound(page, 'affiliates')
    })
  })
}
