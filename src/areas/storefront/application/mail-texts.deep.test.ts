import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  asStaff,
  assertWellMade,
  deskShop,
  type Look,
  NARROW,
  openScreen,
  settled,
  skip,
  WIDE,
} from '#test/desk.ts'
import { person } from '#test/people.ts'
import { givePassword } from '#test/relying-party.ts'

const shop = await deskShop()
const { origin, owner, admin, app } = shop
const WORDS = {
  en: {
    ...{ list: 'E-mail texts', kind: 'A service is ready', subject: /^Subject/, text: /^Text/ },
    ...{ save: 'Save', saved: 'Text saved', own: 'Your own text', preview: 'Preview' },
    ...{ cannot: 'This text cannot be used', reset: 'Use the standard text' },
    ...{ falls: 'The standard text is sent in this case', standard: 'Standard text' },
    ...{ example: 'Example', second: '2 of 2' },
  },
  fr: {
    ...{ list: 'Textes des e-mails', kind: 'Un service est prêt', subject: /^Objet/ },
    ...{ text: /^Texte/, save: 'Enregistrer', saved: 'Texte enregistré' },
    ...{ own: 'Votre propre texte', preview: 'Aperçu' },
    ...{ cannot: 'Ce texte ne peut pas être utilisé', reset: 'Reprendre le texte standard' },
    ...{ falls: 'Le texte standard est envoyé dans ce cas', standard: 'Texte standard' },
    ...{ example: 'Exemple', second: '2 sur 2' },
  },
} as const

for (const look of [WIDE, NARROW] satisfies Look[]) {
  const { locale, width } = look
  const words = WORDS[locale]

  test(`staff write the text of a mail beside its preview, and return to the standard text (${locale})`, {
    skip,
  }, async () => {
    await asStaff(shop, { ...look, refused: [422], email: owner.email }, async (page) => {
      const assertSound = (name: string) => assertWellMade(page, `${name}-${width}`)
      await openScreen(page, `${origin}/admin/mails`)
      await page.getByRole('link', { name: words.list }).click()
      await page.getByRole('heading', { name: words.list, level: 1 }).waitFor()
      await settled(page)
      await assertSound('mail-texts')
      await page.getByRole('link', { name: words.kind }).first().click()
      await page.getByRole('heading', { name: words.kind, level: 1 }).waitFor()
      await openScreen(page, `${origin}/admin/mails/texts/service_active?language=${locale}`)
      const preview = page.getByRole('region', { name: words.preview })
      const mail = preview.frameLocator('iframe')
      await mail.getByRole('heading', { name: /Survival Island/ }).waitFor()
      await assertSound('mail-text-standard')

      await page.getByLabel(words.subject).fill('Ahoy {{name}}')
      await page.getByRole('textbox', { name: words.text }).fill('{{adress}}')
      await preview.getByText(words.cannot).waitFor()
      await preview.getByText('{{adress}}').waitFor()
      await page.getByRole('textbox', { name: words.text }).fill('<b>Port</b> {{address}}')
      await preview.getByText('Ahoy Ada Martin').waitFor()
      // A frame of another origin is not laid out while it is out of sight, so its text is there, but not visible.
      const said = mail.locator('p', { hasText: '<b>Port</b> play.example.org:25565' })
      await said.waitFor({ state: 'attached' })
      await preview.getByLabel(words.example).click()
      await page.getByRole('option', { name: words.second }).click()
      await preview.getByText(words.falls).waitFor()
      await page.getByRole('button', { name: words.save, exact: true }).click()
      await page.getByText(words.saved).waitFor()
      await page.getByText(words.own).first().waitFor()
      const url = `/v1/admin/mail-templates/service_active/${locale}`
      const { subject, text } = (await admin.get(url)).body
      assert.deepEqual([subject, text], ['Ahoy {{name}}', '<b>Port</b> {{address}}'])
      await assertSound('mail-text-own')

      await page.getByRole('button', { name: words.reset }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.reset }).click()
      await page.getByText(words.standard, { exact: true }).waitFor()
      assert.equal((await admin.get(url)).body.isStandard, true)
    })
  })
}

test('staff who may only read see the text and its preview, and nothing to change', {
  skip,
}, async () => {
  const clerk = await person(app, { permissions: ['system:read'] })
  await givePassword(app, clerk.userId)
  await asStaff(shop, { ...WIDE, email: clerk.email }, async (page) => {
    await openScreen(page, `${origin}/admin/mails/texts/invoice_paid`)
    await page
      .getByRole('region', { name: 'Preview' })
      .frameLocator('iframe')
      .locator('p', { hasText: 'INV-2030-00042' })
      .waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    await openScreen(page, `${origin}/admin/mails/texts/unheard_of`)
    await page.getByText('There is no such e-mail').waitFor()
  })
})
